/**
 * What is shown beside the rig or over it: the previous rig, the input's frame, the source of a
 * carried motion, or a stage of the contraction; and errors as colors. Fetched on demand, shown as
 * soon as it arrives: playing does not wait for it.
 */
import { InputView } from '../view/input_view.js';
import { RigView } from '../view/rig_view.js';
import { StagesView } from '../view/stages_view.js';
import { Pose } from '../rig/pose.js';
import { Rig, Surface } from '../rig/rig.js';
import { read_glb } from '../rig/glb.js';
import { read_source } from '../rig/source.js';

export class Beside {
	#wanted = null;
	#busy = false;
	#turn = 0; // of refreshing: the last one counts

	constructor(app) {
		this.app = app;
		this.before = null; // {key, rig} of before.glb
		this.source = null; // {key, rig} of the motion's source
		this.side = null;
		this.over = null;
		this.largest = 0; // of the errors' scale, in the mesh's units
		const { look, player, posing, session, stages } = app;
		look.on('look', (name) => {
			if (!['beside', 'overlay', 'coloring'].includes(name)) return;
			this.#leave_rest();
			this.refresh();
		});
		for (const [one, topic] of [[look, 'look'], [app.selection, 'selection']]) one.on(topic, () => this.side?.set_look?.(app.display.full_look));
		player.on('frame', () => (player.moved || session.rig?.bone_count > 0) && this.#show_frame());
		posing.on('pose', () => this.#follow());
		stages.on('stage', (at) => {
			this.side?.show?.(at, stages.kind);
			app.viewport.request();
		});
		session.on('state', (state) => { if (!state.mesh) this.#drop(); });
		app.looks.on('looks', () => look.get('beside') === 'before' && this.refresh());
		session.on('clip', () => {
			if (look.get('beside') === 'source' && !session.carried) look.set('beside', 'none');
			this.refresh();
		});
	}

	/** the input holds the first motion */
	get can_compare() { return this.app.session.state.input !== null && this.app.session.clip === 0; }

	/** the input of a frame is compared with its replay: a rig at rest takes that pose */
	#leave_rest() {
		const { look, player, posing } = this.app, is_compared = look.get('beside') === 'input' || look.get('overlay') || look.get('coloring') === 'error';
		if (is_compared && this.can_compare && posing.is_at_rest) player.go(Math.round(player.frame));
	}

	/** Updates what is beside and over to rig and look. */
	async refresh() {
		const { look, viewport, display, session, notices } = this.app, turn = ++this.#turn;
		if (!display.view) return this.#drop();
		try {
			const kind = look.get('beside'), before = kind === 'before' ? await this.#before_view() : kind === 'source' ? await this.#source_view() : null;
			const stages = kind === 'stages' ? await this.app.stages.get() : null;
			if (turn !== this.#turn) return before?.dispose();
			this.#drop();
			this.side = before;
			if (stages) this.#show_stages(stages);
			if (kind === 'input' && this.can_compare) this.side = new InputView(session.surface, viewport.colors, false);
			if (look.get('overlay') && this.can_compare) {
				this.over = new InputView(session.surface, viewport.colors, true);
				display.view.scene.add(this.over.mesh);
			}
		} catch (error) {
			// it was undone while it was asked for: the state that says so is on its way
			if (turn !== this.#turn) return undefined;
			if (error.status !== 404) notices.show('bad', error.message);
		}
		viewport.show(display.view, this.side);
		viewport.name_panes(...(this.side ? [{ before: 'Before', input: 'Input', source: `Source: ${session.carried?.motion.file}`, stages: 'Stages' }[look.get('beside')], session.rig?.bone_count > 0 ? 'Rig' : 'Mesh'] : ['', '']));
		this.#follow();
		return look.get('beside') === 'input' || this.over || session.rig?.bone_count > 0 ? this.#show_frame() : undefined;
	}

	#show_stages(made) {
		const { session, viewport, stages } = this.app;
		this.side = new StagesView(session.surface, made, viewport.colors);
		this.side.show(stages.at, stages.kind);
	}

	#drop() {
		const { viewport, display } = this.app;
		this.over?.mesh.removeFromParent();
		for (const view of [this.side, this.over]) view?.dispose();
		this.side = this.over = null;
		viewport.show(display.view, null);
		viewport.name_panes('', '');
	}

	async #before_view() {
		const { session, viewport, display, api } = this.app;
		const key = `${api.session} ${session.surface_key} ${session.state.before ?? ''}`;
		if (this.before?.key !== key) {
			const glb = read_glb((await api.bytes('before.glb')).bytes);
			this.before = { key, rig: new Rig(new Surface(glb, session.state.mesh), glb.bones, glb.weights, null) };
		}
		const view = new RigView(this.before.rig, viewport.colors);
		view.surface.set_looks(this.app.looks.of(this.before.rig.surface));
		// nothing is chosen there, but weights are those of the bone of the same name
		const set_look = view.set_look.bind(view), chosen = () => view.rig.index.get(this.app.selection.active_bone?.name) ?? -1;
		view.set_look = (look) => set_look({ ...look, selected: new Set(), active: -1, chosen: chosen(), hovered: -1 });
		view.set_look(display.full_look);
		return view;
	}

	/** the body that the motion is from; null where the rig plays a motion of its own */
	async #source_view() {
		const { session, viewport, display, api } = this.app, { carried } = session;
		if (!carried) return null;
		const key = `${api.session} ${carried.motion.source} ${carried.motion.file} ${carried.clip} ${session.rig_key}`;
		if (this.source?.key !== key) this.source = { key, rig: read_source((await api.bytes(`sources/${carried.number}?clip=${carried.clip}`)).bytes) };
		const view = new RigView(this.source.rig, viewport.colors), set_look = view.set_look.bind(view);
		view.is_source = true;
		view.set_look = (look) => set_look({ ...look, coloring: 'plain', selected: new Set(), active: -1, chosen: -1, hovered: -1, bones: look.bones || this.source.rig.surface.count === 0 });
		view.set_look(display.full_look);
		return view;
	}

	/** the source stands in the frame that is shown, or at rest where the rig does */
	#follow_source() {
		const { player, posing } = this.app, { rig } = this.side;
		this.side.set_world((rig.clip && !posing.held && !posing.is_at_rest ? Pose.of_clip(rig, player.frame) : Pose.rest(rig)).world(rig));
	}

