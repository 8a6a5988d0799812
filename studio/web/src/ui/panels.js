/** The panels at the right as tabs. */
import { make } from '../base/dom.js';

export class Panels {
	#makers = new Map();
	#made = new Map();

	/** list: [name, words, class of the panel] */
	constructor(app, host, list) {
		this.app = app;
		this.tabs = new Map();
		const bar = make('div', { role: 'tablist', 'aria-label': 'Panels', class: 'tabs' });
		const bodies = make('div', { class: 'bodies' });
		for (const [name, words, Panel] of list) {
			const body = make('div', { role: 'tabpanel', id: `panel-${name}`, 'aria-labelledby': `tab-${name}`, class: 'body', hidden: true, tabindex: '-1' });
			const tab = make('button', { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': `panel-${name}`, onclick: () => this.show(name) }, words);
			this.tabs.set(name, { tab, body });
			bar.append(tab);
			bodies.append(body);
			this.#makers.set(name, () => new Panel(app, body));
			// made when it is first shown or needed
			Object.defineProperty(this, name, { get: () => this.#panel(name) });
		}
		bar.addEventListener('keydown', (event) => this.#key(event));
		host.append(bar, bodies);
		app.mode.on('mode', (mode) => {
			if (['edit', 'paint'].includes(mode)) this.show('edit');
			else if (mode === 'pose' && this.shown === 'edit') this.show('bone');
		});
		this.show(this.tabs.has(app.look.get('panel')) ? app.look.get('panel') : list[0][0]);
	}

	#panel(name) {
		if (!this.#made.has(name)) this.#made.set(name, this.#makers.get(name)());
		return this.#made.get(name);
	}

	#key(event) {
		const names = [...this.tabs.keys()], direction = { ArrowRight: 1, ArrowLeft: -1 }[event.key], at = names.indexOf(this.shown);
		if (!direction) return;
		event.preventDefault();
		this.show(names[(at + direction + names.length) % names.length]);
		this.tabs.get(this.shown).tab.focus();
	}

	/** The panel Edit is the mode Edit; poses and motions are seen in the mode Pose. */
	#set_mode(name) {
		const { mode, session } = this.app, is_edit = name === 'edit';
		if (is_edit && mode.name === 'pose' && session.rig?.bone_count > 0) mode.set('edit');
		if (['poses', 'motion'].includes(name) && mode.name !== 'pose') mode.set('pose');
	}

	show(name) {
		if (this.shown !== undefined && name !== this.shown) this.#set_mode(name);
		this.shown = name;
		for (const [other, { tab, body }] of this.tabs) {
			tab.setAttribute('aria-selected', String(other === name));
			tab.tabIndex = other === name ? 0 : -1;
			body.hidden = other !== name;
		}
		const was_made = this.#made.has(name), panel = this.#panel(name);
		// hidden ones ignore changes
		if (was_made) panel.fill();
		this.app.look.set('panel', name);
	}
}
