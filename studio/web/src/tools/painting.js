/**
 * The mode Paint: the pointer paints faces that move with the chosen bone alone; ctrl erases. Enter
 * makes it an edit. Topics: "painted".
 */
import { faces_near, pick_face } from '../view/pick.js';
import { Signal } from '../base/signal.js';

export class Painting extends Signal {
	/** parts: {viewport, display, look, selection, session} */
	constructor(parts) {
		super();
		Object.assign(this, parts);
		this.faces = new Set();
		this.is_on = false;
		this.session.on('rig', () => this.clear());
		this.selection.on('selection', () => this.clear());
	}

	clear() {
		this.faces.clear();
		this.#show();
	}

	#show() {
		this.display.view?.surface.mark_faces([...this.faces]);
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

	press(place, event) { return this.selection.active >= 0 && this.display.view !== null && this.#dab(place, event); }

	move(place, event) { this.#dab(place, event); }

	hover(place) {
		const { view } = this.display;
		if (!view) return true;
		const hit = pick_face(this.viewport.ray(place.x, place.y), view.surface.posed_points(), view.rig.surface.indices);
		this.display.mark_point(hit?.point ?? null, this.look.get('size') / 2);
		return true;
	}
}
