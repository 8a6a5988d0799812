/**
 * Reads the source of a carried motion (`GET sources/N`): a rig with its motion, of another body,
 * perhaps without a surface.
 * Input: the bytes, in the form of `GET whole`.
 * Output: a Rig whose size in the scene is that of its own box.
 */
import { Rig, Surface } from './rig.js';
import { read_whole } from './whole.js';

export function read_source(buffer) {
	const { state, arrays } = read_whole(buffer), { bones, influences, clip, box } = state, { positions, faces } = arrays;
	const surface = new Surface({ count: positions.length / 3, own: positions.length / 3, origin: null, positions, normals: null, indices: faces }, box);
	const weights = positions.length > 0 ? { influences, bones: arrays.bones, values: arrays.weights } : null;
	return new Rig(surface, bones, weights, clip && { name: clip.name, times: clip.times, rotations: arrays.turns, roots: arrays.roots, slides: arrays.slides ?? null });
}
