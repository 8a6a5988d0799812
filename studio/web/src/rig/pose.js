/**
 * A pose: the local rotation of every bone and the position of the root, and what follows from
 * them: joints in the world, the surface's transforms. The same steps as the library's
 * ossa_rig_pose.
 */
import { driver_turns_about, hinge_angle, hinge_axis, hinge_limits, hinge_turn } from './hinge.js';
import { universal_angles, universal_frame, universal_limits, universal_turn } from './universal.js';
import { add, blend, subtract } from '../base/vectors.js';
import { angles_of, inverse, mix, multiply, of_angles, turn, unit } from '../base/turns.js';

/**
 * the angle itself, or the limit that is nearer on the circle: 200 degrees are beyond 110, not
 * before -5
 */
function nearest_within(angle, [least, most]) {
	if (angle >= least && angle <= most) return angle;
	const distance = (limit) => Math.abs(((((angle - limit) % 360) + 540) % 360) - 180);
	return distance(least) < distance(most) ? least : most;
}

export class Pose {
	/**
	 * slides: local positions of the bones relative to their parents where they differ from the
	 * rest pose, or null
	 */
	constructor(rotations, root, slides = null) {
		this.rotations = rotations;
		this.root = root;
		this.slides = slides;
	}

	static rest = (rig) => new Pose(rig.bones.map((bone) => [...bone.rest.rotation]), [...(rig.bones[0]?.joint ?? [0, 0, 0])]);

	copy = () => new Pose(this.rotations.map((q) => [...q]), [...this.root], this.slides && this.slides.map((place) => [...place]));

	/** of a clip at a frame, interpolated between frames */
	static of_clip(rig, frame) {
		const { rotations, roots, slides, times } = rig.clip, count = rig.bone_count, last = times.length - 1;
		const first = Math.max(0, Math.min(last, Math.floor(frame))), next = Math.min(last, first + 1), share = Math.max(0, Math.min(1, frame - first));
		const turn_at = (f, b) => Array.from(rotations.subarray(4 * (f * count + b), 4 * (f * count + b) + 4));
		const root_at = (f) => Array.from(roots.subarray(3 * f, 3 * f + 3));
		const turns = rig.bones.map((_, b) => (share === 0 ? unit(turn_at(first, b)) : mix(turn_at(first, b), turn_at(next, b), share)));
		const slide_at = (f, b) => Array.from(slides.subarray(3 * (f * count + b), 3 * (f * count + b) + 3));
		return new Pose(turns, share === 0 ? root_at(first) : blend(root_at(first), root_at(next), share), slides && rig.bones.map((_, b) => blend(slide_at(first, b), slide_at(next, b), share)));
	}

	/**
	 * rotations of bones relative to their rest poses, by name, and the root's translation:
	 * survives changes of the skeleton
	 */
	by_name(rig) {
		const turns = {};
		rig.bones.forEach((bone, b) => {
			const q = multiply(inverse(bone.rest.rotation), this.rotations[b]);
			if (Math.abs(Math.abs(q[3]) - 1) > 1e-14) turns[bone.name] = q;
		});
		return { turns, moved: subtract(this.root, rig.bones[0]?.joint ?? [0, 0, 0]) };
	}

	static of_names(rig, { turns, moved }) {
		const pose = Pose.rest(rig);
		rig.bones.forEach((bone, b) => {
			if (turns[bone.name]) pose.rotations[b] = unit(multiply(bone.rest.rotation, turns[bone.name]));
		});
		pose.root = add(pose.root, moved ?? [0, 0, 0]);
		return pose;
	}

	/** degrees about the joint's own axes against rest */
	angles = (rig, b) => angles_of(multiply(inverse(rig.bones[b].rest.rotation), this.rotations[b]));

	set_angles(rig, b, degrees) {
		this.rotations[b] = unit(multiply(rig.bones[b].rest.rotation, of_angles(degrees)));
	}

	/** of all joints: {turns: B x [x y z w], places: B x [x y z]} */
	world(rig) {
		const turns = [], places = [];
		rig.bones.forEach((bone, b) => {
			const { parent } = bone;
			turns.push(parent < 0 ? unit(this.rotations[b]) : unit(multiply(turns[parent], this.rotations[b])));
			places.push(parent < 0 ? [...this.root] : add(places[parent], turn(turns[parent], this.slides?.[b] ?? bone.rest.place)));
		});
		return { turns, places };
	}

	/** the position of a bone's tail */
	static tail(rig, world, b) {
		const bone = rig.bones[b];
		return add(world.places[b], turn(multiply(world.turns[b], inverse(bone.orientation)), subtract(bone.tail, bone.joint)));
	}

	/** sets the local rotation of b so that it has this rotation in the world */
	set_world_turn(rig, world, b, q) {
		const { parent } = rig.bones[b];
		this.rotations[b] = unit(parent < 0 ? q : multiply(inverse(world.turns[parent]), q));
	}

	/** degrees of a hinge against rest; of whole circles the nearest to `near` */
	hinge_angle(rig, b, near = 0) {
		const bone = rig.bones[b];
		return hinge_angle(multiply(inverse(bone.rest.rotation), this.rotations[b]), hinge_axis(bone), near);
	}

