/**
 * The bones as a tree: arrows navigate, Enter and click select, shift adds, a field above finds by
 * name.
 */
import { draw, make, refill } from '../base/dom.js';

const padlock = () => draw('svg', { viewBox: '0 0 10 12', width: 9, height: 11, 'aria-hidden': 'true' }, draw('path', { d: 'M2 5V3.5a3 3 0 0 1 6 0V5h1v6H1V5zm1.4 0h3.2V3.5a1.6 1.6 0 0 0-3.2 0z', fill: 'currentColor' }));

export class Tree {
	/** app: session, selection, acts {rename()}; host: the element that is filled */
	constructor(app, host) {
		this.app = app;
		this.folded = new Set();
		this.find = make('input', { type: 'search', placeholder: 'Find a bone', 'aria-label': 'Find a bone', oninput: () => this.fill() });
		this.list = make('ul', { role: 'tree', 'aria-label': 'Skeleton', 'aria-multiselectable': 'true', tabindex: '0' });
		this.count = make('span', { class: 'count' });
		host.append(make('header', {}, make('h2', {}, 'Bones'), this.count), make('div', { class: 'find' }, this.find), this.list);
		this.list.addEventListener('keydown', (event) => this.#key(event));
		this.list.addEventListener('click', (event) => this.#click(event));
		this.list.addEventListener('dblclick', () => app.acts.rename());
		this.list.addEventListener('pointerover', (event) => app.selection.hover(this.#bone(event)));
		this.list.addEventListener('pointerleave', () => app.selection.hover(-1));
		app.session.on('rig', () => this.fill());
		app.session.on('state', () => app.session.rig && this.fill());
		app.selection.on('selection', () => this.#mark(true));
		app.selection.on('hover', () => this.#mark(false));
		if (app.session.rig) this.fill();
	}

	#bone = (event) => Number(event.target.closest('[data-bone]')?.dataset.bone ?? -1);

	fill() {
		const { rig } = this.app.session, word = this.find.value.trim().toLowerCase();
		this.rows = [];
		if (!rig || rig.bone_count === 0) {
			this.count.textContent = '';
			return refill(this.list, make('li', { class: 'none', role: 'none' }, rig ? 'No bones yet: rig it in the panel Rig.' : 'Nothing is open.'));
		}
		this.count.textContent = String(rig.bone_count);
		const open = [[0, 1]];
		while (open.length > 0) {
			const [b, level] = open.pop(), bone = rig.bones[b], children = rig.children[b], folded = this.folded.has(bone.name) && word === '';
			if (word === '' || bone.name.toLowerCase().includes(word)) this.rows.push(this.#row(b, bone, word === '' ? level : 1, children.length > 0, folded));
			if (!folded) open.push(...[...children].reverse().map((child) => [child, level + 1]));
		}
		refill(this.list, this.rows);
		return this.#mark(false);
	}

	#row(b, bone, level, has_children, folded) {
		const locks = this.app.edits.locks_of(bone.name);
		const row = make('li', {
			role: 'treeitem', id: `bone-${b}`, 'data-bone': b, 'aria-level': level, 'aria-expanded': has_children ? String(!folded) : null,
			class: `level-${Math.min(level, 24)} ${bone.parent < 0 ? 'root' : ''}`, title: `${bone.name}: ${bone.kind}`,
		}, make('span', { class: `fold ${has_children ? '' : 'leaf'}`, 'aria-hidden': 'true' }, has_children ? (folded ? '▸' : '▾') : ''),
		make('span', { class: `dot kind-${bone.kind}`, 'aria-hidden': 'true' }), make('span', { class: 'word' }, bone.name), locks && make('span', { class: 'lock', title: `locked: ${locks}`, 'aria-label': `locked: ${locks}`, role: 'img' }, padlock()));
		return row;
	}

	#mark(scroll) {
		const { selection } = this.app;
		for (const row of this.rows ?? []) {
			const b = Number(row.dataset.bone);
			row.setAttribute('aria-selected', String(selection.bones.has(b)));
			row.classList.toggle('active', b === selection.active);
			row.classList.toggle('hovered', b === selection.hovered);
			if (scroll && b === selection.active) row.scrollIntoView({ block: 'nearest' });
		}
		if (selection.active >= 0) this.list.setAttribute('aria-activedescendant', `bone-${selection.active}`);
		else this.list.removeAttribute('aria-activedescendant');
	}

	#click(event) {
		const b = this.#bone(event);
		if (b < 0) return;
		if (event.target.closest('.fold:not(.leaf)')) return this.#fold(b);
		if (event.shiftKey || event.ctrlKey) this.app.selection.toggle(b);
		else this.app.selection.set([b]);
		return undefined;
	}

	#fold(b) {
		const { name } = this.app.session.rig.bones[b];
		if (!this.folded.delete(name)) this.folded.add(name);
		this.fill();
	}

	#key(event) {
		const rows = this.rows ?? [], { selection, session } = this.app, at = rows.findIndex((row) => Number(row.dataset.bone) === selection.active);
		const go = (index) => {
			const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
			if (!row) return;
			const b = Number(row.dataset.bone);
			if (event.shiftKey) selection.set([...[...selection.bones].filter((other) => other !== b), b]);
			else selection.set([b]);
		};
		const bone = rows[at] && session.rig.bones[selection.active];
		const open = bone && !this.folded.has(bone.name), acts = {
			ArrowDown: () => go(at + 1), ArrowUp: () => go(at < 0 ? 0 : at - 1), Home: () => go(0), End: () => go(rows.length - 1),
			ArrowLeft: () => bone && (open && session.rig.children[selection.active].length ? this.#fold(selection.active) : bone.parent >= 0 && selection.set([bone.parent])),
			ArrowRight: () => bone && (open ? go(at + 1) : this.#fold(selection.active)),
		};
		if (!acts[event.key] || event.ctrlKey || event.altKey) return;
		event.preventDefault();
		event.stopPropagation();
		acts[event.key]();
	}
}
