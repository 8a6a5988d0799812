/**
 * Joints that turn about one axis: their angle and its limits. The same steps as the library's
 * rig/hinge.c.
 */
import { DEGREE, about, angles_near, inverse, turn } from '../base/turns.js';

const WIDEST = 360, COARSE = 5, HALVINGS = 40; // degrees that limits may be, in which angles are followed

/** in the joint's own frame, or null where it is no hinge */
export const hinge_axis = (bone) => (bone.kind === 'hinge' ? turn(inverse(bone.orientation), bone.axis) : null);

/**
 * the axis about which a driver turns, in its own frame: the hinge's, or that of the twist (in
 * the world at rest)
 */
export const driver_turns_about = (bone, axis) => (axis ? turn(inverse(bone.orientation), axis) : hinge_axis(bone));

/** degrees of the rotation about the axis nearest to q; of whole circles the nearest to `near` */
export function hinge_angle(q, axis, near = 0) {
	const angle = 2 * Math.atan2(q[0] * axis[0] + q[1] * axis[1] + q[2] * axis[2], q[3]) / DEGREE;
	return angle + 360 * Math.round((near - angle) / 360);
}

export const hinge_turn = (axis, degrees) => about(axis, degrees * DEGREE);

/**
 * how far the hinge turns until the frame's angle k is at its limit; by its share where the angle
 * falls before
 */
function angle_at(k, axis, limit) {
	if (limit === 0) return 0;
	const angles = (degrees, near) => angles_near(hinge_turn(axis, degrees), near), step = limit / axis[k] < 0 ? -COARSE : COARSE;
	let before = [0, 0, 0];
	for (let hinge = step; Math.abs(hinge) <= WIDEST; hinge += step) {
		const now = angles(hinge, before);
		if (Math.abs(now[k]) > Math.abs(limit)) {
			let inside = hinge - step, outside = hinge;
			for (let i = 0; i < HALVINGS; i++) {
				const middle = 0.5 * (inside + outside);
				if (Math.abs(angles(middle, before)[k]) > Math.abs(limit)) outside = middle;
				else inside = middle;
			}
			return inside;
		}
		if (Math.abs(now[k]) < Math.abs(before[k])) break;
		before = now;
	}
	return limit / axis[k];
}

/** [least, largest] degrees of a hinge: by the limits of the frame's axis nearest to its own */
export function hinge_limits(bone) {
	const axis = hinge_axis(bone), k = [1, 2].reduce((most, at) => (Math.abs(axis[at]) > Math.abs(axis[most]) ? at : most), 0);
	const [a, b] = bone.limits[k].map((limit) => angle_at(k, axis, limit));
	return [Math.max(Math.min(a, b), -WIDEST), Math.min(Math.max(a, b), WIDEST)];
}