	/** the previous rig takes the same pose, where its bones have the same names */
	#follow() {
		const { posing } = this.app;
		if (!this.side?.set_world || !posing.pose) return;
		if (this.side.is_source) { this.#follow_source(); return; }
		const { rig } = this.side, named = posing.pose.by_name(posing.rig);
		this.side.set_world(Pose.of_names(rig, named).world(rig));
	}

	/** one request at a time; of those made in between, the last one */
	async #show_frame() {
		if (!this.can_compare) return;
		this.#wanted = Math.round(this.app.player.frame);
		if (this.#busy) return;
		this.#busy = true;
		try {
			while (this.#wanted !== null) {
				const frame = this.#wanted;
				this.#wanted = null;
				await this.#bring_frame(frame);
			}
		} catch (error) {
			if (error.status !== 404) this.app.notices.show('bad', error.message, { key: 'frames' });
		} finally {
			this.#busy = false;
		}
	}

	async #bring_frame(frame) {
		const { frames, look, viewport, session, display } = this.app, is_bare = session.rig?.bone_count === 0, is_seen = is_bare || [this.side, this.over].some((view) => view?.set_points), key = session.surface_key;
		const has_errors = look.get('coloring') === 'error' && session.rig?.clip;
		const [points, amounts] = await Promise.all([is_seen ? frames.input(frame) : null, has_errors ? frames.errors(frame) : null]);
		if (session.surface_key !== key) return;
		for (const view of [this.side, this.over]) if (points) view?.set_points?.(points);
		if (is_bare && points) display.view.surface.set_points(points);
		if (amounts) this.#show_errors(amounts);
		viewport.request();
	}

	#show_errors(amounts) {
		const { session, display } = this.app, percents = session.state.report?.frame_largest ?? [];
		const most = Math.max(0, ...percents) / 100 * session.surface.diagonal || amounts.reduce((a, b) => Math.max(a, b), 0);
		this.largest = most;
		display.view.surface.set_amounts(amounts.map((x) => (most > 0 ? x / most : 0)));
		this.app.stage.show_scale();
	}
}
