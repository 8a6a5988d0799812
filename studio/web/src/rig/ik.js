/**
 * Inverse kinematics of a chain: the end of a bone is brought to a point by turning it and the bones above it, each in turn towards the
 * target (cyclic coordinate descent, Wang and Chen 1991), within the joints' limits. Starts from the pose that is given, so that one target gives one pose.
 */
import { between, mix, multiply, NO_TURN } from '../base/turns.js';
import { distance, normal, subtract } from '../base/vectors.js';
import { Pose } from './pose.js';

const ROUNDS = 60;

/** target in the mesh's units; chain: how many bones turn; gives a new pose */
export function reach(rig, from, b, target, chain, keep_limits) {
	const pose = from.copy(), bones = rig.chain(b).slice(0, Math.max(1, chain)), good = 1e-7 * rig.surface.diagonal;
	let world = pose.world(rig);
	for (let round = 0; round < ROUNDS; round++) {
		for (const [i, at] of bones.entries()) {
			const end = Pose.tail(rig, world, b), arm = subtract(end, world.places[at]), want = subtract(target, world.places[at]);
			if (distance(end, world.places[at]) < good || distance(target, world.places[at]) < good) continue;
			// those far up turn less at once: the whole chain bends instead of its end
			const step = mix(NO_TURN, between(normal(arm), normal(want)), round < 8 && i === 0 && bones.length > 1 ? 0.5 : 1);
			pose.set_world_turn(rig, world, at, multiply(step, world.turns[at]));
			if (keep_limits) pose.clamp(rig, at);
			world = pose.world(rig);
		}
		if (distance(Pose.tail(rig, world, b), target) < good) break;
	}
	return pose;
}
