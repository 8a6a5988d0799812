/** The panel of the chosen bone: turn in degrees, position, limits, facts. */
import { make, refill } from '../base/dom.js';
import { button, number_field, number_words, row, section } from './fields.js';

const AXES = ['X', 'Y', 'Z'];

export class BonePanel {
	constructor(app, host) {
		this.app = app;
		this.host = host;
		app.selection.on('selection', () => this.fill());
		app.session.on('rig', () => this.fill());
		app.session.on('state', () => !this.host.contains(document.activeElement) && this.fill());
		app.posing.on('pose', () => this.#show_angles());
		// restores the value where the typed one was refused
		app.session.on('problem', () => this.host.contains(document.activeElement) && this.fill());
		this.fill();
	}

	fill() {
		if (this.host.hidden) return undefined;
		const { selection, session } = this.app, bone = selection.active_bone;
		this.angles = null;
		if (!bone) {
			return refill(this.host, make('p', { class: 'empty' }, session.rig?.bone_count ? 'Choose a bone: click it in the scene or in the tree. Shift adds another.' : 'There are no bones yet.'));
		}
		return refill(this.host, this.#head(bone), this.#turn_part(), this.#limits_part(bone), this.#places_part(bone), this.#facts_part(bone));
	}

	#head(bone) {
		const more = this.app.selection.bones.size - 1;
		return make('header', { class: 'bone-head' }, make('h2', {}, bone.name), more > 0 && make('span', { class: 'count' }, `and ${more} more`),
			button('Rename', () => this.app.acts.rename(), { class: 'small', title: 'F2' }));
	}

	#turn_part() {
		const { posing, selection } = this.app, b = selection.active, angles = posing.pose.angles(posing.rig, b);
		this.angles = AXES.map((axis, k) => number_field(axis, angles[k], (value) => {
			const pose = posing.pose.copy(), next = pose.angles(posing.rig, b), limits = posing.keep_limits ? posing.rig.bones[b].limits?.[k] : null;
			next[k] = limits ? Math.max(limits[0], Math.min(limits[1], value)) : value % 360;
			pose.set_angles(posing.rig, b, next);
			posing.change(pose, [b]);
			// the resulting value, not the typed one
			this.#show_angles(true);
		}, { step: 1, digits: 1, unit: '°' }));
		return section('Turn against rest', make('div', { class: 'triple' }, this.angles),
			make('div', { class: 'buttons' }, button('Reset', () => posing.reset([...selection.bones]), { title: 'alt R' }), button('Reset all', () => posing.reset(), { title: 'alt shift R' })));
	}

	#show_angles(is_settled = false) {
		const { posing, selection } = this.app;
		if (!this.angles || !selection.active_bone || posing.rig !== selection.rig) return;
		posing.pose.angles(posing.rig, selection.active).forEach((angle, k) => this.angles[k].show(angle, is_settled));
	}

	#limits_part(bone) {
		const limits = bone.limits ?? null;
		const rows = AXES.map((axis, k) => make('div', { class: 'pair' },
			...[0, 1].map((side) => number_field(`${axis} ${['from', 'to'][side]}`, limits ? limits[k][side] : 0, (value) => this.app.acts.set_limit(k, side, value),
				{ step: 5, digits: 1, unit: '°', disabled: limits === null, minimum: side === 0 ? -360 : 0, maximum: side === 0 ? 0 : 360 }))));
		return section('Limits', limits === null ? make('p', { class: 'empty' }, 'None: it turns freely.') : rows,
			make('div', { class: 'buttons' }, limits === null ? button('Set limits', () => this.app.acts.set_limits([[-90, 90], [-90, 90], [-90, 90]])) : button('No limits', () => this.app.acts.set_limits(null))));
	}

	/** joint and tail at rest by numbers: a confirmed value becomes an edit */
	#places_part(bone) {
		const { edits, selection, session } = this.app, { rig } = session, b = selection.active, is_leaf = rig.children[b].length === 0;
		const digits = Math.max(0, 5 - Math.floor(Math.log10(rig.surface.diagonal))), step = 10 ** (2 - digits);
		const fields = (label, place, settled, disabled = false) => [make('span', { class: 'label' }, label), make('div', { class: 'triple' }, AXES.map((axis, k) => number_field(`${axis}`, place[k], (value) => settled(k, value),
			{ step, digits, disabled, name: `${label} ${axis}` })))];
		const put = (part, place) => (k, value) => edits.move(b, part, place.map((x, i) => (i === k ? value : x)));
		const branch = [...bone.tail];
		return section('At rest', fields('Joint', bone.joint, put('joint', bone.joint)), fields('End', bone.tail, put('tail', bone.tail), !is_leaf),
			fields('Branch to', branch, (k, value) => { branch[k] = value; }), make('div', { class: 'buttons' }, button('Add branch', () => edits.add(b, branch), { title: 'a bone from here to the point above; by the pointer: A in the mode Edit' })));
	}

	#facts_part(bone) {
		const error = this.app.session.state.rig?.bones[this.app.selection.active]?.error;
		const { rig } = this.app.session;
		return section('Facts', row('Parent', bone.parent < 0 ? make('span', {}, 'none: the root') : button(rig.bones[bone.parent].name, () => this.app.selection.set([bone.parent]), { class: 'link' })),
			bone.kind !== 'unknown' && row('Joint', make('span', {}, bone.kind)),
			row('Length', make('span', { class: 'mono' }, number_words(rig.length(this.app.selection.active), 4))),
			rig.clip && row('Turns at most', make('span', { class: 'mono' }, bone.turn === undefined ? '–' : `${number_words(bone.turn)}°`)),
			Number.isFinite(error) && row('Error', make('span', { class: 'mono' }, `${number_words(error)} %`)));
	}
}
