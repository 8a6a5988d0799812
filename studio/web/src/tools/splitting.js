/**
 * S in the mode Edit: the pointer, or a number from 0 to 1, says where the chosen bone is cut in
 * two; M leaves it to the motion.
 */
import { Typed } from './typed.js';

export class Splitting {
	constructor(parts) {
		Object.assign(this, parts);
		this.bone = this.selection.active;
		this.share = 0.5;
		this.by_motion = false;
		this.typed = new Typed();
		this.#show();
	}

	get text() {
		const { name } = this.session.rig.bones[this.bone];
		return this.by_motion ? `Split ${name} where its motion changes` : `Split ${name} at ${this.typed.text || this.share.toFixed(2)} of its length`;
	}

	get hint() { return 'pointer or number: where  ·  M: where its motion changes  ·  Enter confirms  ·  Esc cancels'; }

	key(event) {
		if (event.key.toLowerCase() === 'm') this.by_motion = !this.by_motion;
		else if (!this.typed.take(event.key)) return false;
		if (this.typed.value !== null) this.share = Math.max(0.01, Math.min(0.99, this.typed.value));
		this.#show();
		return true;
	}

	move(place) {
		if (this.typed.value !== null) return;
		const { joints, tails } = this.display.view.bones, a = this.viewport.project(joints[this.bone]), b = this.viewport.project(tails[this.bone]);
		const dx = b.x - a.x, dy = b.y - a.y, size = dx * dx + dy * dy || 1;
		this.share = Math.max(0.05, Math.min(0.95, ((place.x - a.x) * dx + (place.y - a.y) * dy) / size));
		this.#show();
	}

	#show() {
		const { joints, tails } = this.display.view.bones;
		this.display.mark_point(this.by_motion ? null : joints[this.bone].clone().lerp(tails[this.bone], this.share));
	}

	end() {
		this.display.mark_point(null);
		return this.edits.split(this.bone, this.by_motion ? null : this.share);
	}

	cancel() { this.display.mark_point(null); }
}