	/**
	 * degrees of what drives a dependent bone: a hinge's angle, or a twist about the
	 * dependency's axis
	 */
	driver_angle(rig, { driver, driver_axis }, near = 0) {
		const bone = rig.bones[driver];
		return hinge_angle(multiply(inverse(bone.rest.rotation), this.rotations[driver]), driver_turns_about(bone, driver_axis), near);
	}

	/**
	 * dependent bones turn by the ratio of what their drivers were turned since `from`, as in the
	 * library's rig/drive.c; those that were turned themselves stay
	 */
	follow(rig, from, turned) {
		for (const dependency of rig.dependencies) {
			const { bone, driver, ratio } = dependency;
			if (!turned.includes(driver) || turned.includes(bone)) continue;
			const before = from.driver_angle(rig, dependency), degrees = this.driver_angle(rig, dependency, before) - before, { rotation } = rig.bones[bone].rest;
			const own = multiply(hinge_turn(hinge_axis(rig.bones[bone]), ratio * degrees), multiply(inverse(rotation), from.rotations[bone]));
			this.rotations[bone] = unit(multiply(rotation, own));
		}
	}

	/** clamps the turn of b to its limits; whether it exceeded them */
	clamp(rig, b) {
		const bone = rig.bones[b], limits = bone.kind === 'prismatic' ? [[0, 0], [0, 0], [0, 0]] : bone.limits;
		if (!limits) return false;
		if (bone.kind === 'universal') return this.#clamp_universal(rig, b);
		const angles = this.angles(rig, b);
		const inside = angles.map((angle, k) => nearest_within(angle, limits[k]));
		if (inside.every((angle, k) => Math.abs(angle - angles[k]) < 1e-9)) return false;
		if (bone.kind === 'hinge') return this.#clamp_hinge(rig, b, Math.max(...inside.map((angle, k) => Math.abs(angle - angles[k]))));
		this.set_angles(rig, b, inside);
		return true;
	}

	/** to its two axes, but for what the limits of its three angles allow beside them */
	#clamp_universal(rig, b) {
		const bone = rig.bones[b], frame = universal_frame(bone), limits = universal_limits(bone);
		const beyond = (q) => Math.max(...angles_of(q).map((at, k) => Math.abs(at - nearest_within(at, bone.limits[k]))));
		const now = multiply(inverse(bone.rest.rotation), this.rotations[b]);
		const angles = universal_angles(frame, now, limits.map(([least, most]) => (least + most) / 2)), inside = angles.map((angle, k) => nearest_within(angle, limits[k]));
		const own = universal_turn(frame, inside), is_within = [1, 2].every((k) => Math.abs(angles[k] - inside[k]) < 1e-9);
		if (is_within && beyond(now) - beyond(own) < 1e-9) return false;
		this.rotations[b] = unit(multiply(bone.rest.rotation, own));
		return true;
	}

	/**
	 * beyond: by how many degrees it exceeds the limits of its three angles; what its axis itself
	 * exceeds them by is allowed
	 */
	#clamp_hinge(rig, b, beyond) {
		const bone = rig.bones[b], axis = hinge_axis(bone);
		const angle = hinge_angle(multiply(inverse(bone.rest.rotation), this.rotations[b]), axis), inside = nearest_within(angle, hinge_limits(bone));
		const own = hinge_turn(axis, inside), by_axis = angles_of(own).map((at, k) => Math.abs(at - nearest_within(at, bone.limits[k])));
		if (Math.abs(angle - inside) < 1e-9 && beyond - Math.max(...by_axis) < 1e-9) return false;
		this.rotations[b] = unit(multiply(bone.rest.rotation, own));
		return true;
	}
}

/**
 * Every bone rotated randomly within its limits (those without: within `free` degrees), by at most
 * `share` of the range; dependent bones stand where their drivers have them.
 */
export function random_pose(rig, share = 1, free = 30, random = Math.random) {
	const pose = Pose.rest(rig);
	rig.bones.forEach((bone, b) => {
		if (bone.parent < 0 || bone.kind === 'prismatic') return;
		if (bone.kind === 'hinge') {
			const [least, most] = bone.limits ? hinge_limits(bone) : [-free, free];
			pose.rotations[b] = unit(multiply(bone.rest.rotation, hinge_turn(hinge_axis(bone), share * (least + (most - least) * random()))));
			return;
		}
		if (bone.kind === 'universal') {
			const limits = bone.limits ? universal_limits(bone) : [[0, 0], [-free, free], [-free, free]];
			const angles = limits.map(([least, most]) => share * (least + (most - least) * random()));
			pose.rotations[b] = unit(multiply(bone.rest.rotation, universal_turn(universal_frame(bone), angles)));
			return;
		}
		const range = bone.limits ?? [[-free, free], [-free, free], [-free, free]];
		pose.set_angles(rig, b, range.map(([least, most]) => share * (least + (most - least) * random())));
	});
	for (const dependency of rig.dependencies) {
		const { bone, ratio, offset } = dependency, { rest } = rig.bones[bone];
		pose.rotations[bone] = unit(multiply(rest.rotation, hinge_turn(hinge_axis(rig.bones[bone]), ratio * pose.driver_angle(rig, dependency) + offset)));
	}
	return pose;
}
