/**
 * The panel Motion: the motions of the rig, carrying those of another body onto it, and how well
 * they came over.
 */
import { make, refill } from '../base/dom.js';
import { button, number_words, row, section } from './fields.js';
import { option_row } from './rig_panel.js';

export class MotionPanel {
	constructor(app, host) {
		this.app = app;
		this.host = host;
		this.values = new Map(); // options of matching that were changed
		this.is_open = this.shows_bones = false;
		this.map = null; // {name, value}: which bones are which
		this.map_file = make('input', { type: 'file', accept: '.json', hidden: true, 'aria-label': 'File of a map', tabindex: '-1', onchange: () => { this.#take_map(this.map_file.files[0]); this.map_file.value = ''; } });
		this.file = make('input', { type: 'file', hidden: true, 'aria-label': 'File with a motion', tabindex: '-1', onchange: () => { this.#carry(this.file.files[0]); this.file.value = ''; } });
		app.about.then((about) => { this.about = about; this.fill(); });
		for (const topic of ['state', 'clip']) app.session.on(topic, () => this.fill());
		app.session.on('busy', () => { if (this.begin) this.begin.disabled = app.session.busy !== null; });
		this.fill();
	}

	fill() {
		if (this.host.hidden) return undefined;
		const { state } = this.app.session;
		if (!state.mesh) return refill(this.host, make('p', { class: 'empty inside' }, 'Nothing is open.'));
		refill(this.host, state.rig ? this.#clips(state.rig.clips ?? []) : this.#animations(state), this.#carrying(state), this.#quality());
		this.host.querySelector('.clips .now')?.scrollIntoView({ block: 'nearest' });
		return undefined;
	}

	/** what plays, of this page alone */
	#clips(clips) {
		const { session, player } = this.app;
		const line = (clip, number) => make('li', { class: number === session.clip ? 'now' : '' },
			make('button', { type: 'button', class: 'line', 'aria-current': number === session.clip ? 'true' : null, onclick: () => session.choose_clip(number).then(() => player.go(player.frame)) }, clip.name || `motion ${number + 1}`),
			make('span', { class: 'count' }, `${clip.frames} frames  ·  ${number_words(clip.seconds)} s`));
		return section(clips.length > 0 ? `Motions (${clips.length})` : 'Motions', clips.length === 0 ? make('p', { class: 'empty' }, 'None. Carry one from another body, or keep poses and export them.')
			: make('ul', { class: 'list clips', 'aria-label': 'Motions of the rig' }, clips.map(line)));
	}

	/** those of the file, of which a mesh without a rig shows one */
	#animations({ animations = [], input }) {
		return section('Motions', animations.length === 0 ? make('p', { class: 'empty' }, input ? 'The poses that were opened.' : 'None.') : make('p', { class: 'empty' }, `${animations.length} in the file: the panel Rig chooses the one to rig by.`));
	}

	#carrying(state) {
		const table = this.about?.options.match ?? [];
		this.begin = button('Carry a motion…', () => this.file.click(), { class: 'first wide', disabled: !state.rig || this.app.session.busy !== null, title: 'from BVH, glTF, FBX or Collada: bones are matched by what they are in a body, whatever they are called' });
		const options = make('details', { open: this.is_open, ontoggle: (event) => { this.is_open = event.target.open; } }, make('summary', {}, 'Matching'), make('div', { class: 'options' }, table.map((option) => option_row(option, this.values, () => {}))));
		options.append(make('div', { class: 'row' }, make('span', { class: 'label' }, 'Map'), this.map ? make('span', {}, this.map.name, ' ', button('×', () => { this.map = null; this.fill(); }, { class: 'small', 'aria-label': 'Without the map' }))
			: button('Choose…', () => this.map_file.click(), { class: 'small', title: 'JSON that says what bones are, or which follow which, where they are matched wrongly: docs/motion.md' })), this.map_file);
		return section('From another body', this.begin, this.file, !state.rig && make('p', { class: 'empty' }, 'Rig the mesh first.'), table.length > 0 && options);
	}

	#carry(file) {
		if (file) this.app.session.carry(file, Object.fromEntries(this.values), this.map?.value ?? null);
	}

	async #take_map(file) {
		if (!file) return;
		try {
			this.map = { name: file.name, value: JSON.parse(await file.text()) };
		} catch {
			this.app.notices.show('bad', `${file.name} is no JSON.`, { key: 'map' });
		}
		this.fill();
	}

	/** which bone follows which, those that keep their rest first */
	#bones({ pairs, left, unused }) {
		const line = (name, words) => make('tr', {}, make('th', { scope: 'row' }, name), make('td', {}, words));
		return make('details', { class: 'bones', open: this.shows_bones, ontoggle: (event) => { this.shows_bones = event.target.open; } }, make('summary', {}, 'Bone by bone'),
			make('table', { class: 'numbers pairs', 'aria-label': 'Which bones follow which' }, make('thead', {}, make('tr', {}, make('th', { scope: 'col' }, 'rig'), make('th', { scope: 'col' }, 'follows'))),
				make('tbody', {}, left.map((name) => line(name, 'nothing: it keeps its rest')), pairs.map(([name, other]) => line(name, other)))),
			unused.length > 0 && make('p', { class: 'empty' }, `Of the motion nothing follows ${unused.join(', ')}.`), make('p', { class: 'empty' }, 'Where one is wrong, a map under Matching says which follows which.'));
	}

	#quality() {
		const { carried } = this.app.session;
		if (!carried) return null;
		const { retarget: facts, count, file, bones } = carried.motion;
		return [section('Matched', make('p', { class: 'names' }, file), row('By', make('span', {}, facts.match === 'roles' ? 'what bones are in a body' : 'names')),
			facts.match === 'roles' && row('Bones of', make('span', {}, `rig by ${facts.rig_names}, motion by ${facts.source_names}`)),
			row('Follow', make('span', { class: 'mono' }, `${facts.matched} bones`)), row('Keep their rest', make('span', { class: 'mono' }, `${facts.unmatched}`)),
			facts.source_unused > 0 && row('Not used', make('span', { class: 'mono' }, `${facts.source_unused} of the motion`)), bones && this.#bones(bones),
			row('', button(this.app.look.get('beside') === 'source' ? 'Rig alone' : 'Source beside it', () => { const { look } = this.app; look.set('beside', look.get('beside') === 'source' ? 'none' : 'source'); this.fill(); }))),
		facts.segments && section(count > 1 ? `How it came over (worst of ${count})` : 'How it came over', ...feet_rows(facts), segment_table(facts))];
	}
}

