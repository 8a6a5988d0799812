/**
 * Inverse kinematics of a chain: the end of a bone is brought to a point by turning it and the
 * bones above it. Damped least squares (Wampler 1986), the same steps as the library's
 * ossa_rig_reach: every iteration takes the smallest rotations that bring the end closer; angles
 * that would exceed a joint's limits are clamped, and the others compensate. A hinge turns by one
 * angle about its axis, a universal joint by two; a dependent bone by the ratio of what its driver
 * turns, or not at all. Starts from the given pose, so that one target gives one pose.
 */
import { DEGREE, about, angles_near, inverse, multiply, NO_TURN, of_angles, turn, unit } from '../base/turns.js';
import { driver_turns_about, hinge_angle, hinge_axis, hinge_limits, hinge_turn } from './hinge.js';
import { universal_angles, universal_frame, universal_limits, universal_turn } from './universal.js';
import { add, cross, distance, dot, length, scale, subtract } from '../base/vectors.js';

const ROUNDS = 200, LARGEST_TURN = 0.35; // radians of one joint in one iteration
const NEAR_ENOUGH = 1e-6, LEAST_GAIN = 1e-9; // of the chain's length
const FIRST_DAMPING = 1e-3, MOST_DAMPING = 1e4; // of the mean square of the derivatives
const FIRST_BEND = 0.05; // radians that a straight chain is bent to begin with
const UNITS = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

const own_turn = ({ hinge, aside, frame, angles }) => {
	if (hinge) return multiply(hinge_turn(hinge, angles[0]), aside);
	return frame ? universal_turn(frame, angles) : of_angles(angles);
};

const turn_by_angles = (link) => {
	link.local = unit(multiply(link.rest, own_turn(link)));
};

const turn_of = (vector) => {
	const angle = length(vector);
	return angle < 1e-12 ? unit([...scale(vector, 0.5), 1]) : about(scale(vector, 1 / angle), angle);
};

/** Puts links (the lowest first) into the world; returns the position of the end. */
function place_links(chain, links) {
	let up = chain.above;
	for (const link of links.toReversed()) {
		link.world = { turn: unit(multiply(up.turn, link.local)), place: add(up.place, turn(up.turn, link.offset)) };
		up = link.world;
	}
	return add(links[0].world.place, turn(links[0].world.turn, chain.end));
}

const up_of = (chain, i) => (i + 1 < chain.links.length ? chain.links[i + 1].world : chain.above).turn;

/** the world's axes, or the frame's own ones after rotations about z, then y, then x */
function axes_of(chain, i) {
	const link = chain.links[i];
	if (!link.low) return UNITS;
	const out = [], up = up_of(chain, i);
	if (link.hinge) return [turn(up, turn(link.rest, link.hinge)), [0, 0, 0], [0, 0, 0]];
	let so_far = link.frame ? multiply(link.rest, link.frame) : link.rest;
	for (const a of [2, 1, 0]) {
		out[a] = turn(up, turn(so_far, UNITS[a]));
		so_far = multiply(so_far, about(UNITS[a], link.angles[a] * DEGREE));
	}
	return out;
}

/** y of (J J^T + damping) y = error, over the free angles */
function solve(columns, held, error, damping) {
	let [xx, xy, xz, yy, yz, zz] = [damping, 0, 0, damping, 0, damping];
	columns.forEach(([x, y, z], i) => {
		if (held[i]) return;
		xx += x * x; xy += x * y; xz += x * z; yy += y * y; yz += y * z; zz += z * z;
	});
	const row_x = [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy], row_y = [row_x[1], xx * zz - xz * xz, xy * xz - xx * yz], row_z = [row_x[2], row_y[2], xx * yy - xy * xy];
	const determinant = dot([xx, xy, xz], row_x);
	return determinant > 0 ? scale([dot(row_x, error), dot(row_y, error), dot(row_z, error)], 1 / determinant) : [0, 0, 0];
}

/** the smallest rotations towards the target that limits allow, three of every link */
function find_turns(chain, columns, error, damping) {
	const turns = new Float64Array(columns.length), held = new Uint8Array(columns.length);
	for (;;) {
		const y = solve(columns, held, error, damping);
		let most = LARGEST_TURN, any = false;
		columns.forEach((column, i) => {
			if (held[i]) return;
			turns[i] = dot(column, y);
			most = Math.max(most, Math.abs(turns[i]));
		});
		const share = LARGEST_TURN / most;
		columns.forEach((column, i) => {
			const link = chain.links[Math.floor(i / 3)], a = i % 3;
			if (!link.low || held[i]) return;
			const to = link.angles[a] + share * turns[i] / DEGREE, inside = Math.max(link.low[a], Math.min(link.high[a], to));
			if (to === inside) return;
			turns[i] = (inside - link.angles[a]) * DEGREE;
			held[i] = 1;
			error = subtract(error, scale(column, turns[i]));
			any = true;
		});
		if (!any) return turns.map((angle, i) => (held[i] ? angle : angle * share));
	}
}

