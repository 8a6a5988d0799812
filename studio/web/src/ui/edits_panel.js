/**
 * The panel Edit: edits of the selection, constraints with their switches, the history, solving and
 * what it changed.
 */
import { make, refill } from '../base/dom.js';
import { button, check, count_words, number_field, number_words, row, section } from './fields.js';

export class EditsPanel {
	constructor(app, host) {
		this.app = app;
		this.host = host;
		this.acts = make('div');
		this.paint = make('div');
		this.solve = make('div');
		this.constraints = make('div');
		this.history = make('div');
		host.append(this.acts, this.paint, this.solve, this.constraints, this.history);
		app.session.on('state', () => this.fill());
		app.session.on('rig', () => this.fill());
		app.selection.on('selection', () => { this.#fill_acts(); this.#fill_paint(); });
		app.mode.on('mode', () => this.#fill_paint());
		app.painting.on('painted', () => this.#fill_paint());
		app.look.on('look', (name) => ['size', 'solve_at_once'].includes(name) && this.#fill_paint());
		this.fill();
	}

	fill() {
		if (this.host.hidden) return;
		this.#fill_acts();
		this.#fill_paint();
		this.#fill_solve();
		this.#fill_constraints();
		this.#fill_history();
	}

	#fill_acts() {
		const { selection, acts, edits, session } = this.app, count = selection.bones.size, none = count === 0, pair = count < 2;
		if (!session.rig?.bone_count) return refill(this.acts, make('p', { class: 'empty inside' }, 'There is no rig to edit yet.'));
		const one = (words, act, title, disabled = none) => button(words, act, { title, disabled });
		const name = selection.active_bone?.name, locked = (part) => edits.held(`lock ${part} ${name}`)?.on;
		return refill(this.acts,
			section(none ? 'Choose a bone' : count === 1 ? name : `${name} and ${count - 1} more`,
				make('div', { class: 'grid three' }, one('Split', () => acts.split(), 'S'), one('Add branch', () => acts.add(), 'A'), one('Remove', () => edits.remove(), 'X'),
					one('Move joint', () => acts.move('joint'), 'G'), one('Move end', () => acts.move('tail'), 'shift G', none || !session.rig || session.rig.children[selection.active]?.length > 0), one('Rename', () => acts.rename(), 'F2'),
					one('Mirror', () => edits.mirror(), 'shift M: this bone and its descendants, to the other side'), one('Make root', () => edits.root(), 'shift P: the tree begins here'),
					one(locked('weights') ? 'Free weights' : 'Lock weights', () => edits.lock('weights'), 'L'),
					one(locked('joint') ? 'Free joint' : 'Lock joint', () => edits.lock('joint'), 'shift L'))),
			section('Two or more, the last is active',
				make('div', { class: 'grid three' }, one('Merge', () => edits.merge(), 'M: the others become part of the active one', pair), one('Parent', () => edits.connect(), 'P: the others become children of the active one', pair),
					one('Together', () => edits.together(), 'one motion; one bone when solved', pair), one('Forbid', () => edits.forbid(), 'never parent and child', pair), one('Apart', () => edits.apart(), 'never merged by solving', pair))));
	}

	#fill_paint() {
		const { mode, painting, look, selection, edits } = this.app;
		if (mode.name !== 'paint') return refill(this.paint);
		const name = selection.active_bone?.name;
		return refill(this.paint, section('Paint', make('p', { class: 'empty' }, name ? `Faces that move with ${name} alone: ${count_words(painting.faces.size)} painted.` : 'Choose a bone first.'),
			number_field('Brush', 100 * look.get('size'), (value) => look.set('size', value / 100), { step: 1, digits: 1, unit: '% of the diagonal', minimum: 0.2, maximum: 50 }),
			make('div', { class: 'buttons' }, button('Keep', () => this.app.acts.keep_paint(), { class: 'first', disabled: painting.faces.size === 0, title: 'Enter' }), button('Wipe', () => painting.clear(), { disabled: painting.faces.size === 0 }))));
	}

	#fill_solve() {
		const { session, look, edits } = this.app, { state } = session, { solved } = state, { stale } = state.edits;
		if (!session.rig?.bone_count) return refill(this.solve);
		const parts = solved && ['weights', 'tree', 'joints', 'motion'].filter((part) => solved[part]);
		return refill(this.solve, section('Solve again',
			make('div', { class: 'buttons' }, button('Solve', () => edits.solve(), { class: stale ? 'first' : '', title: 'ctrl Enter: what depends on the edits' }), button('All', () => edits.solve(true), { title: 'weights, tree, joints and motion of all bones' }),
				check('at once after every edit', look.get('solve_at_once'), (value) => look.set('solve_at_once', value))),
			stale && make('p', { class: 'warn' }, 'Edits are not solved yet: weights are provisional.'),
			solved && make('div', {}, row('Solved', make('span', {}, parts.length ? parts.join(', ') : 'nothing to do')), row('Changed', make('span', {}, `${solved.bones_changed ?? 0} bones, ${count_words(solved.vertices_changed ?? 0)} vertices`)),
				Number.isFinite(solved.after?.rms_percent) && row('Error', make('span', { class: 'mono' }, `${number_words(solved.before.rms_percent)} → ${number_words(solved.after.rms_percent)} %`)),
				solved.cpu_seconds !== undefined && row('Took', make('span', { class: 'mono' }, `${Math.round(1000 * solved.cpu_seconds)} ms`)))));
	}

	#fill_constraints() {
		const { session, edits } = this.app, list = session.state.constraints ?? [];
		if (!session.rig?.bone_count) return refill(this.constraints);
		return refill(this.constraints, section(`Constraints${list.length ? ` (${list.length})` : ''}`, list.length === 0 ? make('p', { class: 'empty' }, 'None. Locks, forbidden edges, painted faces are listed here.')
			: make('ul', { class: 'list' }, list.map((one) => make('li', { class: one.on ? '' : 'off' },
				check(short(one.line), one.on, () => edits.relax(one.number), { 'aria-label': `${one.line}: on`, title: one.line }))))));
	}

	#fill_history() {
		const { session } = this.app, { done, undone, first = 0 } = session.state.edits, { past, future, dropped = 0 } = session.history;
		if (!session.state.mesh) return refill(this.history);
		const go = (count) => session.run({ do: 'goto', count });
		const step = (one, number) => make('li', { class: number > past.length ? 'undone step' : 'step' },
			make('button', { type: 'button', class: 'line', onclick: () => session.run({ do: 'goto', step: number }) }, step_words(one)), one.edits > 0 && make('span', { class: 'count' }, `${one.edits} ${one.edits === 1 ? 'edit' : 'edits'}`));
		const is_begun = done.length === first;
		const line = (text, index) => make('li', { class: index >= done.length ? 'undone' : index === done.length - 1 ? 'now' : '' },
			make('button', { type: 'button', class: 'line', title: text, onclick: () => go(index + 1), 'aria-current': index === done.length - 1 ? 'step' : null }, short(text)));
		return refill(this.history, section('History', make('ol', { class: 'list' },
			session.state.from && make('li', { class: 'step' }, make('button', { type: 'button', class: 'line', title: 'this file was opened there', onclick: () => session.back() }, 'the session before')),
			dropped > 0 && make('li', { class: 'none' }, `${dropped} older ${dropped === 1 ? 'step was' : 'steps were'} given up for space`), past.map(step),
			make('li', { class: is_begun ? 'step now' : 'step' }, make('button', { type: 'button', class: 'line', disabled: done.length + undone.length === 0, onclick: () => go(first), 'aria-current': is_begun ? 'step' : null }, step_words(session.state.step))),
			[...done, ...undone].map(line).slice(first), future.map((one, i) => step(one, past.length + 1 + i))), done.length > 0 && make('a', { class: 'plain', href: session.api.url('log'), download: 'edits.txt' }, 'Save as text')));
	}
}

const VERBS = { open: 'opened', rig: 'rigged by', motion: 'motion of' };

/** "opened knight.glb" */
const step_words = (step) => (step ? `${VERBS[step.do] ?? step.do} ${step.words}` : 'as it was opened or rigged');

const short = (line) => (line.length > 46 ? `${line.slice(0, 44)}…` : line);
