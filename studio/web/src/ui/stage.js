/**
 * The scene's toolbar: coloring, what is drawn, how it is skinned; and the hint of the current
 * drag.
 */
import { make, refill } from '../base/dom.js';
import { role_color } from '../view/colors.js';
import { choose, number_words, toggle } from './fields.js';

const COLORINGS = [['materials', 'Materials', 'colors, textures, alpha and normal maps of the file'], ['plain', 'Plain', 'the surface alone'], ['bones', 'Bones', 'every vertex in the mix of its bones\' colors'], ['roles', 'Parts', 'what each bone is in a body, and how sure its joint is'], ['weight', 'Weight', 'the weight of the chosen bone'],
	['error', 'Error', 'the distance to the input in this frame']];
const TOGGLES = [['wire', 'Wire', 'Z: edges of the surface'], ['xray', 'X-ray', 'alt Z: see-through surface'], ['bones', 'Skeleton', 'B: bones'], ['in_front', 'In front', 'bones in front of the surface'],
	['axes', 'Axes', 'axes of the joints'], ['ranges', 'Limits', 'limits of the chosen joint'], ['grid', 'Grid', 'the ground']];

export class Stage {
	constructor(app, host) {
		const { look } = app;
		this.app = app;
		this.coloring = choose('Coloring', COLORINGS, app.looks.coloring(look.get('coloring')), (value) => look.set('coloring', value));
		app.looks.on('looks', () => this.#show_coloring());
		this.#show_coloring();
		this.blend = choose('Skinning', [['linear', 'LBS', 'linear blending, as most programs do'], ['dual', 'DQS', 'dual quaternions: joints keep their thickness']], look.get('dual') ? 'dual' : 'linear', (value) => look.set('dual', value === 'dual'));
		const toggles = TOGGLES.map(([name, words, title]) => {
			const one = toggle(words, look.get(name), (value) => look.set(name, value), { title });
			look.on('look', (changed) => changed === name && one.show(look.get(name)));
			return one;
		});
		look.on('look', (name) => {
			if (name === 'coloring') this.#show_coloring();
			if (name === 'dual') this.blend.show(look.get('dual') ? 'dual' : 'linear');
		});
		this.legend = make('div', { class: 'legend', hidden: true });
		app.session.on('rig', () => this.show_scale());
		for (const one of [look, app.selection]) for (const topic of ['look', 'selection']) one.on(topic, () => this.show_scale());
		this.words = make('div', { class: 'drag', hidden: true, role: 'status' });
		this.empty = make('div', { class: 'welcome' }, make('h2', {}, 'Drop a mesh, poses or a rig here'),
			make('p', {}, 'One mesh; or a rest pose and its example poses; or an animation; or a rig to view and correct.'),
			make('button', { type: 'button', class: 'first', onclick: () => app.acts.choose_files() }, 'Open files…'), this.formats = make('p', { class: 'formats' }));
		app.about.then(({ formats }) => { this.formats.textContent = formats.read.map(({ title }) => title).join('  ·  '); });
		host.append(make('div', { class: 'stage-head', role: 'toolbar', 'aria-label': 'View' }, this.coloring, make('div', { class: 'toggles' }, toggles), this.blend), this.legend, this.words, this.empty);
		const show_empty = () => { this.empty.hidden = app.session.state.mesh !== null; };
		app.session.on('state', show_empty);
		show_empty();
		this.show_scale();
		app.hand.on('drag', (drag) => {
			this.words.hidden = drag === null;
			this.words.textContent = drag ? drag.text : '';
			app.foot.hint(drag ? drag.hint : null);
		});
	}

	/** files without looks have no choice of materials */
	#show_coloring() {
		const { look, looks } = this.app;
		this.coloring.querySelector('[data-value=materials]').hidden = !looks.are_there;
		this.coloring.show(looks.coloring(look.get('coloring')));
	}

	/** legend of the colors */
	show_scale() {
		const { look, selection, beside, session } = this.app, kind = look.get('coloring'), name = selection.active_bone?.name;
		this.legend.hidden = !['weight', 'error', 'roles'].includes(kind) || !session.rig;
		if (kind === 'weight') refill(this.legend, make('span', {}, name ? `weight of ${name}` : 'choose a bone'), make('span', { class: 'ramp heat', 'aria-hidden': 'true' }), make('span', { class: 'ends' }, make('span', {}, '0'), make('span', {}, '1')));
		if (kind === 'roles') refill(this.legend, ...role_rows(session.rig));
		if (kind === 'error') {
			const most = beside.largest, { input, mesh } = session.state;
			refill(this.legend, make('span', {}, input ? 'distance to the input' : 'no input to compare with'), input && make('span', { class: 'ramp alarm', 'aria-hidden': 'true' }),
				input && make('span', { class: 'ends' }, make('span', {}, '0'), make('span', {}, most > 0 ? `${number_words(100 * most / mesh.diagonal)} % of the diagonal` : '')));
		}
	}
}

/** each part and side once, in the order of the parts */
function role_rows(rig) {
	const rows = new Map();
	for (const { role } of rig?.bones ?? []) {
		const key = role ? `${String(role.part_number).padStart(3, '0')} ${[2, 0, 1][role.side + 1]}` : 'none';
		if (!rows.has(key)) rows.set(key, role);
	}
	const doubts = rig?.bones.some(({ deviation = 0 }) => deviation > 0) ? [make('span', {}, 'red balls: how unsure joints are')] : [];
	return [...[...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, role]) => {
		const swatch = make('span', { class: 'swatch', 'aria-hidden': 'true' });
		swatch.style.backgroundColor = `rgb(${role_color(role).map((x) => Math.round(255 * x)).join(' ')})`;
		return make('span', { class: 'part-row' }, swatch, role ? role.words.replace(/( \d+, bone)? \d+$/, '') : 'no part known');
	}), ...doubts];
}
