/**
 * The time below the scene: play, the frame as a number, error per frame as a plot that seeks, the
 * input beside or over the rig.
 */
import { make, refill } from '../base/dom.js';
import { button, choose, number_field, toggle } from './fields.js';
import { FramePlot } from './plot.js';

export class Timeline {
	constructor(app, host) {
		const { player, look } = app;
		this.app = app;
		this.host = host;
		this.play = button('Play', () => player.toggle(), { title: 'space', class: 'play' });
		this.field = number_field('Frame', 1, (value) => { player.stop(); player.go(Math.round(value) - 1); }, { step: 1, digits: 0, minimum: 1 });
		this.of = make('span', { class: 'count' });
		this.clip = make('select', { class: 'clip', 'aria-label': 'Motion that plays', title: 'the motion that plays', onchange: () => app.session.choose_clip(Number(this.clip.value)) });
		this.beside = choose('Beside the rig', [['none', 'Rig alone', ''], ['before', 'Before', 'V: the rig as it was opened, in the same pose'], ['input', 'Input', 'the input\'s frame beside the rig\'s replay'], ['source', 'Source', 'the body that this motion was carried from'], ['stages', 'Stages', 'what the published contraction leaves of the shape, step by step']], 'none', (value) => look.set('beside', value));
		this.over = toggle('Overlay input', false, (value) => look.set('overlay', value), { title: 'shift V: the input\'s frame over the rig' });
		this.loop = toggle('Loop', look.get('loop'), (value) => look.set('loop', value));
		this.speed = number_field('Speed', look.get('speed'), (value) => look.set('speed', value), { step: 0.25, digits: 2, unit: '×', minimum: 0.05, maximum: 8 });
		this.plot = new FramePlot((frame) => { player.stop(); player.go(frame); });
		this.row = make('div', { class: 'time-row', role: 'toolbar', 'aria-label': 'Playing' }, this.play, button('‹', () => player.step(-1), { 'aria-label': 'Previous frame', title: '←', class: 'step' }), button('›', () => player.step(1), { 'aria-label': 'Next frame', title: '→', class: 'step' }),
			this.clip, this.field, this.of, this.loop, this.speed, make('span', { class: 'gap' }), this.over, this.beside);
		host.append(this.row, this.plot.element);
		player.on('frame', (frame) => this.#show_frame(frame));
		player.on('play', (playing) => { this.play.textContent = playing ? 'Pause' : 'Play'; });
		look.on('look', (name) => {
			if (name === 'beside') this.beside.show(look.get('beside'));
			if (name === 'overlay') this.over.show(look.get('overlay'));
			if (name === 'loop') this.loop.show(look.get('loop'));
		});
		app.posing.on('pose', () => this.#show_count());
		for (const topic of ['rig', 'state', 'clip']) app.session.on(topic, () => this.#fill());
		this.#fill();
	}

	/** Reserves the space of the timeline before there is one. */
	static make_room(host, { session, player }) {
		host.hidden = session.state.mesh === null;
		host.classList.toggle('still', player.count < 2);
	}

	#fill() {
		const { player, session } = this.app, { report, input } = session.state, { count } = player;
		Timeline.make_room(this.host, this.app);
		for (const part of [this.play, this.field, this.of, this.loop, this.speed, ...this.row.querySelectorAll('.step')]) part.hidden = count < 2;
		const can_compare = Boolean(input) && session.clip === 0;
		this.over.hidden = !can_compare;
		this.beside.querySelector('[data-value=input]').hidden = !can_compare;
		this.beside.querySelector('[data-value=source]').hidden = !session.carried;
		this.beside.querySelector('[data-value=before]').hidden = !session.state.rig;
		this.plot.element.hidden = count < 2;
		this.#show_count();
		this.#fill_clips();
		const errors = report?.frame_errors ?? [], peaks = report?.frame_largest ?? [];
		this.plot.set_values(count, can_compare && errors.length === count ? errors : [], can_compare && peaks.length === count ? peaks : [], '%');
		this.#show_frame(player.frame);
	}

	/** the rig's motions, or the one of the input */
	#fill_clips() {
		const { state, clip } = this.app.session, clips = state.rig?.clips ?? (state.input ? [{ name: state.input.motion }] : []);
		const key = clips.map(({ name }) => name).join('\n');
		if (this.clips !== key) refill(this.clip, clips.map(({ name }, i) => make('option', { value: i }, name || `motion ${i + 1}`)));
		this.clips = key;
		this.clip.value = String(state.rig ? clip : 0);
		this.clip.disabled = clips.length < 2;
		this.clip.hidden = clips.length === 0 || this.app.player.count < 2;
	}

	/** a rig at rest is in no frame */
	#show_count() {
		const { player, posing, session } = this.app;
		this.of.textContent = `of ${player.count}${session.rig?.bone_count > 0 && posing.is_at_rest ? ', at rest' : ''}`;
	}

	#show_frame(frame) {
		this.field.show(Math.round(frame) + 1);
		this.plot.set_frame(frame);
	}
}
