/**
 * The mode Landmarks: eight handles on the body, each dragged parallel to the view; a drop rigs
 * again with that point. Filled handles are set, pale ones show where the joint was found.
 */
import * as THREE from 'three';
import { LANDMARKS } from '../work/plans.js';
import { offset_in_view } from './in_view.js';

const REACH = 14; // pixels

export class Landmarks {
	/** parts: {viewport, session, plans, display, hand, mode} */
	constructor(parts) {
		Object.assign(this, parts);
		this.drag = null;
		this.group = new THREE.Group();
		this.group.visible = false;
		this.handles = LANDMARKS.map((landmark) => {
			const ball = new THREE.Mesh(new THREE.IcosahedronGeometry(1, 2), new THREE.MeshBasicMaterial({ transparent: true, depthTest: false }));
			this.group.add(ball);
			return { landmark, ball };
		});
		this.viewport.extras.add(this.group);
		this.session.on('rig', () => this.#show());
		this.mode.on('mode', () => this.#show());
		this.viewport.on('before', () => this.#size());
	}

	#size() {
		for (const { ball } of this.handles) ball.scale.setScalar(0.008 * Math.min(2, this.viewport.orbit.distance));
	}

	/** the handles of the landmarks that the rig has a joint for */
	#show() {
		const { rig } = this.session;
		this.group.visible = this.mode.name === 'landmarks' && rig !== null;
		for (const { landmark, ball } of this.handles) {
			const b = this.plans.bone(landmark), set = this.plans.point(landmark.name);
			ball.visible = b >= 0 || set !== null;
			if (!ball.visible || !rig) continue;
			ball.position.set(...rig.surface.scene_point(set ?? rig.bones[b].joint));
			ball.material.color.copy(this.viewport.colors.active);
			ball.material.opacity = set ? 0.95 : 0.4;
		}
		this.viewport.request();
	}

	#nearest(place) {
		let best = null, least = REACH;
		for (const handle of this.handles.filter(({ ball }) => ball.visible)) {
			const at = this.viewport.project(handle.ball.position), far = Math.hypot(at.x - place.x, at.y - place.y);
			if (far < least) { least = far; best = handle; }
		}
		return best;
	}

	#tell(handle) {
		const words = handle?.landmark.name.replace('-', ' ');
		this.hand.emit('drag', handle && { text: this.plans.point(handle.landmark.name) ? `${words}, set` : words, hint: 'drag: rig again with this point  ·  ctrl Z: undo  ·  Esc leaves' });
	}

	hover(place) {
		this.#tell(this.#nearest(place));
		return true;
	}

	press(place) {
		const handle = this.#nearest(place);
		if (!handle || this.session.busy) return false;
		this.drag = { handle, start: place, from: handle.ball.position.clone() };
		return true;
	}

	move(place) {
		const { handle, start, from } = this.drag;
		handle.ball.position.copy(from).add(offset_in_view(this.viewport, from, start, place));
		this.#tell(handle);
		this.viewport.request();
	}

	release() {
		const { handle, from } = this.drag, { position } = handle.ball;
		this.drag = null;
		this.hand.emit('drag', null);
		if (position.distanceTo(from) === 0) return;
		// a refused point goes back to where it was
		this.plans.set_point(handle.landmark.name, this.session.rig.surface.mesh_point(position.toArray())).finally(() => this.#show());
	}

	/** no bone is picked meanwhile */
	click() { return true; }
}
