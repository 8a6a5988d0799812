/**
 * The mode Paint: the pointer paints faces that move with the chosen bone alone; ctrl erases. Enter
 * makes it an edit, and so does whatever leaves it: another bone, another mode. Topics: "painted".
 */
import { faces_near, pick_face } from '../view/pick.js';
import { Signal } from '../base/signal.js';

const TRIES = 3, PAUSE = 500; // milliseconds

export class Painting extends Signal {
	#strokes = []; // the faces before each stroke
	#is_down = false;
	#unsent = []; // kept, and not yet the studio's
	#is_sending = false;

	/** parts: {viewport, display, look, selection, session, edits} */
	constructor(parts) {
		super();
		Object.assign(this, parts);
		this.faces = new Set();
		this.bone = null; // the name of the bone that is painted for
		this.session.on('rig', (rig) => this.#take_rig(rig));
		this.session.api.on('link', (is_there) => { if (is_there) this.#send(); });
		this.selection.on('selection', () => { if (this.selection.active_bone?.name !== this.bone) this.keep(); });
	}

	/** faces stay where the surface does, and the bone */
	#take_rig(rig) {
		if (rig?.surface !== this.surface || !rig?.index.has(this.bone)) return this.clear();
		return this.#show();
	}

	clear() {
		this.faces = new Set();
		this.#strokes = [];
		this.bone = null;
		this.#show();
	}

	/** What is painted becomes an edit, when the studio is there. */
	keep() {
		const { faces, bone, surface } = this;
		this.#is_down = false;
		this.clear();
		if (faces.size > 0) this.#unsent.push({ faces, bone, surface, tries: 0 });
		return this.#send();
	}

	/** one after the other; what is refused again and again is shown as not kept */
	async #send() {
		if (this.#is_sending) return;
		this.#is_sending = true;
		while (this.#unsent.length > 0 && this.session.api.is_there) {
			const [first] = this.#unsent, { rig } = this.session, b = rig?.index.get(first.bone) ?? -1;
			const is_over = b < 0 || first.surface !== rig.surface || await this.edits.paint(b, [...first.faces]);
			if (is_over || ++first.tries === TRIES) this.#unsent.shift();
			if (!is_over && first.tries === TRIES && this.faces.size === 0) Object.assign(this, first);
			if (!is_over) await new Promise((done) => { setTimeout(done, PAUSE); });
		}
		this.#is_sending = false;
		this.#show();
	}

	/** Takes the last stroke back; false where there is none. */
	undo_stroke() {
		if (this.#strokes.length === 0) return false;
		this.faces = this.#strokes.pop();
		this.#is_down = false;
		this.#show();
		return true;
	}

	#show() {
		this.display?.view?.surface.mark_faces([...this.faces]);
		this.viewport.request();
		this.emit('painted', this.faces.size);
	}

	#dab(place, event) {
		const { surface } = this.display.view, points = surface.posed_points(), { indices } = surface.rig.surface, ray = this.viewport.ray(place.x, place.y);
		const hit = pick_face(ray, points, indices);
		if (!hit) return false;
		const near = faces_near(hit.point, this.look.get('size') / 2, ray.direction, points, indices);
		for (const face of [hit.face, ...near]) {
			if (event.ctrlKey) this.faces.delete(face);
			else this.faces.add(face);
		}
		this.#show();
		return true;
	}

	press(place, event) {
		if (this.selection.active < 0 || !this.display.view) return false;
		const before = new Set(this.faces);
		if (!this.#dab(place, event)) return false;
		this.bone = this.selection.active_bone.name;
		this.surface = this.session.rig.surface;
		this.#strokes.push(before);
		this.#is_down = true;
		return true;
	}

	/** a stroke that was taken back ends */
	move(place, event) { if (this.#is_down) this.#dab(place, event); }

	release() { this.#is_down = false; }

	hover(place) {
		const { view } = this.display;
		if (!view) return true;
		const hit = pick_face(this.viewport.ray(place.x, place.y), view.surface.posed_points(), view.rig.surface.indices);
		this.display.mark_point(hit?.point ?? null, this.look.get('size') / 2);
		return true;
	}
}
