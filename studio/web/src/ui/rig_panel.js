/**
 * The panel Rig: files, methods with all their options from the library's tables, running one. Only
 * changed options are sent.
 */
import { in_quotes, make, refill, with_code } from '../base/dom.js';
import { body_part } from './body_part.js';
import { button, count_words, row, section } from './fields.js';

const words_of = (name) => name.replaceAll('-', ' ');

export class RigPanel {
	constructor(app, host) {
		this.app = app;
		this.host = host;
		this.method = 'auto';
		this.changed = new Map(); // of each method: option -> text
		this.word = '';
		this.shows_more = false;
		app.about.then(() => this.fill());
		app.session.on('state', () => this.fill());
		app.session.on('busy', () => this.#show_busy());
		app.mode.on('mode', () => this.fill());
		this.fill();
	}

	fill() {
		if (this.host.hidden) return;
		const { state } = this.app.session, { about } = this;
		this.app.about.then((about) => { if (this.about !== about) { this.about = about; this.fill(); } });
		if (!about) return;
		const typed = document.activeElement?.closest?.('.options') && this.host.contains(document.activeElement);
		if (typed) return;
		this.methods = about.methods ?? [];
		if (!this.methods.some(({ name }) => name === this.method)) this.method = this.methods[0]?.name ?? 'auto';
		refill(this.host, this.#files(state), state.mesh && this.#method_part(state), state.mesh && body_part(this.app, this.#bodies), state.mesh && this.#options_part());
		this.#show_busy();
	}

	#files(state) {
		const { acts } = this.app;
		return section('Input', state.files.length === 0 ? make('p', { class: 'empty' }, 'Nothing is open.') : make('p', { class: 'names', title: state.files.join('\n') }, names_of(state.files)),
			state.files.length > 1 && row('At rest', this.#rest_field(state.files)),
			(state.animations ?? []).length > 1 && row('Motion', this.#motion_field(state)),
			state.input && row('Frames', make('span', {}, `${state.input.frames}`)),
			state.mesh && row('Surface', make('span', {}, `${count_words(state.mesh.faces)} faces${state.mesh.pieces > 1 ? ` in ${state.mesh.pieces} pieces` : ''}`)),
			make('div', { class: 'buttons' }, button('Open…', () => acts.choose_files(), { title: 'ctrl O' })));
	}

	/** another file can be the rest pose */
	#rest_field(files) {
		const field = make('select', { 'aria-label': 'The file at rest', title: 'the mesh at rest; the others are its poses or its motion', onchange: () => this.app.session.run({ do: 'open', files: [field.value, ...files.filter((name) => name !== field.value)] }) },
			files.map((name, i) => make('option', { value: name, selected: i === 0 }, name)));
		return field;
	}

	/** which of the file's animations is rigged by: the others stay motions of a rig */
	#motion_field({ animations, input, files }) {
		const now = animations.findIndex(({ name }) => name === input?.motion);
		const field = make('select', { 'aria-label': 'The motion to rig by', title: 'the file is opened with this animation as its input; ctrl Z takes it back', onchange: () => this.app.session.run({ do: 'open', files, options: { clip: String(Number(field.value) + 1) } }) },
			now < 0 && make('option', { value: -1, selected: true, disabled: true }, 'none'),
			animations.map(({ name }, i) => make('option', { value: i, selected: i === now }, name || `animation ${i + 1}`)));
		return field;
	}

	#method_part(state) {
		const about = this.methods.find(({ name }) => name === this.method);
		const select = make('select', { 'aria-label': 'Method', onchange: () => { this.method = select.value; this.fill(); this.host.querySelector('select')?.focus(); } },
			this.methods.map((one) => make('option', { value: one.name, selected: one.name === this.method, disabled: one.still === false && !state.input }, one.title ?? one.name)));
		this.run = button(state.rig ? 'Rig again' : 'Rig', () => this.#run(), { class: 'first wide' });
		return section('Method', select, about?.help && make('p', { class: 'empty' }, with_code(about.help)), this.run,
			state.method && state.rig && row('Made by', make('span', {}, state.method)), state.reason && make('p', { class: 'empty' }, state.reason));
	}

	/** the bodies that a method knows */
	get #bodies() {
		for (const { options } of this.methods) {
			const body = options.find(({ name }) => name === 'body');
			if (body) return body.choices;
		}
		return [];
	}

