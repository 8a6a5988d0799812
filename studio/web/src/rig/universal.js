/**
 * Joints that turn about two axes, one after the other: their angles and the limits of these. The
 * same steps as the library's rig/universal_joint.c.
 */
import { about, angles_near, between, inverse, multiply, of_angles, turn } from '../base/turns.js';
import { cross, dot } from '../base/vectors.js';
import { hinge_limits } from './hinge.js';

/**
 * a frame whose z is the first axis and y the second, in the joint's own frame: the turn of the
 * joint is frame Rz Ry frame^-1; null where it is none
 */
export function universal_frame(bone) {
	if (bone.kind !== 'universal') return null;
	const [z, y] = [bone.axis, bone.second_axis].map((axis) => turn(inverse(bone.orientation), axis));
	const upright = between([0, 0, 1], z), there = turn(upright, [0, 1, 0]);
	return multiply(about(z, Math.atan2(dot(z, cross(there, y)), dot(there, y))), upright);
}

/** degrees about [x, second, first] of a turn; x is 0 but for what is off the joint */
export const universal_angles = (frame, q, near = [0, 0, 0]) => angles_near(multiply(inverse(frame), multiply(q, frame)), near);

export const universal_turn = (frame, angles) => multiply(frame, multiply(of_angles(angles), inverse(frame)));

/** [least, largest] degrees about [x, second, first] */
export function universal_limits(bone) {
	const known = bone.axis_limits ?? [0, 0, 0, 0];
	if (known.some((limit) => limit !== 0)) return [[0, 0], known.slice(2), known.slice(0, 2)];
	const [first, second] = [bone.axis, bone.second_axis].map((axis) => hinge_limits({ ...bone, kind: 'hinge', axis }));
	return [[0, 0], second, first];
}
