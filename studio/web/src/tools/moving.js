/**
 * G in the mode Edit: moves the chosen bone's joint, or with shift G its end, at rest. X Y Z
 * constrain it to an axis, numbers are the mesh's units along it. A confirmed move becomes an edit.
 */
import * as THREE from 'three';
import { AXES, offset_in_view, offset_on_axis } from './in_view.js';
import { Typed } from './typed.js';

export class Moving {
	/** parts: {display, edits, viewport, session, selection}; part: 'joint' or 'tail' */
	constructor(parts, pointer, part) {
		Object.assign(this, parts);
		this.part = part;
		this.start = this.place = pointer;
		this.bone = this.selection.active;
		const { joints, tails } = this.display.view.bones;
		this.grip = (part === 'joint' ? joints : tails)[this.bone].clone();
		this.axis = null;
		this.typed = new Typed();
		this.offset = new THREE.Vector3();
	}

	get text() {
		const { surface, bones } = this.session.rig, distance = this.typed.text || (this.offset.length() * surface.diagonal).toPrecision(3);
		return `Move the ${this.part === 'joint' ? 'joint' : 'end'} of ${bones[this.bone].name} ${distance}${this.axis ? ` along ${this.axis.toUpperCase()}` : ''}`;
	}

	get hint() { return 'X Y Z axis  ·  numbers: distance  ·  Enter confirms  ·  Esc cancels'; }

	key(event) {
		const key = event.key.toLowerCase();
		if (AXES[key]) this.axis = this.axis === key ? null : key;
		else if (!this.typed.take(event.key)) return false;
		this.#apply();
		return true;
	}

	move(place) {
		this.place = place;
		this.#apply();
	}

	#apply() {
		const { viewport } = this, { diagonal } = this.session.rig.surface;
		if (this.typed.value !== null) this.offset.set(...AXES[this.axis ?? 'x']).multiplyScalar(this.typed.value / diagonal);
		else if (this.axis) this.offset = offset_on_axis(viewport, this.grip, AXES[this.axis], this.start, this.place);
		else this.offset = offset_in_view(viewport, this.grip, this.start, this.place);
		this.display.preview(this.bone, this.part, this.grip.clone().add(this.offset));
	}

	end() {
		const place = this.session.rig.surface.mesh_point(this.grip.clone().add(this.offset).toArray());
		if (this.offset.length() === 0) return this.cancel();
		return this.edits.move(this.bone, this.part, place);
	}

	cancel() { this.display.preview(null); }
}
