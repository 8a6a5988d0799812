/**
 * G in the mode Pose: pulls the end of the chosen bone, the chain above it follows (IK); the root
 * is moved as a whole. X Y Z constrain it to an axis of the world, numbers are the mesh's units,
 * page up and down (or the wheel) change the chain's length.
 */
import * as THREE from 'three';
import { add } from '../base/vectors.js';
import { reach } from '../rig/ik.js';
import { AXES, offset_in_view, offset_on_axis } from './in_view.js';
import { Typed } from './typed.js';

export class Pulling {
	constructor(parts, pointer) {
		Object.assign(this, parts);
		this.start = this.place = pointer;
		this.bone = this.selection.active;
		this.is_root = this.posing.rig.bones[this.bone].parent < 0;
		this.from = this.posing.pose.copy();
		const { joints, tails } = this.view.bones;
		this.grip = (this.is_root ? joints : tails)[this.bone].clone();
		this.axis = null;
		this.typed = new Typed();
		this.offset = new THREE.Vector3();
		this.posing.begin();
	}

	static can_begin = ({ posing, selection }) => posing.rig !== null && selection.active >= 0;

	get text() {
		const size = (this.offset.length() * this.posing.rig.surface.diagonal).toPrecision(3), axis = this.axis ? ` along ${this.axis.toUpperCase()}` : '';
		return this.is_root ? `Move ${this.typed.text || size}${axis}` : `Pull ${this.typed.text || size}${axis}, ${this.look.get('chain')} bones follow`;
	}

	get hint() { return 'X Y Z axis  ·  numbers: distance  ·  page up, down: length of the chain  ·  Enter confirms  ·  Esc cancels'; }

	key(event) {
		const key = event.key.toLowerCase(), longer = { pageup: 1, pagedown: -1 }[key];
		if (AXES[key]) this.axis = this.axis === key ? null : key;
		else if (longer) this.look.set('chain', Math.max(1, Math.min(20, this.look.get('chain') + longer)));
		else if (!this.typed.take(event.key)) return false;
		this.#apply();
		return true;
	}

	move(place) {
		this.place = place;
		this.#apply();
	}

	#find_offset() {
		const { viewport } = this, { diagonal } = this.posing.rig.surface;
		if (this.typed.value !== null) return new THREE.Vector3(...AXES[this.axis ?? 'x']).multiplyScalar(this.typed.value / diagonal);
		return this.axis ? offset_on_axis(viewport, this.grip, AXES[this.axis], this.start, this.place) : offset_in_view(viewport, this.grip, this.start, this.place);
	}

	#apply() {
		const { posing } = this, { surface } = posing.rig;
		this.offset = this.#find_offset();
		if (this.is_root) {
			const pose = this.from.copy();
			pose.root = add(pose.root, this.offset.toArray().map((x) => x * surface.diagonal));
			return posing.set(pose);
		}
		const target = surface.mesh_point(this.grip.clone().add(this.offset).toArray());
		return posing.set(reach(posing.rig, this.from, this.bone, target, this.look.get('chain'), posing.keep_limits));
	}

	end() { this.posing.commit(); }

	cancel() { this.posing.cancel(); }
}
