/** What the scene shows, kept in step with rig, pose, selection and look. */
import { Gizmo } from '../view/gizmo.js';
import { RigView } from '../view/rig_view.js';

export class Display {
	constructor(app) {
		this.app = app;
		this.view = null;
		this.gizmo = null;
		const { session, posing, selection, look, viewport, mode } = app;
		session.on('rig', (rig) => this.#take_rig(rig));
		posing.on('pose', () => this.#show_pose());
		for (const topic of ['selection', 'hover']) selection.on(topic, () => this.#show_look());
		look.on('look', (name) => this.#take_look(name));
		mode.on('mode', () => this.#show_gizmo());
		viewport.on('before', () => this.gizmo && (this.gizmo.controls.camera = viewport.camera));
		matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#take_theme());
		viewport.orbit.flat = look.get('flat');
	}

	#take_rig(rig) {
		const { viewport } = this.app, old = this.view, same = old?.rig.surface === rig?.surface;
		this.view = rig && new RigView(rig, viewport.colors);
		if (this.view) this.view.set_world(this.app.posing.world ?? { turns: [], places: [] });
		viewport.show(this.view);
		old?.dispose();
		if (rig && !same) this.frame_all();
		this.#show_look();
	}

	#show_pose() {
		const { posing, viewport } = this.app;
		if (!this.view || this.view.rig !== posing.rig) return;
		this.view.set_world(posing.world);
		this.#show_gizmo();
		viewport.request();
	}

	#take_look(name) {
		const { look, viewport } = this.app;
		if (name === 'theme') return this.#take_theme();
		viewport.orbit.flat = look.get('flat');
		viewport.grid.visible = look.get('grid');
		return this.#show_look();
	}

	#take_theme() {
		const { look, viewport, session } = this.app;
		document.documentElement.dataset.theme = look.get('theme');
		viewport.set_theme();
		if (this.view) this.#take_rig(session.rig);
	}

	#show_look() {
		const { look, selection, viewport } = this.app;
		if (this.view) {
			this.view.set_look({
				...look.values, chosen: selection.active, selected: selection.bones, active: selection.active, hovered: selection.hovered,
				by_color: look.get('coloring') === 'bones',
			});
		}
		this.#show_gizmo();
		viewport.request();
	}

	#show_gizmo() {
		const { selection, posing, mode } = this.app, wanted = this.view && selection.active >= 0 && mode.name === 'pose' && this.view.rig === posing.rig;
		if (!wanted) return this.gizmo?.hide();
		this.gizmo ??= this.#make_gizmo();
		return this.gizmo.show('rotate', this.view.bones.joints[selection.active], posing.world.turns[selection.active]);
	}

	#make_gizmo() {
		const { posing, selection, viewport, hand } = this.app;
		const gizmo = new Gizmo(viewport, {
			begin: () => posing.begin(),
			turned: (q) => {
				const pose = posing.pose.copy();
				pose.set_world_turn(posing.rig, posing.world, selection.active, q);
				posing.set(pose, [selection.active]);
			},
			moved: () => {},
			end: () => { posing.commit(); this.#show_gizmo(); },
		});
		hand.gizmo = gizmo;
		return gizmo;
	}

	frame_all() {
		const { viewport } = this.app;
		const surface = this.view?.rig.surface;
		if (!surface) return;
		viewport.orbit.frame_box(surface.scene_point(surface.low), surface.scene_point(surface.high));
	}

	/** The chosen bones and what hangs on them, or all. */
	frame_chosen() {
		const { selection, viewport } = this.app;
		if (!this.view || selection.bones.size === 0) return this.frame_all();
		const { joints, tails } = this.view.bones, points = [...selection.bones].flatMap((b) => [joints[b], tails[b]]);
		const center = points.reduce((sum, point) => sum.add(point), points[0].clone().set(0, 0, 0)).divideScalar(points.length);
		return viewport.orbit.frame(center, Math.max(0.03, 1.3 * Math.max(...points.map((point) => point.distanceTo(center)))));
	}
}
