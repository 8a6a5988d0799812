/**
 * The page's rig: surface, bones with their rest poses, weights, clip. Doubles in the mesh's units;
 * the surface for the GPU is in the scene's units, where the mesh's center is the origin and its
 * diagonal 1, so that precision does not depend on the distance from the origin.
 */
import { add, distance, scale, subtract } from '../base/vectors.js';
import { inverse, multiply, turn, unit } from '../base/turns.js';

/** The surface in the scene's units. */
export class Surface {
	/** glb: of read_glb; facts: {low, high} of the state, or null to compute them */
	constructor(glb, facts) {
		Object.assign(this, { count: glb.count, own: glb.own, origin: glb.origin, indices: glb.indices });
		const { low, high } = facts ?? bounds(glb.positions);
		this.center = scale(add(low, high), 0.5);
		this.diagonal = distance(low, high) || 1;
		this.low = low;
		this.high = high;
		this.rest = glb.positions;
		this.positions = this.to_scene(glb.positions);
		this.normals = glb.normals ?? normals_of(this.positions, this.indices);
		this.faces = null;
	}

	/** an array of points, x y z each */
	to_scene(points) {
		const out = new Float32Array(points.length), [x, y, z] = this.center, s = 1 / this.diagonal;
		for (let i = 0; i < points.length; i += 3) {
			out[i] = (points[i] - x) * s;
			out[i + 1] = (points[i + 1] - y) * s;
			out[i + 2] = (points[i + 2] - z) * s;
		}
		return out;
	}

	scene_point = (point) => scale(subtract(point, this.center), 1 / this.diagonal);

	mesh_point = (point) => add(scale(point, this.diagonal), this.center);

	/** the mesh's vertex that a vertex of the file stands for */
	vertex = (index) => (index < this.own ? index : this.origin[index - this.own]);
}

export function bounds(points) {
	const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
	for (let i = 0; i < points.length; i++) {
		low[i % 3] = Math.min(low[i % 3], points[i]);
		high[i % 3] = Math.max(high[i % 3], points[i]);
	}
	return points.length ? { low, high } : { low: [0, 0, 0], high: [0, 0, 0] };
}

/** at the vertices, weighted by area */
export function normals_of(positions, indices) {
	const out = new Float32Array(positions.length), p = positions;
	for (let i = 0; i < indices.length; i += 3) {
		const a = 3 * indices[i], b = 3 * indices[i + 1], c = 3 * indices[i + 2], x = p[a], y = p[a + 1], z = p[a + 2];
		const ux = p[b] - x, uy = p[b + 1] - y, uz = p[b + 2] - z, vx = p[c] - x, vy = p[c + 1] - y, vz = p[c + 2] - z;
		const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
		out[a] += nx; out[a + 1] += ny; out[a + 2] += nz;
		out[b] += nx; out[b + 1] += ny; out[b + 2] += nz;
		out[c] += nx; out[c + 1] += ny; out[c + 2] += nz;
	}
	for (let i = 0; i < out.length; i += 3) {
		const x = out[i], y = out[i + 1], z = out[i + 2], size = Math.sqrt(x * x + y * y + z * z) || 1;
		out[i] = x / size; out[i + 1] = y / size; out[i + 2] = z / size;
	}
	return out;
}

export class Rig {
	/**
	 * bones: of the state, or of read_glb; weights: {influences, bones, values} of the surface's
	 * own vertices, or null; dependencies: of the state: [{bone, driver, ratio, offset,
	 * driver_axis}] */
	constructor(surface, bones, weights, clip, dependencies = []) {
		this.dependencies = dependencies;
		this.surface = surface;
		this.weights = weights;
		this.clip = clip;
		this.bones = bones[0]?.rest ? with_world(bones) : with_rest(bones);
		this.index = new Map(this.bones.map((bone, b) => [bone.name, b]));
		this.children = this.bones.map(() => []);
		this.bones.forEach((bone, b) => bone.parent >= 0 && this.children[bone.parent].push(b));
		fill_tails(this);
	}

	get bone_count() { return this.bones.length; }

	/** b, its parent, ... the root */
	chain(b) {
		const out = [];
		for (let at = b; at >= 0; at = this.bones[at].parent) out.push(at);
		return out;
	}

	/** b and its descendants */
	below(b) {
		const out = [b];
		for (let i = 0; i < out.length; i++) out.push(...this.children[out[i]]);
		return out;
	}

	length = (b) => distance(this.bones[b].joint, this.bones[b].tail);
}

// local rest poses from positions and orientations in the world
function with_rest(bones) {
	return bones.map((bone) => {
		const parent = bones[bone.parent], q = unit(bone.orientation);
		if (!parent) return { ...bone, orientation: q, rest: { rotation: q, place: bone.joint } };
		const back = inverse(unit(parent.orientation));
		return { ...bone, orientation: q, rest: { rotation: unit(multiply(back, q)), place: turn(back, subtract(bone.joint, parent.joint)) } };
	});
}

// the inverse; parents come before their children in files of ossa
function with_world(bones) {
	const out = [];
	for (const bone of bones) {
		const parent = out[bone.parent], { rotation, place } = bone.rest;
		out.push({
			...bone, limits: bone.limits ?? null, axis: bone.axis ?? [0, 0, 0],
			orientation: parent ? unit(multiply(parent.orientation, rotation)) : unit(rotation),
			joint: parent ? add(parent.joint, turn(parent.orientation, place)) : place,
		});
	}
	return out;
}

function fill_tails(rig) {
	rig.bones.forEach((bone, b) => {
		if (bone.tail) return;
		const children = rig.children[b].map((child) => rig.bones[child].joint);
		if (children.length > 0) bone.tail = scale(children.reduce(add), 1 / children.length);
		else bone.tail = add(bone.joint, turn(bone.orientation, [0, 0.05 * rig.surface.diagonal, 0]));
	});
}
