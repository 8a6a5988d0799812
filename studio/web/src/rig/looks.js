/**
 * Reads what the surface looks like (`GET looks`): materials, texture coordinates, images. And the
 * surface cut apart where its texture coordinates are: vertices for drawing alone, each a copy of
 * one of the mesh's.
 * Input: the bytes.
 * Output: values of the header, arrays over the bytes' memory.
 */

const TYPES = { materials: Uint32Array, corners: Uint32Array, texcoords: Float32Array, colors: Float32Array, image: Uint8Array };
const NONE = 0xffffffff;

/**
 * {mesh, looks: {materials, images}, warnings, arrays: {materials, colors, corners_0,
 * texcoords_0, ..., image_0, ...}}
 */
export function read_looks(buffer) {
	const size = new DataView(buffer).getUint32(0, true), start = 4 + size;
	const { arrays, ...head } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size)));
	const entries = Object.entries(arrays).map(([name, [where, bytes]]) => {
		const Type = TYPES[name.replace(/_\d+$/, '')];
		return [name, new Type(buffer, start + where, bytes / Type.BYTES_PER_ELEMENT)];
	});
	return { ...head, arrays: Object.fromEntries(entries) };
}

/** whether there is more to see than one grey */
export function has_looks({ looks: { materials, images }, arrays }) {
	const own = materials.slice(0, -1), gray = ([r, g, b]) => r === g && g === b;
	return images.length > 0 || own.some(({ color, alpha, emission }) => !gray(color) || color[0] !== own[0].color[0] || alpha !== 'opaque' || emission.some((x) => x > 0)) ||
		(arrays.colors?.some((x) => x !== 1) ?? false);
}

/** the sets of texture coordinates: {corners, texcoords} each */
export function sets_of(arrays) {
	const sets = [];
	while (arrays[`texcoords_${sets.length}`]) sets.push({ corners: arrays[`corners_${sets.length}`], texcoords: arrays[`texcoords_${sets.length}`] });
	return sets;
}

/**
 * {origin, uvs, indices, groups}: the vertices with one pair of texture coordinates of each set,
 * of which mesh's vertex each is, and the faces sorted by material: groups of [start, count,
 * material].
 */
export function cut_seams(indices, count, arrays) {
	const sets = sets_of(arrays), corner = new Uint32Array(indices.length), origin = new Uint32Array(indices.length), cut = new Uint32Array(indices.length);
	// the copies of a vertex are a list: `first` of it, and what is `next`; each is that of a corner
	const first = new Int32Array(count).fill(-1), next = new Int32Array(indices.length);
	const is_same = (copy, i) => sets.every(({ corners }) => corners[corner[copy]] === corners[i]);
	let made = 0;
	for (let i = 0; i < indices.length; i++) {
		const vertex = indices[i];
		let copy = first[vertex];
		while (copy >= 0 && !is_same(copy, i)) copy = next[copy];
		if (copy < 0) {
			copy = made++;
			origin[copy] = vertex;
			corner[copy] = i;
			next[copy] = first[vertex];
			first[vertex] = copy;
		}
		cut[i] = copy;
	}
	const uvs = sets.map(({ corners, texcoords }) => {
		const out = new Float32Array(2 * made);
		for (let i = 0; i < made; i++) {
			const at = corners[corner[i]];
			if (at !== NONE) out.set(texcoords.subarray(2 * at, 2 * at + 2), 2 * i);
		}
		return out;
	});
	return { origin: origin.slice(0, made), uvs, ...sort_faces(cut, arrays.materials) };
}

function sort_faces(cut, materials) {
	const counts = [];
	for (const material of materials) counts[material] = (counts[material] ?? 0) + 1;
	const groups = [], at = [], indices = new Uint32Array(cut.length);
	let start = 0;
	counts.forEach((faces, material) => {
		groups.push([start, 3 * faces, material]);
		at[material] = start;
		start += 3 * faces;
	});
	materials.forEach((material, face) => {
		indices.set(cut.subarray(3 * face, 3 * face + 3), at[material]);
		at[material] += 3;
	});
	return { indices, groups };
}