function turn_link(chain, i, link, turns) {
	if (link.low) {
		link.angles = link.angles.map((angle, a) => Math.min(Math.max(angle + turns[a] / DEGREE, link.low[a]), link.high[a]));
		turn_by_angles(link);
	} else {
		// about the world's axes: before the frame's own rotation, in its parent's frame
		link.local = unit(multiply(turn_of(turn(inverse(up_of(chain, i)), turns)), link.local));
	}
}

/**
 * how fast the twist of a link about an axis in its own frame grows with turns about axes in the
 * world, as in the library's rig/ik_followers.c
 */
function twist_gradient(link, axis) {
	const [x, y, z, w] = multiply(inverse(link.rest), link.local), v = [x, y, z], along = dot(v, axis), square = w * w + along * along;
	if (square < 1e-12) return [0, 0, 0];
	const sum = add(add(scale(axis, w * w), scale(cross(v, axis), -w)), scale(v, along));
	return turn(link.world.turn, scale(sum, 1 / square));
}

/** a dependent bone's columns become a part of its driver's, or nothing */
function join_columns(chain, axes, columns) {
	for (const { link, driver, ratio, twist } of chain.followers) {
		const gradient = driver >= 0 && twist ? twist_gradient(chain.links[driver], twist) : null;
		for (let a = 0; gradient && a < 3; a++) columns[3 * driver + a] = add(columns[3 * driver + a], scale(columns[3 * link], ratio * dot(gradient, axes[3 * driver + a])));
		if (driver >= 0 && !twist) columns[3 * driver] = add(columns[3 * driver], scale(columns[3 * link], ratio));
		columns[3 * link] = [0, 0, 0];
	}
}

/** degrees by which a driver turned */
function turned_by(twist, before, after) {
	if (!twist) return after.angles[0] - before.angles[0];
	const angle = (link, near) => hinge_angle(multiply(inverse(link.rest), link.local), twist, near), from = angle(before, 0);
	return angle(after, from) - from;
}

/** dependent bones turn by the ratio of what their drivers turned from `before` to `links` */
function follow(chain, before, links) {
	for (const { link, driver, ratio, twist } of chain.followers) {
		if (driver < 0) continue;
		links[link].angles = [links[link].angles[0] + ratio * turned_by(twist, before[driver], links[driver]), 0, 0];
		turn_by_angles(links[link]);
	}
}

/** One iteration: the end where the distance decreased, else null; damping grows until it does. */
function improve(chain, point) {
	const error = subtract(chain.goal, point), before = length(error);
	const axes = chain.links.flatMap((_, i) => axes_of(chain, i)), columns = axes.map((axis, a) => cross(axis, subtract(point, chain.links[Math.floor(a / 3)].world.place)));
	join_columns(chain, axes, columns);
	const square = columns.reduce((sum, column) => sum + dot(column, column), 0) / 3;
	for (; chain.damping < MOST_DAMPING; chain.damping *= 4) {
		const turns = find_turns(chain, columns, error, chain.damping * square + 1e-300), tried = chain.links.map((link) => ({ ...link }));
		tried.forEach((link, i) => turn_link(chain, i, link, [...turns.subarray(3 * i, 3 * i + 3)]));
		follow(chain, chain.links, tried);
		const there = place_links(chain, tried), after = distance(there, chain.goal);
		if (!(after < before - LEAST_GAIN * chain.length) && !(after < NEAR_ENOUGH * chain.length && after < before)) continue;
		chain.links = tried;
		chain.damping = Math.max(chain.damping / 8, 1e-9);
		return there;
	}
	return null;
}

function approach(chain, point) {
	chain.damping = FIRST_DAMPING;
	while (chain.rounds < ROUNDS && distance(point, chain.goal) > NEAR_ENOUGH * chain.length) {
		chain.rounds++;
		const next = improve(chain, point);
		if (!next) break;
		point = next;
	}
	return point;
}

/**
 * A straight chain is bent a little: every second link in the opposite direction, about the
 * perpendicular axis with the wider range.
 */
function bend(chain) {
	chain.links.forEach((link, i) => {
		const turns = [0, 0, 0];
		if (chain.followers.some((one) => one.link === i)) return;
		if (link.low) {
			const [x, , z] = [0, 1, 2].map((a) => link.high[a] - link.low[a]), a = x >= z ? 0 : 2;
			turns[a] = link.high[a] - link.angles[a] >= link.angles[a] - link.low[a] ? FIRST_BEND : -FIRST_BEND;
		} else turns.splice(0, 3, ...scale(turn(link.world.turn, UNITS[0]), i % 2 === 0 ? FIRST_BEND : -FIRST_BEND));
		turn_link(chain, i, link, turns);
	});
}

/** where no rotation helps, restarts nearby; kept if that ends closer to the target */
function unbend(chain, point) {
	const kept = chain.links;
	chain.links = kept.map((link) => ({ ...link }));
	bend(chain);
	follow(chain, kept, chain.links);
	const there = approach(chain, place_links(chain, chain.links));
	if (!(distance(there, chain.goal) < distance(point, chain.goal) - NEAR_ENOUGH * chain.length)) chain.links = kept;
}

