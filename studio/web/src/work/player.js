/**
 * The time: the frame that is shown, and playing. The pose follows the clip without the server.
 * Topics: "frame" (the number, perhaps between two frames while it plays), "play".
 */
import { Signal } from '../base/signal.js';
import { Pose } from '../rig/pose.js';

export class Player extends Signal {
	constructor({ session, posing, look }) {
		super();
		Object.assign(this, { session, posing, look });
		this.frame = 0;
		this.playing = false;
		this.moved = false;
		this.last = 0;
		this.surface = null;
		this.had_bones = false;
		session.on('rig', (rig) => this.#take_rig(rig));
		session.on('clip', () => this.go(0));
	}

	get times() { return this.session.rig?.clip?.times ?? this.session.state.input?.times ?? []; }

	get count() { return this.times.length; }

	#take_rig(rig) {
		if (rig?.surface !== this.surface || this.frame >= this.count) {
			this.frame = 0;
			this.moved = false; // until then the rest pose is shown
		}
		// a mesh that was in a frame of its motion, and now has bones
		else if (this.moved && !this.had_bones && rig?.clip) this.go(this.frame);
		this.surface = rig?.surface;
		this.had_bones = rig?.bone_count > 0;
		if (this.count < 2) this.stop();
		this.emit('frame', this.frame);
	}

	/** Shows a frame: the pose becomes the clip's. */
	go(frame) {
		if (this.count === 0) return;
		this.frame = Math.max(0, Math.min(this.count - 1, frame));
		this.moved = true;
		if (this.session.rig?.clip && !this.posing.held) this.posing.set(Pose.of_clip(this.session.rig, this.frame));
		this.emit('frame', this.frame);
	}

	step(direction) { this.go(Math.round(this.frame) + direction); }

	toggle() {
		if (this.playing) this.stop();
		else this.play();
	}

	play() {
		if (this.count < 2 || this.playing) return;
		this.playing = true;
		this.last = performance.now();
		this.emit('play', true);
		if (this.frame >= this.count - 1) this.frame = 0;
		const next = (now) => {
			if (!this.playing) return;
			this.#advance((now - this.last) / 1000 * this.look.get('speed'));
			this.last = now;
			requestAnimationFrame(next);
		};
		requestAnimationFrame(next);
	}

	stop() {
		if (!this.playing) return;
		this.playing = false;
		this.go(Math.round(this.frame));
		this.emit('play', false);
	}

	#advance(seconds) {
		const { times } = this, last = times.length - 1, first = Math.min(last - 1, Math.floor(this.frame)), share = this.frame - first;
		let at = times[first] + share * (times[first + 1] - times[first]) + seconds;
		if (at >= times[last]) {
			if (!this.look.get('loop')) { this.frame = last; return this.stop(); }
			at = times[0] + (at - times[0]) % (times[last] - times[0]);
		}
		let f = times.findIndex((time) => time > at) - 1;
		if (f < 0) f = last - 1;
		return this.go(f + (at - times[f]) / (times[f + 1] - times[f]));
	}
}
