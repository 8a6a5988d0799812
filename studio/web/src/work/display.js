/** Keeps the scene up to date with rig, pose, selection, frame and look. */
import * as THREE from 'three';
import { AxesView } from '../view/axes_view.js';
import { Gizmo } from '../view/gizmo.js';
import { RigView } from '../view/rig_view.js';

export class Display {
	constructor(app) {
		this.app = app;
		this.view = null;
		this.axes = null;
		this.gizmo = null;
		this.marker = null;
		this.old = [];
		const { session, posing, selection, look, viewport, mode } = app;
		session.on('rig', (rig) => this.#take_rig(rig));
		posing.on('pose', () => this.#show_pose());
		// of another rig than the view's: that one comes next
		for (const topic of ['selection', 'hover']) selection.on(topic, () => selection.rig === this.view?.rig && this.#show_look());
		look.on('look', (name) => this.#take_look(name));
		app.looks.on('looks', (looks) => {
			this.view?.surface.set_looks(looks);
			this.#show_look();
		});
		mode.on('mode', () => this.#take_mode());
		viewport.on('drawn', () => { for (const view of this.old.splice(0)) view.dispose(); });
		viewport.on('before', () => this.gizmo && (this.gizmo.controls.camera = viewport.camera));
		matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#take_theme());
		viewport.orbit.flat = look.get('flat');
		viewport.grid.visible = look.get('grid');
	}

	#take_rig(rig) {
		const { viewport, posing } = this.app, old = this.view, same = old?.rig.surface === rig?.surface;
		this.axes?.dispose();
		this.view = rig && new RigView(rig, viewport.colors);
		this.axes = rig && new AxesView(rig);
		if (rig) {
			this.view.front.add(this.axes.object);
			this.view.surface.set_looks(this.app.looks.shown);
			this.view.set_world(posing.world ?? { turns: [], places: [] });
		}
		viewport.show(this.view, same ? viewport.beside : null);
		// not before the next picture: keeps what both need
		if (old) this.old.push(old);
		if (rig && !same) this.frame_all();
		this.#show_look();
		this.app.beside?.refresh();
	}

	#show_pose() {
		const { posing, viewport } = this.app;
		if (!this.view || this.view.rig !== posing.rig) return;
		this.view.set_world(posing.world);
		this.#show_gizmo();
		this.#show_axes();
		viewport.request();
	}

	#take_mode() {
		const { mode, posing, player } = this.app;
		// nothing plays while the rig is at rest
		if (mode.name !== 'pose') player.stop();
		posing.hold_rest(mode.name !== 'pose');
		this.mark_point(null);
		this.#show_gizmo();
		this.#show_axes();
	}

	#take_look(name) {
		const { look, viewport, posing } = this.app;
		if (name === 'theme') return this.#take_theme();
		posing.keep_limits = look.get('keep_limits');
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

	/** the look with the selection, in the form that views take */
	get full_look() {
		const { look, looks, selection } = this.app;
		return { ...look.values, coloring: looks.coloring(look.get('coloring')), chosen: selection.active, selected: selection.bones, active: selection.active, hovered: selection.hovered, by_color: ['bones', 'roles'].includes(look.get('coloring')) };
	}

	#show_look() {
		this.view?.set_look(this.full_look);
		this.#show_gizmo();
		this.#show_axes();
		this.app.viewport.request();
	}

	#show_axes() {
		const { posing } = this.app;
		const { look, mode } = this.app, shown = { ...this.full_look, ranges: look.get('ranges') && mode.name === 'pose' };
		if (this.axes && this.axes.rig === posing.rig && posing.world) this.axes.update(shown, posing.world, posing.pose);
	}

	#show_gizmo() {
		const { selection, posing, mode } = this.app, wanted = this.view && selection.active >= 0 && !['paint', 'landmarks'].includes(mode.name) && this.view.rig === posing.rig && this.full_look.bones;
		if (!wanted) return this.gizmo?.hide();
		this.gizmo ??= this.#make_gizmo();
		const place = this.view.bones.joints[selection.active];
		if (mode.name === 'edit') return this.gizmo.show('translate', place, [0, 0, 0, 1]);
		return this.gizmo.show('rotate', place, posing.world.turns[selection.active]);
	}

	#make_gizmo() {
		const { posing, selection, viewport, hand, edits } = this.app;
		let place = null;
		const gizmo = new Gizmo(viewport, {
			begin: () => { place = null; posing.begin(); },
			turned: (q) => {
				const pose = posing.pose.copy();
				pose.set_world_turn(posing.rig, posing.world, selection.active, q);
				posing.set(pose, [selection.active]);
			},
			moved: (point) => { place = point; this.preview(selection.active, 'joint', point); },
			end: () => {
				posing.commit();
				if (place) edits.move(selection.active, 'joint', this.view.rig.surface.mesh_point(place.toArray())).finally(() => this.preview(null));
				this.#show_gizmo();
			},
			yields: (event) => hand.is_over_other(viewport.place(event)),
		});
		hand.gizmo = gizmo;
		return gizmo;
	}

	/**
	 * Previews the skeleton with one bone's joint or tail moved, before the server has it; null: as
	 * it is.
	 */
	preview(b, part, point) {
		const { posing, viewport } = this.app;
		if (!this.view) return;
		if (b === null) this.view.bones.set_world(posing.world);
		else this.view.bones.set_world(posing.world, { b, part, place: this.view.rig.surface.mesh_point(point.toArray()) });
		viewport.request();
	}

	/** A small ball in the scene, or none. */
	mark_point(point, radius = 0) {
		const { viewport } = this.app;
		if (!this.marker) {
			this.marker = new THREE.Mesh(new THREE.IcosahedronGeometry(1, 2), new THREE.MeshBasicMaterial({ color: viewport.colors.active, transparent: true, opacity: 0.55, depthTest: false }));
			viewport.extras.add(this.marker);
		}
		this.marker.visible = point !== null;
		if (point) this.marker.position.copy(point);
		this.marker.material.opacity = radius > 0 ? 0.2 : 0.8;
		this.marker.scale.setScalar(radius || 0.005 * Math.min(2, viewport.orbit.distance));
		viewport.request();
	}

	frame_all() {
		if (this.view) this.app.viewport.orbit.frame_points(this.view.surface.posed_points());
	}

	/** The chosen bones, or all. */
	frame_chosen() {
		const { selection, viewport } = this.app;
		if (!this.view || selection.bones.size === 0) return this.frame_all();
		const { joints, tails } = this.view.bones, points = [...selection.bones].flatMap((b) => [joints[b], tails[b]]);
		const center = points.reduce((sum, point) => sum.add(point), new THREE.Vector3()).divideScalar(points.length);
		return viewport.orbit.frame(center, Math.max(0.03, 1.3 * Math.max(...points.map((point) => point.distanceTo(center)))));
	}
}
