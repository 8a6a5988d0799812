/**
 * Data for the GPU: for every bone a row of six texels: its skinning matrix (three rows) and dual
 * quaternion, both in the scene's units, and its color. And the same skinning on the CPU, for
 * picking.
 */
import { inverse, multiply, turn } from '../base/turns.js';
import { add, scale, subtract } from '../base/vectors.js';

export const TEXELS = 6;

/** Fills `data` (B x 6 x 4 floats) except for the colors. */
export function fill_transforms(rig, world, data) {
	const { center, diagonal } = rig.surface;
	rig.bones.forEach((bone, b) => {
		const q = multiply(world.turns[b], inverse(bone.orientation));
		const t = scale(subtract(add(world.places[b], turn(q, subtract(center, bone.joint))), center), 1 / diagonal);
		const [x, y, z, w] = q, at = 4 * TEXELS * b;
		data.set([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), t[0]], at);
		data.set([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), t[1]], at + 4);
		data.set([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), t[2]], at + 8);
		data.set(q, at + 12);
		data.set(multiply([...t, 0], q).map((v) => 0.5 * v), at + 16);
	});
}

/** Linear blending on the CPU: the posed surface in the scene's units. */
export function skin_surface(rig, data, out) {
	const { positions, count } = rig.surface, { influences, bones, values } = rig.weights;
	for (let i = 0; i < count; i++) {
		const own = rig.surface.vertex(i), x = positions[3 * i], y = positions[3 * i + 1], z = positions[3 * i + 2];
		let px = 0, py = 0, pz = 0;
		for (let k = own * influences; k < (own + 1) * influences; k++) {
			const w = values[k];
			if (w === 0) continue;
			const m = 4 * TEXELS * bones[k];
			px += w * (data[m] * x + data[m + 1] * y + data[m + 2] * z + data[m + 3]);
			py += w * (data[m + 4] * x + data[m + 5] * y + data[m + 6] * z + data[m + 7]);
			pz += w * (data[m + 8] * x + data[m + 9] * y + data[m + 10] * z + data[m + 11]);
		}
		out[3 * i] = px; out[3 * i + 1] = py; out[3 * i + 2] = pz;
	}
	return out;
}

/**
 * The eight largest pairs of every vertex, of sum 1, as the shader reads them; `cut`: how many
 * vertices have more.
 */
export function shader_weights(rig) {
	const { surface, weights } = rig, { influences, bones, values } = weights;
	const sets = influences > 4 ? 2 : 1, capacity = 4 * sets, used = Math.min(capacity, influences);
	const joints = [], shares = [];
	for (let s = 0; s < sets; s++) {
		joints.push(new Uint16Array(4 * surface.count));
		shares.push(new Float32Array(4 * surface.count));
	}
	let cut = 0;
	for (let i = 0; i < surface.count; i++) {
		const at = surface.vertex(i) * influences;
		let sum = 1;
		if (influences > capacity && values[at + capacity] > 0) {
			cut++;
			sum = 0;
			for (let k = 0; k < used; k++) sum += values[at + k];
		}
		for (let k = 0; k < used; k++) {
			joints[k >> 2][4 * i + (k & 3)] = bones[at + k];
			shares[k >> 2][4 * i + (k & 3)] = values[at + k] / sum;
		}
	}
	return { joints, shares, sets, cut };
}
