/**
 * Edits of the rig as lines for the server (docs/edit.md), made from the selection. On request an
 * edit is solved at once, and one undo reverts both: the session knows which edits were made
 * together. Topics: "edited".
 */
import { Signal } from '../base/signal.js';

const words_of = (point) => point.map((x) => String(Number(x.toPrecision(9)))).join(' ');

/** "3,5-9" of numbers */
export function ranges(numbers) {
	const sorted = [...new Set(numbers)].sort((a, b) => a - b), out = [];
	for (const n of sorted) {
		const last = out.at(-1);
		if (last && last[1] === n - 1) last[1] = n;
		else out.push([n, n]);
	}
	return out.map(([a, b]) => (a === b ? String(a) : `${a}-${b}`)).join(',');
}

// a session of a server without steps
const each = (lines) => lines.map((_, i) => i + 1);

export class Edits extends Signal {
	constructor({ session, selection, look }) {
		super();
		Object.assign(this, { session, selection, look });
	}

	#name = (b) => this.session.rig.bones[b].name;

	/** Applies lines, followed by a solve where they need one. */
	async do(lines, { solves = true } = {}) {
		const result = await this.session.edit(...lines, ...(solves && this.look.get('solve_at_once') ? ['solve'] : []));
		this.emit('edited', lines);
		return result;
	}

	solve(all = false) { return this.session.edit(all ? 'solve all' : 'solve'); }

	split(b, share) { return this.do([share === null ? `split ${this.#name(b)}` : `split ${this.#name(b)} ${Number(share.toFixed(4))}`]); }

	add(b, point, name = '') { return this.do([`add ${this.#name(b)} ${words_of(point)}${name ? ` ${name}` : ''}`]); }

	move(b, part, point) { return this.do([`${part === 'joint' ? 'move' : 'tail'} ${this.#name(b)} ${words_of(point)}`]); }

	remove() { return this.do(this.selection.names.map((name) => `remove ${name}`)); }

	merge() { return this.#pair((kept, other) => `merge ${kept} ${other}`); }

	connect() { return this.#pair((parent, child) => `connect ${child} ${parent}`); }

	forbid() { return this.#pair((a, b) => `forbid ${a} ${b}`); }

	apart() { return this.#pair((a, b) => `apart ${a} ${b}`); }

	together() { return this.#pair((a, b) => `together ${a} ${b}`); }

	/** the active bone with each of the others */
	#pair(line) {
		const active = this.#name(this.selection.active);
		return this.do(this.selection.names.filter((name) => name !== active).map((name) => line(active, name)));
	}

	root() { return this.do([`root ${this.#name(this.selection.active)}`]); }

	mirror() { return this.do([`mirror ${this.#name(this.selection.active)}`]); }

	rename(b, name) {
		this.selection.want(name);
		return this.do([`rename ${this.#name(b)} ${name}`], { solves: false });
	}

	/** limits: three pairs of degrees, or null */
	limits(b, limits) { return this.do([`limits ${this.#name(b)} ${limits ? limits.flat().join(' ') : 'none'}`], { solves: false }); }

	/** part: 'weights' or 'joint'; an existing lock is toggled */
	lock(part) {
		const name = this.#name(this.selection.active), held = this.held(`lock ${part} ${name}`);
		return this.do([held ? `relax ${held.number}` : `lock ${part} ${name}`], { solves: false });
	}

	/** the constraint of this line, or undefined */
	held = (line) => this.session.state.constraints.find((one) => one.line === line);

	relax(number) { return this.do([`relax ${number}`]); }

	paint(b, faces) { return this.do([`paint ${this.#name(b)} ${ranges(faces)}`]); }

	/** in words, for tooltips: which locks hold a bone */
	locks_of(name) {
		return ['weights', 'joint'].filter((part) => this.held(`lock ${part} ${name}`)?.on).join(' and ');
	}

	/** edits that can be undone: not those that the step of the history began with */
	get count() {
		const { done, first = 0 } = this.session.state.edits;
		return done.length - first;
	}

	/** to where the last edits began, or to the step before: another rig, the session before */
	async undo() {
		let is_begin = false;
		await this.session.run(() => {
			const { done, first = 0, steps = each(done) } = this.session.state.edits;
			if (this.count > 0) return { do: 'goto', count: Math.max(first, ...steps.filter((count) => count < done.length)) };
			is_begin = this.session.history.past.length === 0;
			return is_begin ? null : { do: 'undo' };
		});
		if (is_begin) await this.session.back();
	}

	/** to where the next edits end, or to the next step */
	async redo() {
		let is_end = false;
		await this.session.run(() => {
			const { done, undone, steps = each([...done, ...undone]) } = this.session.state.edits, all = done.length + undone.length;
			if (undone.length > 0) return { do: 'goto', count: Math.min(all, ...steps.filter((count) => count > done.length)) };
			is_end = this.session.history.future.length === 0;
			return is_end ? null : { do: 'redo' };
		});
		if (is_end) await this.session.forward();
	}

	get can_undo() { return this.count > 0 || this.session.history.past.length > 0 || Boolean(this.session.state.from); }

	get can_redo() { return this.session.state.edits.undone.length > 0 || this.session.history.future.length > 0 || this.session.onward !== undefined; }
}
