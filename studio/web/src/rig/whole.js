/**
 * Reads the server's answer about a whole session (`GET whole`): the size of a header, the header
 * as JSON, plain arrays.
 * Input: the bytes.
 * Output: the header's values, and arrays over the bytes' memory.
 */

const TYPES = { positions: Float32Array, faces: Uint32Array, bones: Uint16Array, weights: Float32Array, turns: Float32Array, roots: Float32Array, slides: Float32Array };

/**
 * {state, mesh, rig, arrays: {positions, faces, bones, weights, turns, roots, slides}}: of the
 * arrays those that were sent
 */
export function read_whole(buffer) {
	const size = new DataView(buffer).getUint32(0, true), start = 4 + size;
	const { arrays, ...head } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size)));
	const entries = Object.entries(arrays).map(([name, [where, bytes]]) => [name, new TYPES[name](buffer, start + where, bytes / TYPES[name].BYTES_PER_ELEMENT)]);
	return { ...head, arrays: Object.fromEntries(entries) };
}
