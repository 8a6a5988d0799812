/** The bar above: what is open, undo, modes, theme, help. */
import { make } from '../base/dom.js';
import { button, choose, count_words } from './fields.js';

export class Bar {
	constructor(app, host) {
		const { acts, look, posing, session } = app;
		this.app = app;
		this.title = make('button', { type: 'button', class: 'title', title: 'sessions on this machine', onclick: () => acts.sessions() });
		this.undo = button('Undo', () => acts.undo(), { title: 'ctrl Z' });
		this.redo = button('Redo', () => posing.redo(), { title: 'ctrl shift Z' });
		this.file = make('input', { type: 'file', multiple: true, hidden: true, 'aria-hidden': 'true', tabindex: '-1', onchange: () => { acts.open([...this.file.files]); this.file.value = ''; } });
		this.modes = choose('Mode', [['pose', 'Pose', '1: turn bones; nothing is changed'], ['edit', 'Edit', '2: change the skeleton'], ['paint', 'Paint', '3: faces that belong to a bone']],
			app.mode.name, (name) => app.mode.set(name));
		app.mode.on('mode', (name) => this.modes.show(name));
		this.theme = choose('Theme', [['system', 'Auto', 'as the system'], ['light', 'Light', ''], ['dark', 'Dark', '']], look.get('theme'), (value) => look.set('theme', value));
		look.on('look', (name) => name === 'theme' && this.theme.show(look.get('theme')));
		host.append(make('strong', { class: 'brand' }, 'ossa'), button('Open…', () => acts.choose_files(), { title: 'ctrl O; or drop files anywhere' }), this.file, this.title,
			make('span', { class: 'gap' }), this.modes, make('span', { class: 'gap' }), make('div', { class: 'buttons joined' }, this.undo, this.redo), this.theme,
			button('?', () => acts.help(), { class: 'round', 'aria-label': 'Keys and help', title: '?' }));
		const show = () => this.#show();
		session.on('state', show);
		for (const topic of ['pose', 'steps']) posing.on(topic, show);
		this.#show();
	}

	#show() {
		const { session, posing } = this.app, { state } = session;
		this.title.textContent = state.mesh ? `${state.title || state.files[0] || 'untitled'}  ·  ${count_words(state.mesh.faces)} faces` : 'nothing open';
		document.title = state.mesh ? `${state.title || state.files[0] || 'untitled'} – ossa studio` : 'ossa studio';
		this.undo.disabled = !posing.can_undo;
		this.redo.disabled = !posing.can_redo;
	}
}
