/** A in the mode Edit: a child of the chosen bone to the clicked point of the surface. */
import { pick_face } from '../view/pick.js';

export class Adding {
	constructor(parts) {
		Object.assign(this, parts);
		this.bone = this.selection.active;
		this.point = null;
	}

	get text() {
		const { name } = this.session.rig.bones[this.bone];
		return this.point ? `A branch of ${name} to here` : `A branch of ${name}: point at the surface`;
	}

	get hint() { return 'click: its end  ·  Esc cancels  ·  by numbers: the panel Bone'; }

	key() { return false; }

	move(place) {
		const { surface } = this.display.view, hit = pick_face(this.viewport.ray(place.x, place.y), surface.posed_points(), surface.rig.surface.indices);
		this.point = hit?.point ?? null;
		this.display.mark_point(this.point);
	}

	end() {
		this.display.mark_point(null);
		return this.point ? this.edits.add(this.bone, this.session.rig.surface.mesh_point(this.point.toArray())) : undefined;
	}

	cancel() { this.display.mark_point(null); }
}
