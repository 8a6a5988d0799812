/**
 * The mode Paint: the pointer paints faces that move with the chosen bone alone; ctrl erases. Enter
 * makes it an edit, and so does whatever leaves it: another bone, another mode, another session.
 * Topics: "painted", "lost" (the name of a bone that is gone, with what was painted for it).
 */
import { faces_near, pick_face } from '../view/pick.js';
import { Signal } from '../base/signal.js';

const TRIES = 3, PAUSE = 500; // milliseconds

export class Painting extends Signal {
	#strokes = []; // the faces before each stroke
	#is_down = false;
	#unsent = []; // kept, and not yet the studio's: {faces, bone, mesh, place: the session, tries}
	#sending = null;

	/** parts: {viewport, display, look, posing, selection, session, edits} */
	constructor(parts) {
		super();
		Object.assign(this, parts);
		this.faces = new Set();
		this.bone = null; // the name of the bone that is painted for
		this.mesh = this.place = null; // and the mesh and session of which it is
		this.session.on('rig', () => this.#take_rig());
		this.session.api.on('link', (is_there) => { if (is_there) this.#send_again(); });
		this.posing.on('renamed', (names) => this.#follow(names));
		this.selection.on('selection', () => { if (this.selection.active_bone?.name !== this.bone) this.keep(); });
	}

	get #is_here() { return this.place === this.session.api.session && this.mesh === this.session.surface_key; }

	/** faces stay where the surface does */
	#take_rig() {
		if (this.faces.size > 0 && !this.#is_here) this.keep();
		else this.#show();
		this.#send();
	}

	#follow(names) {
		for (const one of [this, ...this.#unsent]) one.bone = names.get(one.bone) ?? one.bone;
	}

	clear() {
		this.faces = new Set();
		this.#strokes = [];
		this.bone = null;
		this.#show();
	}

	/** What is painted becomes an edit, when the studio is there; resolves then. */
	keep() {
		const { faces, bone, mesh, place } = this;
		this.#is_down = false;
		this.clear();
		if (faces.size > 0) this.#unsent.push({ faces, bone, mesh, place, tries: 0 });
		return this.#send_again();
	}

	#send_again() {
		for (const one of this.#unsent) one.tries = 0;
		return this.#send();
	}

	/** the bones of what waits, and whether something is not yet the studio's */
	get waiting() { return this.#unsent.map(({ bone, place, tries }) => [bone, place, tries]); }

	get is_unsent() { return this.#unsent.length > 0 || this.faces.size > 0; }

	#send() {
		this.#sending ??= this.#send_all().finally(() => {
			this.#sending = null;
			this.#show();
			// kept in the same moment
			if (this.#next && this.session.api.is_there && this.session.rig) this.#send();
		});
		return this.#sending;
	}

	/** what was refused waits until something is kept again, or the studio is back */
	get #next() { return this.#unsent.find(({ place, tries }) => place === this.session.api.session && tries < TRIES); }

	/** one after the other; what belongs to another session waits until that is shown */
	async #send_all() {
		for (let first = this.#next; first && this.session.api.is_there && this.session.rig; first = this.#next) {
			const fate = await this.#send_one(first), is_shown = fate === 'refused' && this.faces.size === 0;
			if (fate === 'done' || is_shown) this.#unsent = this.#unsent.filter((one) => one !== first);
			if (is_shown) Object.assign(this, { faces: first.faces, bone: first.bone, mesh: first.mesh, place: first.place });
			if (fate === 'again') await new Promise((done) => { setTimeout(done, PAUSE); });
		}
	}

	/** 'done', 'again', or after some tries 'refused', which is shown as not kept */
	async #send_one(one) {
		const b = this.session.rig.index.get(one.bone) ?? -1;
		if (b < 0 || one.mesh !== this.session.surface_key) {
			this.emit('lost', one.bone);
			return 'done';
		}
		if (await this.edits.paint(b, [...one.faces])) return 'done';
		if (!this.session.api.is_there) return 'again';
		return ++one.tries < TRIES ? 'again' : 'refused';
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
		this.display?.view?.surface.mark_faces(this.#is_here ? [...this.faces] : []);
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
		Object.assign(this, { bone: this.selection.active_bone.name, mesh: this.session.surface_key, place: this.session.api.session });
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