	get #values() {
		if (!this.changed.has(this.method)) this.changed.set(this.method, new Map());
		return this.changed.get(this.method);
	}

	#options_part() {
		const table = this.methods.find(({ name }) => name === this.method)?.options ?? [], values = this.#values;
		if (table.length === 0) return null;
		const list = make('div', { class: 'options' });
		const rows = (options) => options.map((option) => option_row(option, values, show_count));
		const more = (options) => make('details', { class: 'more', open: this.shows_more, ontoggle: (event) => { this.shows_more = event.target.open; } }, make('summary', {}, `More (${options.length})`), grouped(options, rows));
		const found = () => table.filter(({ name, help }) => `${name} ${help}`.toLowerCase().includes(this.word));
		// those that most people need, the rest folded; search shows all matches
		const show = () => {
			const other = table.filter(({ common }) => common === false);
			if (this.word !== '') refill(list, ...rows(found()));
			else refill(list, ...rows(table.filter(({ common }) => common !== false)), other.length > 0 && more(other));
		};
		const title = make('h3', {}), reset = button('Reset', () => { values.clear(); show(); show_count(); }, { class: 'small' });
		const show_count = () => {
			title.textContent = values.size > 0 ? `Options, ${values.size} changed` : 'Options';
			reset.disabled = values.size === 0;
		};
		show_count();
		show();
		return make('section', { class: 'part' }, make('div', { class: 'head' }, title, reset),
			make('input', { type: 'search', placeholder: 'Find an option', 'aria-label': 'Find an option', value: this.word, oninput: (event) => { this.word = event.target.value.toLowerCase(); show(); } }), list);
	}

	#run() { return this.app.session.run({ do: 'rig', method: this.method, options: { ...this.app.plans.kept(this.method), ...Object.fromEntries(this.#values) } }); }

	#show_busy() {
		if (this.run) this.run.disabled = this.app.session.busy !== null;
	}
}

const names_of = (files) => (files.length <= 3 ? files.join(', ') : `${files[0]}, ${files[1]} … ${files.at(-1)} (${files.length})`);

/** Rows under the headings of their groups, in the order in which these come first. */
function grouped(options, rows) {
	const groups = [...new Set(options.map(({ group }) => group))];
	return groups.map((title) => make('div', { class: 'options', role: 'group', 'aria-label': title || 'Other' }, title && make('h4', {}, title), rows(options.filter(({ group }) => group === title))));
}

/** A field of an option; values: name -> text of those that differ from the defaults. */
export function option_row(option, values, changed) {
	const take = (text) => {
		if (text === option.default) values.delete(option.name);
		else values.set(option.name, text);
		box.classList.toggle('changed', values.has(option.name));
		changed();
	};
	const id = `option-${option.name}-${Math.random().toString(36).slice(2, 7)}`, now = values.get(option.name) ?? option.default;
	const title = in_quotes([option.help, option.unit && `Unit: ${option.unit}.`, ['int', 'double'].includes(option.type) && option.minimum !== null && `${option.minimum} to ${option.maximum}.`,
		`Default ${option.default === '' ? 'empty' : option.default}${option.source ? ` [${option.source}]` : ''}`].filter(Boolean).join('\n'));
	const box = make('div', { class: `option ${values.has(option.name) ? 'changed' : ''}`, title }, make('label', { for: id }, words_of(option.name)), option_field(option, id, now, take), option.unit && make('span', { class: 'unit' }, short_unit(option.unit)));
	return box;
}

const short_unit = (unit) => unit.replace(' of the diagonal', '').replace('of the diagonal', '');

function option_field(option, id, now, take) {
	if (option.type === 'bool') {
		const field = make('input', { type: 'checkbox', id, checked: /^(yes|true|1)$/.test(now), onchange: () => take(field.checked ? yes_like(option.default) : no_like(option.default)) });
		return field;
	}
	if (option.type === 'choice') {
		const field = make('select', { id, onchange: () => take(field.value) }, option.choices.map((one) => make('option', { value: one, selected: one === now }, one)));
		return field;
	}
	const field = make('input', { type: 'text', id, value: now, placeholder: option.form ?? '', inputmode: option.type === 'text' || option.choices.length > 0 ? 'text' : 'decimal', autocomplete: 'off', spellcheck: 'false' });
	const words = option.choices.length > 0 && make('datalist', { id: `${id}-words` }, option.choices.map((one) => make('option', { value: one })));
	if (words) field.setAttribute('list', words.id);
	field.addEventListener('change', () => {
		const bad = wrong_number(option, field.value.trim());
		field.setCustomValidity(bad);
		field.setAttribute('aria-invalid', String(bad !== ''));
		if (bad) field.reportValidity();
		else take(field.value.trim() === '' && option.type !== 'text' ? (field.value = option.default) : field.value.trim());
	});
	return words ? make('span', { class: 'with-words' }, field, words) : field;
}

const yes_like = (word) => (/^[01]$/.test(word) ? '1' : /^(true|false)$/.test(word) ? 'true' : 'yes');
const no_like = (word) => (/^[01]$/.test(word) ? '0' : /^(true|false)$/.test(word) ? 'false' : 'no');

function wrong_number(option, text) {
	if (text === '' || option.choices.includes(text) || !['int', 'double'].includes(option.type)) return '';
	const value = Number(text);
	if (!Number.isFinite(value) || (option.type === 'int' && !Number.isInteger(value))) return option.type === 'int' ? 'A whole number is wanted.' : 'A number is wanted.';
	const { minimum, maximum } = option;
	return (minimum !== null && value < minimum) || (maximum !== null && value > maximum) ? `From ${minimum} to ${maximum}.` : '';
}
