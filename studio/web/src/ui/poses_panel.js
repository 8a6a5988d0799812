/** The panel Poses: poses that are kept with the session, random ones, IK's settings. */
import { make, refill } from '../base/dom.js';
import { Pose, random_pose } from '../rig/pose.js';
import { button, check, number_field, section } from './fields.js';
import { ask_text } from './dialog.js';

export class PosesPanel {
	constructor(app, host) {
		this.app = app;
		this.host = host;
		this.list = make('ul', { class: 'list poses' });
		this.strength = 0.6;
		const chain = number_field('Chain', app.look.get('chain'), (value) => app.look.set('chain', Math.round(value)), { step: 1, digits: 0, unit: 'bones', minimum: 1, maximum: 50 });
		app.look.on('look', (name) => name === 'chain' && chain.show(app.look.get('chain')));
		host.append(
			section('Pose', make('div', { class: 'buttons' }, button('Keep this pose', () => this.keep(), { class: 'first', title: 'K' }), button('Reset all', () => this.app.posing.rig && app.posing.reset(), { title: 'alt shift R' })),
				check('within limits', app.look.get('keep_limits'), (value) => app.look.set('keep_limits', value))),
			section('Library', this.list),
			section('Random', number_field('Strength', 100 * this.strength, (value) => { this.strength = value / 100; }, { step: 10, digits: 0, unit: '% of the limits', minimum: 1, maximum: 100 }),
				make('div', { class: 'buttons' }, button('Random pose', () => this.random(), { title: 'shift R' }))),
			section('Pull (IK)', chain, make('p', { class: 'empty' }, 'G pulls the end of the chosen bone; this many bones follow.')));
		app.library.on('poses', () => this.fill());
		app.session.on('rig', () => this.fill());
		this.fill();
	}

	fill() {
		if (this.host.hidden) return;
		const { library, posing } = this.app, { poses } = library;
		if (poses.length === 0) return refill(this.list, make('li', { class: 'none' }, 'Empty. Poses that you keep stay with this session.'));
		return refill(this.list, poses.map((pose, i) => make('li', {},
			make('button', { type: 'button', class: 'line', onclick: () => posing.rig && posing.change(Pose.of_names(posing.rig, pose)) }, pose.name),
			button('Rename', async () => { const name = await ask_text('Rename the pose', 'Name', pose.name); if (name) library.rename(i, name); }, { class: 'small' }),
			button('×', () => library.remove(i), { class: 'small', 'aria-label': `Remove ${pose.name}` }))));
	}

	async keep() {
		const { posing, library } = this.app;
		if (!posing.rig) return;
		const name = await ask_text('Keep this pose', 'Name', library.free_name);
		if (name) library.add({ name, ...posing.pose.by_name(posing.rig) });
	}

	random() {
		const { posing } = this.app;
		if (posing.rig?.bone_count) posing.change(random_pose(posing.rig, this.strength));
	}
}
