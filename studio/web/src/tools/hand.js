/**
 * The pointer over the scene: the camera's drags, the gizmo's handles, a drag that a key began (R,
 * G), the mode's own tool, and picking of bones. One drag at a time. Topics: "drag" (its hint
 * changed, or null when it ended).
 */
import { Orbit } from '../view/orbit.js';
import { pick_bone, pick_face } from '../view/pick.js';
import { Signal } from '../base/signal.js';

// pixels: that a click may move; around the active joint, where handles win; how near a bone wins
const STILL = 4, OWN = 10, CLOSE = 3;

export class Hand extends Signal {
	/** parts: {viewport, selection, posing}; view(): the rig's view, or null */
	constructor(parts, view) {
		super();
		Object.assign(this, parts);
		this.view = view;
		this.gizmo = null;
		this.drag = null; // of a key
		this.eye = null; // {kind, x, y} of a button
		this.press = null;
		this.tool = null; // of the mode: {press, move, release, hover}, each may take the event
		this.pointer = { x: 0, y: 0 };
		const { pane } = this.viewport;
		// a drag that a key begins starts where the pointer is, over the scene or not
		window.addEventListener('pointermove', (event) => { this.pointer = this.viewport.place(event); }, { capture: true });
		window.addEventListener('pointerdown', (event) => { this.pointer = this.viewport.place(event); }, { capture: true });
		pane.addEventListener('pointerdown', (event) => this.#down(event));
		pane.addEventListener('pointermove', (event) => this.#move(event));
		pane.addEventListener('pointerup', (event) => this.#up(event));
		pane.addEventListener('pointercancel', (event) => this.#up(event));
		pane.addEventListener('pointerleave', () => this.selection.hover(-1));
		pane.addEventListener('contextmenu', (event) => event.preventDefault());
		pane.addEventListener('mousedown', (event) => event.button === 1 && event.preventDefault());
	}

	/**
	 * Begins a drag that follows the pointer without a button: {text, hint, key, move, end,
	 * cancel}.
	 */
	begin(drag) {
		this.finish(false);
		this.drag = drag;
		this.emit('drag', drag);
	}

	finish(keep) {
		const { drag } = this;
		if (!drag) return;
		this.drag = null;
		if (keep) drag.end();
		else drag.cancel();
		this.emit('drag', null);
		this.viewport.request();
	}

	/** whether a key belonged to the current drag */
	key = (event) => {
		if (!this.drag) return false;
		if (event.key === 'Enter' || event.key === ' ') this.finish(true);
		else if (event.key === 'Escape') this.finish(false);
		else if (this.drag.key(event)) this.emit('drag', this.drag);
		else return !event.ctrlKey && event.key.length === 1;
		return true;
	};

	#down(event) {
		this.viewport.pane.focus({ preventScroll: true });
		if (this.drag) {
			this.finish(event.button === 0);
			return;
		}
		const place = this.viewport.place(event), eye = Orbit.drag_of(event);
		if (eye) return this.#begin_eye(event, eye);
		if (event.button !== 0 || this.gizmo?.is_wanted) return undefined;
		this.press = { ...place, event };
		if (this.tool?.press?.(place, event)) {
			this.viewport.pane.setPointerCapture(event.pointerId);
			this.press.is_tool = true;
		}
		return undefined;
	}

	#begin_eye(event, kind) {
		event.preventDefault();
		this.viewport.pane.setPointerCapture(event.pointerId);
		this.eye = { kind, x: event.clientX, y: event.clientY };
	}

	#move(event) {
		const place = this.viewport.place(event);
		if (this.eye) {
			this.viewport.orbit.drag(this.eye.kind, event.clientX - this.eye.x, event.clientY - this.eye.y);
			Object.assign(this.eye, { x: event.clientX, y: event.clientY });
		} else if (this.drag) {
			this.drag.move(place, event);
			this.emit('drag', this.drag);
		} else if (this.press?.is_tool) this.tool.move?.(place, event);
		else if (this.press && Math.hypot(place.x - this.press.x, place.y - this.press.y) > STILL) {
			// a drag that began on no handle orbits the camera
			this.#begin_eye(event, event.shiftKey ? 'move' : 'turn');
			this.press = null;
		} else if (!this.gizmo?.is_dragged) this.#hover(place, event);
	}

	/** whether a bone other than the active one is under the pointer, away from the active joint */
	is_over_other(place) {
		const view = this.view();
		if (!view?.bones.object.visible || this.drag || this.tool) return false;
		const joint = this.viewport.project(view.bones.joints[this.selection.active]);
		if (Math.hypot(joint.x - place.x, joint.y - place.y) < OWN) return false;
		const bone = pick_bone(this.viewport, view.bones, place.x, place.y, CLOSE);
		return bone >= 0 && bone !== this.selection.active;
	}

	#hover(place, event) {
		const view = this.view();
		if (this.tool?.hover?.(place, event)) return;
		this.selection.hover(view && !this.gizmo?.is_wanted ? pick_bone(this.viewport, view.bones, place.x, place.y) : -1);
	}

	#up(event) {
		const { press } = this;
		this.eye = null;
		this.press = null;
		if (!press) return;
		if (press.is_tool) return void this.tool?.release?.(this.viewport.place(event), event);
		if (this.tool?.click?.(this.viewport.place(event), event)) return;
		this.#click(this.viewport.place(event), event);
	}

	#click(place, event) {
		const view = this.view();
		if (!view) return;
		let bone = view.bones.object.visible ? pick_bone(this.viewport, view.bones, place.x, place.y) : -1;
		if (bone < 0) bone = this.#bone_of_skin(view, place);
		if (bone < 0) {
			if (!event.shiftKey) this.selection.set([]);
		} else if (event.shiftKey || event.ctrlKey) this.selection.toggle(bone);
		else this.selection.set([bone]);
	}

	/** the bone that moves the skin under the pointer most, or -1 */
	#bone_of_skin(view, place) {
		const { weights, surface, bone_count } = view.rig;
		if (!weights || bone_count === 0) return -1;
		const hit = pick_face(this.viewport.ray(place.x, place.y), view.surface.posed_points(), surface.indices);
		if (!hit) return -1;
		const sums = new Float64Array(bone_count), { influences, bones, values } = weights;
		for (let k = 0; k < 3; k++) {
			const at = surface.vertex(surface.indices[3 * hit.face + k]) * influences;
			for (let i = at; i < at + influences; i++) sums[bones[i]] += values[i];
		}
		return sums.indexOf(Math.max(...sums));
	}
}
