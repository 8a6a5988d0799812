/**
 * R: turns the chosen bones. The pointer rotates about the view axis; X, Y, Z about the world's
 * axis, pressed again about the joint's own; numbers are degrees; ctrl snaps to steps of 5. Enter
 * or a click confirms, Esc or the right button cancels.
 */
import * as THREE from 'three';
import { DEGREE, about, multiply, turn } from '../base/turns.js';
import { Typed } from './typed.js';

const AXES = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

export class Turning {
	/** parts: {posing, selection, viewport, view}; pointer: {x, y} in the pane */
	constructor(parts, pointer) {
		Object.assign(this, parts);
		this.bones = this.selection.tops;
		this.start = pointer;
		this.from = this.posing.pose.copy();
		this.world = this.posing.world;
		this.axis = null;
		this.is_own = false;
		this.typed = new Typed();
		this.swept = 0;
		this.angle = 0;
		this.last = null;
		this.posing.begin();
	}

	static can_begin = ({ posing, selection }) => posing.rig !== null && selection.bones.size > 0;

	get text() {
		const axis = this.axis ? `${this.axis.toUpperCase()} ${this.is_own ? 'own' : 'world'}` : 'view';
		return `Turn ${this.typed.text === '' ? this.angle.toFixed(1) : this.typed.text || '0'}° about ${axis}`;
	}

	get hint() { return 'X Y Z axis (twice: own)  ·  numbers: degrees  ·  ctrl: steps of 5°  ·  Enter confirms  ·  Esc cancels'; }

	key(event) {
		const key = event.key.toLowerCase();
		if (AXES[key]) {
			if (this.axis === key && this.is_own) this.axis = null;
			else [this.axis, this.is_own] = [key, this.axis === key];
		} else if (!this.typed.take(event.key)) return false;
		this.#apply();
		return true;
	}

	move(place, event) {
		const center = this.viewport.project(this.view.bones.joints[this.selection.active]);
		const angle = Math.atan2(-(place.y - center.y), place.x - center.x);
		if (this.last !== null) {
			let step = angle - this.last;
			if (step > Math.PI) step -= 2 * Math.PI;
			if (step < -Math.PI) step += 2 * Math.PI;
			this.swept += (event.shiftKey ? 0.1 : 1) * step / DEGREE;
		}
		this.last = angle;
		this.angle = event.ctrlKey ? 5 * Math.round(this.swept / 5) : this.swept;
		this.#apply();
	}

	#line() {
		const sight = this.viewport.camera.getWorldDirection(new THREE.Vector3()).negate();
		if (!this.axis) return { line: sight.toArray(), sign: 1 };
		const line = AXES[this.axis];
		// the pointer rotates in screen space
		const seen = this.is_own ? turn(this.world.turns[this.selection.active], line) : line;
		return { line, sign: this.typed.value === null && seen[0] * sight.x + seen[1] * sight.y + seen[2] * sight.z < 0 ? -1 : 1 };
	}

	#apply() {
		const { line, sign } = this.#line(), angle = sign * (this.typed.value ?? this.angle) * DEGREE, pose = this.from.copy();
		for (const b of this.bones) {
			const own = this.axis !== null && this.is_own;
			const q = own ? multiply(this.world.turns[b], about(line, angle)) : multiply(about(line, angle), this.world.turns[b]);
			pose.set_world_turn(this.posing.rig, this.world, b, q);
		}
		this.posing.set(pose, this.bones);
	}

	end() { this.posing.commit(); }

	cancel() { this.posing.cancel(); }
}