const percent = (x) => (Number.isFinite(x) ? `${Number(x.toFixed(1))} %` : '–');

function feet_rows(facts) {
	const of_source = (mine, theirs) => make('span', { class: 'mono' }, mine, make('span', { class: 'count' }, `  source ${theirs}`));
	return [row('Legs, path', make('span', { class: 'mono' }, `× ${number_words(facts.scale)}, × ${number_words(facts.stride)}`)),
		row('Steps kept', make('span', { class: 'mono' }, `${facts.steps_kept} of ${facts.steps}`)),
		row('Lowest point', of_source(percent(facts.lowest_percent), percent(facts.source_lowest_percent))),
		row('Sliding', of_source(number_words(facts.slide, 2), `${number_words(facts.source_slide, 2)} legs/s`)),
		facts.limited_frames > 0 && row('Limits', make('span', {}, `stopped joints in ${facts.limited_frames} frames`))];
}

/** degrees between the directions of the limbs */
function segment_table(facts) {
	const line = ({ segment, mean, p95, rest }, is_all = false) => make('tr', { class: is_all ? 'all' : '' }, make('th', { scope: 'row' }, segment), ...[mean, p95, rest].map((x) => make('td', { class: 'mono' }, x === undefined ? '' : x.toFixed(1))));
	return make('table', { class: 'numbers segments', title: 'degrees between the directions of rig and source, each against its own body' },
		make('thead', {}, make('tr', {}, make('th', { scope: 'col' }, 'degrees off'), ...['mean', '95 %', 'at rest'].map((words) => make('th', { scope: 'col' }, words)))),
		make('tbody', {}, facts.segments.map((one) => line(one)), line({ segment: 'all', mean: facts.mean_degrees, p95: facts.p95_degrees }, true)));
}
