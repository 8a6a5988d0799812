/** The stage of the contraction that is shown beside the rig, as a slider over the scene. */
import { make } from '../base/dom.js';
import { button } from './fields.js';

export class StagesBar {
	constructor(app, host) {
		const { stages, look } = app;
		this.app = app;
		this.slider = make('input', { type: 'range', min: 0, step: 1, value: 0, 'aria-label': 'Stage of the contraction', oninput: () => stages.show(Number(this.slider.value)) });
		this.words = make('output', { class: 'words' });
		this.element = make('div', { class: 'stages-bar', role: 'group', 'aria-label': 'Stages of the contraction', hidden: true },
			button('‹', () => stages.show(stages.at - 1), { 'aria-label': 'Previous stage', class: 'small' }), this.slider, button('›', () => stages.show(stages.at + 1), { 'aria-label': 'Next stage', class: 'small' }), this.words);
		host.append(this.element);
		stages.on('stage', () => this.#fill());
		look.on('look', (name) => name === 'beside' && this.#fill());
		app.session.on('state', () => this.#fill());
	}

	#fill() {
		const { stages, look } = this.app;
		this.element.hidden = look.get('beside') !== 'stages' || stages.count === 0;
		this.slider.max = Math.max(0, stages.count - 1);
		this.slider.value = stages.at;
		this.slider.setAttribute('aria-valuetext', stages.words);
		this.words.textContent = stages.words;
	}
}
