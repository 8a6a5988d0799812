/**
 * The panel Export: for which program, every format, which motion, names and rest pose, other
 * options, what the file will not hold, and the written files.
 */
import { make, refill } from '../base/dom.js';
import { Pose } from '../rig/pose.js';
import { left_out } from '../work/left_out.js';
import { button, number_field, row, section } from './fields.js';
import { option_row } from './rig_panel.js';

// options of the first section; others are folded
const FIRST = ['names', 'rest-pose', 'root-motion', 'loop'];

export class ExportPanel {
	constructor(app, host) {
		this.app = app;
		this.host = host;
		this.format = 'glb';
		this.target = 'any';
		this.values = new Map();
		this.name = '';
		this.is_open = false;
		this.wanted = null; // the motion that was chosen, null for none yet
		this.motion = 'all';
		this.seconds = 1; // between poses
		app.library.on('poses', () => this.fill());
		app.about.then((about) => { this.about = about; this.fill(); });
		for (const topic of ['state', 'clip']) app.session.on(topic, () => this.fill());
		app.session.on('busy', () => { if (this.write) this.write.disabled = app.session.busy !== null; });
	}

	fill() {
		if (this.host.hidden) return undefined;
		const { state } = this.app.session, { about } = this;
		if (!about || !state.mesh) return refill(this.host, make('p', { class: 'empty inside' }, 'Nothing is open.'));
		if (this.host.contains(document.activeElement) && document.activeElement.matches('input[type=text]')) return this.#fill_files();
		const { shape = [], write = [] } = about.options, options = [...shape.filter(({ name }) => name !== 'for'), ...write];
		this.files = make('div');
		this.missing = make('ul', { class: 'left-out', 'aria-label': 'What the file will not hold' });
		this.write = button('Export', () => this.#write(), { class: 'first wide', disabled: this.app.session.busy !== null });
		refill(this.host, section('File', ...this.#file_part(state), state.rig && this.#motion_part(state)),
			state.rig && section('Rig', make('div', { class: 'options' }, FIRST.map((name) => options.find((one) => one.name === name)).filter(Boolean).map((one) => this.#row(one)))),
			make('section', { class: 'part' }, this.missing, this.write), this.#others(options.filter(({ name }) => !state.rig || !FIRST.includes(name))), this.files);
		this.#show_missing();
		return this.#fill_files();
	}

	get #target() { return this.about.targets?.find(({ name }) => name === this.target) ?? null; }

	/** the formats that hold something of what is open, by their endings */
	get #endings() {
		const { state } = this.app.session;
		const formats = this.about.formats.write.filter((one) => (state.rig ? one.rig || one.mesh || one.frames : one.mesh || (one.frames && state.input)));
		return formats.flatMap((one) => one.endings.map((ending) => [ending.replace(/^[.]/, ''), one]));
	}

	#file_part(state) {
		const endings = this.#endings, reads = this.#target?.formats.split('|');
		if (!endings.some(([ending]) => ending === this.format)) this.format = endings[0][0];
		const targets = make('select', { 'aria-label': 'For which program', title: 'sets names, axes, unit, joint frames and format as this program expects them', onchange: () => this.#choose_target(targets.value) },
			make('option', { value: 'any', selected: this.target === 'any' }, 'any program'), (this.about.targets ?? []).map(({ name, title }) => make('option', { value: name, selected: name === this.target }, title)));
		const field = make('input', { type: 'text', value: this.#stem, 'aria-label': 'Name of the file', oninput: () => { this.name = field.value.trim(); } });
		const what = (one) => (state.rig && !one.rig ? one.frames ? ' (frames)' : ' (mesh)' : '');
		const select = make('select', { 'aria-label': 'Format', onchange: () => { this.format = select.value; this.#show_missing(); } },
			endings.map(([ending, one]) => make('option', { value: ending, selected: ending === this.format }, `.${ending}  –  ${one.title}${what(one)}${reads && !reads.includes(one.name) ? ', not read there' : ''}`)));
		return [row('For', targets), this.#target && make('p', { class: 'empty' }, target_words(this.#target)), make('div', { class: 'file-name' }, field), select];
	}

	#choose_target(name) {
		this.target = name;
		const endings = this.#endings.map(([ending]) => ending), best = this.#target?.endings.split('|').map((ending) => ending.replace(/^[.]/, '')).find((ending) => endings.includes(ending));
		if (best) this.format = best;
		this.fill();
		this.host.querySelector('select')?.focus();
	}

	get #stem() { return this.name || (this.app.session.state.title || 'rig').replace(/\.[^.]*$/, ''); }

	/** the motion in the file: the rig's own, or poses made here */
	#motion_part(state) {
		const { library, session } = this.app, clips = state.rig.clips ?? [], count = library.poses.length;
		const motions = [clips.length > 1 && ['all', `all ${clips.length} motions`], ...clips.map(({ name, frames }, i) => [`clip ${i}`, `${name || `motion ${i + 1}`}: ${frames} frames`]),
			count > 0 && ['library', `the library: ${count} ${count === 1 ? 'pose' : 'poses'}`], ['screen', 'the pose on the screen'], clips.length === 0 && ['none', 'none']].filter(Boolean);
		const first = clips.length > 1 ? 'all' : clips.length === 1 ? 'clip 0' : count > 0 ? 'library' : 'none';
		this.motion = motions.some(([name]) => name === this.wanted) ? this.wanted : first;
		const apart = number_field('Apart', this.seconds, (value) => { this.seconds = value; }, { step: 0.25, digits: 2, unit: 'seconds', minimum: 0.01, maximum: 60 });
		const select = make('select', { 'aria-label': 'Motion', title: 'poses are kept in the panel Poses', onchange: () => { this.motion = this.wanted = select.value; apart.hidden = this.motion !== 'library'; this.#show_missing(); } },
			motions.map(([name, words]) => make('option', { value: name, selected: name === this.motion }, `${words}${name === `clip ${session.clip}` && clips.length > 1 ? ' (plays now)' : ''}`)));
		apart.hidden = this.motion !== 'library';
		return [row('Motion', select), apart];
	}

	/** what is sent about the motion */
	get #motion() {
		const { posing, library, session } = this.app, as_json = ({ rotations, root }) => ({ rotations, root });
		if (!session.state.rig || ['none', 'all'].includes(this.motion)) return {};
		if (this.motion.startsWith('clip ')) return { clip: Number(this.motion.slice(5)) };
		// in the mode Edit the pose waits
		const shown = posing.held ? Pose.of_names(posing.rig, posing.held) : posing.pose;
		const poses = this.motion === 'screen' ? [shown] : library.poses.map((pose) => Pose.of_names(posing.rig, pose));
		return { poses: poses.map(as_json), seconds: this.seconds };
	}

	/** what the chosen program wants is the option's default here */
	#row(option) {
		const names = option.name === 'names' && this.#target?.names > 0 ? option.choices[this.#target.names + 1] : null;
		// frames as rest poses are for the command
		const shown = option.name === 'rest-pose' ? { ...option, type: 'choice' } : option;
		return option_row(names ? { ...shown, default: names } : shown, this.values, () => { this.#show_count(); this.#show_missing(); });
	}

	#others(table) {
		this.summary = make('summary', {});
		this.#show_count();
		return make('details', { class: 'part', open: this.is_open, ontoggle: (event) => { this.is_open = event.target.open; } }, this.summary, make('div', { class: 'options' }, table.map((option) => this.#row(option))));
	}

	#show_count() {
		const count = [...this.values.keys()].filter((name) => !FIRST.includes(name)).length;
		this.summary.textContent = count ? `More options, ${count} changed` : 'More options';
	}

	#show_missing() {
		const found = this.#endings.find(([ending]) => ending === this.format), { state } = this.app.session;
		const list = left_out(found[1], state, this.motion);
		this.missing.hidden = list.length === 0;
		refill(this.missing, list.map((words) => make('li', {}, words)));
	}

	#fill_files() {
		if (!this.files) return;
		const { exports = [] } = this.app.session.state, { api } = this.app;
		refill(this.files, section('Written', exports.length === 0 ? make('p', { class: 'empty' }, 'Nothing yet.') : make('ul', { class: 'list' }, exports.map(({ name, bytes }) => make('li', {},
			make('a', { class: 'plain', href: api.url(`exports/${encodeURIComponent(name)}`), download: name }, name), make('span', { class: 'count' }, size_words(bytes)))))));
	}

	get #options() { return { ...(this.target === 'any' ? {} : { for: this.target }), ...Object.fromEntries(this.values) }; }

	async #write() {
		const { session, api, notices } = this.app, name = `${this.#stem.replace(/[/\\]/g, '-')}.${this.format}`;
		const result = await session.run({ do: 'export', name, options: this.#options, ...this.#motion });
		if (!result) return;
		const files = result.files ?? [name], told = session.state.warnings.filter(({ from }) => from === 'export');
		for (const file of files) make('a', { href: api.url(`exports/${encodeURIComponent(file)}`), download: file }).click();
		notices.show(told.length > 0 ? 'plain' : 'good', [`${files.join(', ')}: written.`, ...told.map(({ message }) => message)].join('\n'), { stays: told.length > 0, key: 'written' });
	}
}

/** "names as Unreal, Z up, centimetres" */
function target_words({ up, unit, bone_axis, leaf_bones, names, title }) {
	const units = { 1: 'metres', 0.01: 'centimetres', 0.001: 'millimetres' }[unit] ?? `units of ${unit} m`;
	return [names > 0 ? `names of ${title}` : 'names as they are', `${up.toUpperCase()} up`, units, `bones along ${bone_axis.toUpperCase()}`, leaf_bones && 'end joints'].filter(Boolean).join(', ') + ', as far as the format leaves it open.';
}

const size_words = (bytes) => (bytes < 1e4 ? `${bytes} B` : bytes < 1e7 ? `${Math.round(bytes / 1e3).toLocaleString('en')} kB` : `${Math.round(bytes / 1e6).toLocaleString('en')} MB`);
