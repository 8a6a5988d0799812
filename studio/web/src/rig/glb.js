/**
 * Reads the binary glTF that the server writes: one mesh, perhaps with a skin. Vertices after the
 * mesh's own are copies at seams.
 * Input: the file's bytes.
 * Output: arrays over the file's memory where they fit.
 */

const TYPES = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
const PARTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

function parts_of(buffer) {
	const view = new DataView(buffer);
	if (buffer.byteLength < 20 || view.getUint32(0, true) !== 0x46546c67) throw new Error('This is not binary glTF.');
	const size = view.getUint32(12, true);
	const json = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 20, size)));
	return { json, start: 28 + size };
}

/** accessor -> a typed array, of the memory itself where it is aligned and dense */
function reader(buffer, { json, start }) {
	return (index) => {
		const accessor = json.accessors[index], view = json.bufferViews[accessor.bufferView];
		const Type = TYPES[accessor.componentType], parts = PARTS[accessor.type];
		const offset = start + (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0), size = Type.BYTES_PER_ELEMENT;
		const stride = view.byteStride ?? parts * size;
		if (stride === parts * size && offset % size === 0) return new Type(buffer, offset, accessor.count * parts);
		const out = new Type(accessor.count * parts), bytes = new Uint8Array(out.buffer), from = new Uint8Array(buffer);
		for (let i = 0; i < accessor.count; i++) bytes.set(from.subarray(offset + i * stride, offset + i * stride + parts * size), i * parts * size);
		return out;
	};
}

function join_indices(primitives, read) {
	const lists = primitives.map((primitive) => read(primitive.indices));
	const all = new Uint32Array(lists.reduce((sum, list) => sum + list.length, 0));
	let at = 0;
	for (const list of lists) { all.set(list, at); at += list.length; }
	return all;
}

/** pairs of bone and weight of every vertex, from one set of four or more */
function read_weights(attributes, read, count) {
	const sets = [0, 1, 2, 3].filter((k) => attributes[`JOINTS_${k}`] !== undefined);
	if (sets.length === 0) return null;
	const influences = 4 * sets.length, bones = new Uint16Array(count * influences), values = new Float32Array(count * influences);
	for (const set of sets) {
		const joints = read(attributes[`JOINTS_${set}`]), weights = read(attributes[`WEIGHTS_${set}`]);
		for (let i = 0; i < count; i++) {
			for (let k = 0; k < 4; k++) {
				bones[i * influences + 4 * set + k] = joints[4 * i + k];
				values[i * influences + 4 * set + k] = weights[4 * i + k];
			}
		}
	}
	return { influences, bones, values };
}

/** the skin's joints in the form of the state's bones, as far as glTF has them */
function read_bones(json) {
	const skin = json.skins?.[0];
	if (!skin) return [];
	const bone_of_node = new Map(skin.joints.map((node, bone) => [node, bone])), parents = skin.joints.map(() => -1);
	skin.joints.forEach((node, bone) => (json.nodes[node].children ?? []).forEach((child) => {
		if (bone_of_node.has(child)) parents[bone_of_node.get(child)] = bone;
	}));
	return skin.joints.map((index, bone) => {
		const node = json.nodes[index], extras = node.extras?.ossa ?? {};
		return {
			name: node.name ?? `bone_${bone}`, parent: parents[bone], kind: extras.kind ?? 'unknown', tail: extras.tail ?? null,
			rest: { rotation: node.rotation ?? [0, 0, 0, 1], place: node.translation ?? [0, 0, 0] },
		};
	});
}

/** {count, own, origin, positions, normals, indices, weights, bones} */
export function read_glb(buffer) {
	const parts = parts_of(buffer), { json } = parts, read = reader(buffer, parts);
	const mesh = json.meshes?.[0];
	if (!mesh) return null;
	const { attributes } = mesh.primitives[0], positions = read(attributes.POSITION), count = positions.length / 3;
	const own = mesh.extras?.ossa?.vertices ?? count, copies = mesh.extras?.ossa?.copies;
	return {
		count, own,
		origin: copies === undefined ? null : read(copies),
		positions,
		normals: attributes.NORMAL === undefined ? null : read(attributes.NORMAL),
		indices: join_indices(mesh.primitives, read),
		weights: read_weights(attributes, read, count),
		bones: read_bones(json),
	};
}
