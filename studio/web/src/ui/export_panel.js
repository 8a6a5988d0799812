/** The panel Export: every format, which motion is exported, options, and the written files. */
import { make, refill } from '../base/dom.js';
import { Pose } from '../rig/pose.js';
import { button, number_field, row, section } from './fields.js';
import { option_row } from './rig_panel.js';

export class ExportPanel {
	constructor(app, host) {
		this.app = app;
		this.host = host;
		this.format = 'glb';
		this.values = new Map();
		this.name = '';
		this.is_open = false;
		this.wanted = null; // the motion that was chosen, null for none yet
		this.motion = 'own';
		this.seconds = 1; // between poses
		app.library.on('poses', () => this.fill());
		app.about.then((about) => { this.about = about; this.fill(); });
		app.session.on('state', () => this.fill());
		app.session.on('busy', () => { if (this.write) this.write.disabled = app.session.busy !== null; });
	}

	fill() {
		if (this.host.hidden) return undefined;
		const { state } = this.app.session, { about } = this;
		if (!about || !state.mesh) return refill(this.host, make('p', { class: 'empty inside' }, 'Nothing is open.'));
		if (this.host.contains(document.activeElement) && document.activeElement.matches('input[type=text]')) return this.#fill_files();
		const has_rig = state.rig !== null, formats = about.formats.write.filter((one) => (has_rig ? one.rig || one.mesh || one.frames : one.mesh || (one.frames && state.input)));
		const endings = formats.flatMap((one) => one.endings.map((ending) => [ending.replace(/^[.]/, ''), one]));
		if (!endings.some(([ending]) => ending === this.format)) this.format = endings[0][0];
		const stem = this.name || (state.title || 'rig').replace(/\.[^.]*$/, '');
		const field = make('input', { type: 'text', value: stem, 'aria-label': 'Name of the file', oninput: () => { this.name = field.value.trim(); } });
		const select = make('select', { 'aria-label': 'Format', onchange: () => { this.format = select.value; } }, endings.map(([ending, one]) => make('option', { value: ending, selected: ending === this.format }, `.${ending}  –  ${one.title}${has_rig && !one.rig ? one.frames ? ' (frames)' : ' (mesh)' : ''}`)));
		this.write = button('Export', () => this.#write(field.value.trim() || stem), { class: 'first wide' });
		this.files = make('div');
		refill(this.host, section('File', make('div', { class: 'file-name' }, field, make('span', {}, '.')), select, has_rig && this.#motion_part(state), this.write), this.#options(about.options.write ?? []), this.files);
		return this.#fill_files();
	}

	/** the motion in the file: the rig's own, or poses made here */
	#motion_part(state) {
		const { library } = this.app, { clip } = state.rig, count = library.poses.length;
		const motions = [clip && ['own', `${clip.name || 'its motion'}: ${clip.times.length} frames`], count > 0 && ['library', `the library: ${count} ${count === 1 ? 'pose' : 'poses'}`], ['screen', 'the pose on the screen'], !clip && ['none', 'none']].filter(Boolean);
		this.motion = motions.some(([name]) => name === this.wanted) ? this.wanted : clip ? 'own' : count > 0 ? 'library' : 'none';
		const apart = number_field('Apart', this.seconds, (value) => { this.seconds = value; }, { step: 0.25, digits: 2, unit: 'seconds', minimum: 0.01, maximum: 60 });
		const select = make('select', { 'aria-label': 'Motion', title: 'poses are kept in the panel Poses', onchange: () => { this.motion = this.wanted = select.value; apart.hidden = this.motion !== 'library'; } },
			motions.map(([name, words]) => make('option', { value: name, selected: name === this.motion }, words)));
		apart.hidden = this.motion !== 'library';
		return [row('Motion', select), apart];
	}

	/** poses for the server, or nothing for the rig's own motion */
	get #poses() {
		const { posing, library, session } = this.app, as_json = ({ rotations, root }) => ({ rotations, root });
		if (!session.state.rig || !['library', 'screen'].includes(this.motion)) return {};
		// in the mode Edit the pose waits
		const shown = posing.held ? Pose.of_names(posing.rig, posing.held) : posing.pose;
		const poses = this.motion === 'screen' ? [shown] : library.poses.map((pose) => Pose.of_names(posing.rig, pose));
		return { poses: poses.map(as_json), seconds: this.seconds };
	}

	#options(table) {
		const summary = make('summary', {}), show = () => { summary.textContent = this.values.size ? `Options, ${this.values.size} changed` : 'Options'; };
		show();
		return make('details', { class: 'part', open: this.is_open, ontoggle: (event) => { this.is_open = event.target.open; } }, summary, make('div', { class: 'options' }, table.map((option) => option_row(option, this.values, show))));
	}

	#fill_files() {
		if (!this.files) return;
		const { exports = [] } = this.app.session.state, { api } = this.app;
		refill(this.files, section('Written', exports.length === 0 ? make('p', { class: 'empty' }, 'Nothing yet.') : make('ul', { class: 'list' }, exports.map(({ name, bytes }) => make('li', {},
			make('a', { class: 'plain', href: api.url(`exports/${encodeURIComponent(name)}`), download: name }, name), make('span', { class: 'count' }, size_words(bytes)))))));
	}

	async #write(stem) {
		const name = `${stem.replace(/[/\\]/g, '-')}.${this.format}`, result = await this.app.session.run({ do: 'export', name, options: Object.fromEntries(this.values), ...this.#poses });
		if (!result) return;
		for (const file of result.files ?? [name]) make('a', { href: this.app.api.url(`exports/${encodeURIComponent(file)}`), download: file }).click();
		this.app.notices.show('good', `${(result.files ?? [name]).join(', ')}: written.`);
	}
}

const size_words = (bytes) => (bytes < 1e4 ? `${bytes} B` : bytes < 1e7 ? `${Math.round(bytes / 1e3).toLocaleString('en')} kB` : `${Math.round(bytes / 1e6).toLocaleString('en')} MB`);