/** one angle, the other two have no range; what the pose turns it beside its axis stays */
function begin_hinge(bone, link) {
	const [least, most] = bone.limits ? hinge_limits(bone) : [-Infinity, Infinity], own = multiply(inverse(link.rest), link.local);
	link.hinge = hinge_axis(bone);
	const angle = hinge_angle(own, link.hinge, bone.limits ? (least + most) / 2 : 0);
	link.aside = multiply(inverse(hinge_turn(link.hinge, angle)), own);
	return Object.assign(link, { angles: [angle, 0, 0], low: [Math.min(least, angle), 0, 0], high: [Math.max(most, angle), 0, 0] });
}

/** about its two axes; what the pose turns it beside them stays */
function begin_universal(bone, link) {
	const free = [-Infinity, Infinity], limits = bone.limits ? universal_limits(bone) : [[0, 0], free, free];
	link.frame = universal_frame(bone);
	link.angles = universal_angles(link.frame, multiply(inverse(link.rest), link.local), limits.map(([least, most]) => (most < Infinity ? (least + most) / 2 : 0)));
	link.low = limits.map(([least], a) => (a === 0 ? link.angles[0] : Math.min(least, link.angles[a])));
	link.high = limits.map(([, most], a) => (a === 0 ? link.angles[0] : Math.max(most, link.angles[a])));
	return link;
}

function begin_link(rig, from, b, keep_limits) {
	// a joint that slides never turns
	const bone = rig.bones[b], limits = bone.kind === 'prismatic' ? [[0, 0], [0, 0], [0, 0]] : keep_limits ? bone.limits : null;
	const link = { bone: b, rest: bone.rest.rotation, local: unit(from.rotations[b]), offset: bone.parent < 0 ? from.root : from.slides?.[b] ?? bone.rest.place };
	if (keep_limits && bone.kind === 'hinge') return begin_hinge(bone, link);
	if (keep_limits && bone.kind === 'universal') return begin_universal(bone, link);
	if (!limits) return link;
	link.angles = angles_near(multiply(inverse(link.rest), link.local), limits.map(([least, most]) => (least + most) / 2));
	// a joint that is already beyond its limits may stay there
	link.low = limits.map(([least], a) => Math.min(least, link.angles[a]));
	link.high = limits.map(([, most], a) => Math.max(most, link.angles[a]));
	return link;
}

/**
 * which links depend on others (driver -1: on a bone that is no link; twist: by its twist about
 * this axis); hinges that drive turn as far as these may, too */
function find_followers(rig, from, links) {
	const index = (b) => links.findIndex((link) => link.bone === b);
	return rig.dependencies.flatMap(({ bone, driver, driver_axis, ratio }) => {
		const link = index(bone), up = index(driver), twist = driver_axis ? driver_turns_about(rig.bones[driver], driver_axis) : null;
		if (up >= 0 && !twist) {
			const own = begin_link(rig, from, bone, true), ends = [own.low[0], own.high[0]].map((end) => (end - own.angles[0]) / ratio), to = links[up];
			to.low = [Math.max(to.low[0], to.angles[0] + Math.min(...ends)), 0, 0];
			to.high = [Math.min(to.high[0], to.angles[0] + Math.max(...ends)), 0, 0];
		}
		// what twists is not stopped by what it drives: that goes along, past its own limits
		if (link >= 0 && twist) Object.assign(links[link], { low: [-Infinity, 0, 0], high: [Infinity, 0, 0] });
		return link < 0 ? [] : [{ link, driver: up, ratio, twist }];
	});
}

/** target in the mesh's units; chain: how many bones rotate; returns a new pose */
export function reach(rig, from, b, target, count, keep_limits) {
	const pose = from.copy(), bones = rig.chain(b).slice(0, Math.max(1, count)), above = rig.bones[bones.at(-1)].parent, world = from.world(rig), bone = rig.bones[b];
	const chain = {
		links: bones.map((at) => begin_link(rig, from, at, keep_limits)), goal: target, rounds: 0, damping: FIRST_DAMPING,
		above: above >= 0 ? { turn: world.turns[above], place: world.places[above] } : { turn: NO_TURN, place: [0, 0, 0] },
		end: turn(inverse(bone.orientation), subtract(bone.tail, bone.joint)),
	};
	chain.followers = keep_limits ? find_followers(rig, from, chain.links) : [];
	chain.length = length(chain.end) + chain.links.slice(0, -1).reduce((sum, link) => sum + length(link.offset), 0);
	const point = approach(chain, place_links(chain, chain.links));
	if (distance(point, target) > NEAR_ENOUGH * chain.length) unbend(chain, point);
	if (chain.rounds === 0) return pose;
	for (const link of chain.links) pose.rotations[link.bone] = link.local;
	pose.follow(rig, from, bones);
	return pose;
}
