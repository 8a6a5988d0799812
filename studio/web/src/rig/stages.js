/**
 * Reads the server's answer about the stages of the contraction (`GET stages`): the size of a
 * header, the header as JSON, plain arrays.
 * Input: the bytes.
 * Output: the header's numbers, arrays over the bytes' memory, and the edges of the triangles.
 */

const FLOATS = new Set(['positions', 'points', 'centers']);

/** each edge once: the smaller vertex of each, then the larger */
function edges_of(triangles, count) {
	const seen = new Set();
	for (let i = 0; i < triangles.length; i += 3) {
		for (let k = 0; k < 3; k++) {
			const a = triangles[i + k], b = triangles[i + (k + 1) % 3];
			seen.add(Math.min(a, b) * count + Math.max(a, b));
		}
	}
	const out = new Uint32Array(2 * seen.size);
	let at = 0;
	for (const key of seen) {
		out[at++] = Math.floor(key / count);
		out[at++] = key % count;
	}
	return out;
}

/**
 * {vertices, pieces, steps, root, pulls, volumes, areas, triangles, joins, splits, positions,
 * points, centers, graph_points, curve, cuts, edges}
 */
export function read_stages(buffer) {
	const size = new DataView(buffer).getUint32(0, true), start = 4 + size;
	const { arrays, ...head } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size)));
	const entries = Object.entries(arrays).map(([name, [where, bytes]]) => [name, new (FLOATS.has(name) ? Float32Array : Uint32Array)(buffer, start + where, bytes / 4)]);
	const stages = { ...head, ...Object.fromEntries(entries) };
	return { ...stages, edges: edges_of(stages.triangles, stages.vertices) };
}
