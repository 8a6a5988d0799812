// In the page of usd_open.mjs: what OpenUSD makes of a file of ossa, put into numbers by the rules of UsdSkel, against what three.js
// makes of the glTF file that it came from. Sources: OpenUSD, UsdSkel "Skinning a Point (Linear Blend Skinning)" and "Blend Shapes",
// UsdPreviewSurface Specification.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

// ---- OpenUSD's text ----

const TOKEN = /\s+|#[^\n]*|"""[^]*?"""|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|<([^>]*)>|@([^@]*)@|[[\](){},;=]|[^\s[\](){},;="'<@#]+/gy;

function* tokens_of(text) {
	for (const [token, path, asset] of text.matchAll(TOKEN)) {
		if (/^[\s#]/.test(token)) continue;
		if (path !== undefined || asset !== undefined) yield { value: path ?? asset };
		else if (/^["']/.test(token)) yield { value: token.slice(1, -1).replace(/\\(.)/g, '$1') };
		else if ('[](){},;='.includes(token)) yield { mark: token };
		else yield { word: token, value: Number.isNaN(Number(token)) ? token : Number(token) };
	}
}

/** The prims of a stage as OpenUSD writes it: by path { type, name, parent, values, metadata }. */
export function parse_stage(text) {
	const tokens = [...tokens_of(text)], prims = new Map();
	let at = 0;
	const is = (mark) => tokens[at]?.mark === mark;
	const skip = (mark) => (is(mark) ? ++at : 0);
	function list(end, item) {
		const items = [];
		for (at++; !is(end); skip(',') || skip(';')) items.push(item());
		at++;
		return items;
	}
	function value() {
		if (is('[')) return list(']', value);
		if (is('(')) return list(')', value);
		if (is('{')) return new Map(list('}', () => [tokens[at++].word.replace(':', ''), value()]));
		return tokens[at++].value;
	}
	function metadata() {
		const found = {};
		if (!is('(')) return found;
		for (at++; !skip(')');) {
			const words = [];
			for (; !is('=') && !is(')'); at++) words.push(tokens[at].value);
			if (skip('=')) found[words.at(-1)] = value();
		}
		return found;
	}
	function property(prim) {
		const words = [];
		for (; !is('=') && !is('(') && !is('}') && !(words.length > 1 && !/^(uniform|custom|prepend)$/.test(words[0])); at++) words.push(tokens[at].word);
		if (words[0] === 'uniform' && !is('=') && words.length < 3) words.push(tokens[at++].word);
		const name = words.at(-1);
		if (skip('=')) prim.values.set(name, value());
		if (is('(')) prim.metadata.set(name, metadata());
	}
	function prim(parent) {
		const type = tokens[at + 1].word ?? '', name = tokens[at + (type ? 2 : 1)].value;
		const made = { type, name, parent, path: `${parent}/${name}`, values: new Map(), metadata: new Map() };
		at += type ? 3 : 2;
		metadata();
		prims.set(made.path, made);
		for (skip('{'); !skip('}');) {
			if (tokens[at].word === 'def') prim(made.path);
			else property(made);
		}
	}
	metadata();
	while (at < tokens.length) prim('');
	return prims;
}

// ---- UsdSkel ----

// matrices of USD are for row vectors: their rows are columns here
const matrix_of = (rows) => new THREE.Matrix4().fromArray(rows.flat());
const vector_of = (values) => new THREE.Vector3(...values);

function joint_parents(joints) {
	return joints.map((path) => joints.indexOf(path.split('/').slice(0, -1).join('/')));
}

/** Matrices by joint that take points at rest to where they are at a time code; null: at rest. */
function skinning(prims, skeleton, code) {
	const joints = skeleton.values.get('joints'), parents = joint_parents(joints);
	const rest = skeleton.values.get('restTransforms').map(matrix_of), bind = skeleton.values.get('bindTransforms').map(matrix_of);
	const animation = prims.get(skeleton.values.get('skel:animationSource')), order = animation?.values.get('joints') ?? [];
	const sample = (name, j) => {
		const samples = animation.values.get(`${name}.timeSamples`);
		return (samples ? samples.get(code) : animation.values.get(name))[j];
	};
	const worlds = [];
	joints.forEach((joint, j) => {
		const k = code === null ? -1 : order.indexOf(joint);
		const local = new THREE.Matrix4();
		if (k < 0) local.copy(rest[j]);
		else {
			const [w, x, y, z] = sample('rotations', k);
			local.compose(vector_of(sample('translations', k)), new THREE.Quaternion(x, y, z, w).normalize(), vector_of(sample('scales', k)));
		}
		worlds.push(parents[j] < 0 ? local : worlds[parents[j]].clone().multiply(local));
	});
	return worlds.map((world, j) => world.clone().multiply(bind[j].clone().invert()));
}

/** Weights of a mesh's blend shapes by their tokens, at a time code or at rest (null): those of the animation, others are 0. */
function shape_weights(prims, skeleton, shapes, code) {
	const animation = prims.get(skeleton?.values.get('skel:animationSource')), samples = animation?.values.get('blendShapeWeights.timeSamples');
	const names = animation?.values.get('blendShapes') ?? [];
	const values = (code !== null && samples?.get(code)) || (animation?.values.get('blendShapeWeights') ?? []);
	return shapes.map((name) => values[names.indexOf(name)] ?? 0);
}

function shaped_points(prims, mesh, weights) {
	const points = mesh.values.get('points').map(vector_of), targets = [mesh.values.get('skel:blendShapeTargets') ?? []].flat();
	targets.forEach((path, k) => {
		const shape = prims.get(path), indices = shape.values.get('pointIndices');
		shape.values.get('offsets').forEach((offset, i) => points[indices[i]].addScaledVector(vector_of(offset), weights[k]));
	});
	return points;
}

function deform(mesh, points, joints) {
	const place = matrix_of(mesh.values.get('primvars:skel:geomBindTransform'));
	const indices = mesh.values.get('primvars:skel:jointIndices'), weights = mesh.values.get('primvars:skel:jointWeights');
	const width = mesh.metadata.get('primvars:skel:jointIndices').elementSize, part = new THREE.Vector3();
	return points.map((point, v) => {
		const bound = point.clone().applyMatrix4(place), sum = new THREE.Vector3();
		for (let i = width * v; i < width * (v + 1); i++) {
			if (weights[i] > 0) sum.addScaledVector(part.copy(bound).applyMatrix4(joints[indices[i]]), weights[i]);
		}
		return sum;
	});
}

function world_of(prims, mesh) {
	const matrix = new THREE.Matrix4();
	for (let prim = mesh; prim; prim = prims.get(prim.parent)) {
		if (prim.values.has('xformOp:transform')) matrix.premultiply(matrix_of(prim.values.get('xformOp:transform')));
	}
	return matrix;
}

// ---- a mesh of either file: values by corner of its triangles ----

function triangles_of(mesh) {
	const corners = [], faces = [];
	let first = 0;
	mesh.values.get('faceVertexCounts').forEach((count, face) => {
		for (let k = 2; k < count; k++) {
			corners.push(first, first + k - 1, first + k);
			faces.push(face);
		}
		first += count;
	});
	return { corners, faces };
}

function primvar(mesh, name, corners) {
	const values = mesh.values.get(`primvars:${name}`), indices = mesh.values.get(`primvars:${name}:indices`);
	const is_vertex = mesh.metadata.get(`primvars:${name}`).interpolation === 'vertex', vertices = mesh.values.get('faceVertexIndices');
	return corners.map((c) => values[is_vertex ? vertices[c] : indices ? indices[c] : c]);
}

const sets_of = (mesh, pattern) => [...mesh.values.keys()].map((name) => name.match(pattern)?.[1]).filter(Boolean);

function usd_mesh(prims, mesh) {
	const { corners, faces } = triangles_of(mesh), vertices = mesh.values.get('faceVertexIndices');
	const material_of = new Map();
	for (const subset of prims.values()) {
		if (subset.type !== 'GeomSubset' || subset.parent !== mesh.path) continue;
		for (const face of subset.values.get('indices')) material_of.set(face, subset.values.get('material:binding').split('/').pop());
	}
	const skeleton = prims.get(mesh.values.get('skel:skeleton')), is_skinned = mesh.values.has('primvars:skel:jointWeights');
	const shapes = mesh.values.get('skel:blendShapes') ?? [], place = world_of(prims, mesh);
	return {
		name: mesh.name, shapes, is_skinned,
		weights: shape_weights(prims, skeleton, shapes, null), weights_at: (code) => shape_weights(prims, skeleton, shapes, code),
		materials: faces.map((face) => material_of.get(face)),
		uvs: sets_of(mesh, /^primvars:(st\d*)$/).map((name) => primvar(mesh, name, corners)),
		colors: sets_of(mesh, /^primvars:(displayColor|color\d+)$/).map((name) => primvar(mesh, name, corners)),
		at(code, weights) {
			const points = shaped_points(prims, mesh, weights);
			const placed = is_skinned ? deform(mesh, points, skinning(prims, skeleton, code)) : points.map((point) => point.applyMatrix4(place));
			return corners.map((c) => placed[vertices[c]].toArray());
		},
	};
}

// of bytes: other letters are several
const letters = (name) => [...new TextEncoder().encode(name)].map((byte) => String.fromCharCode(byte).replace(/[^A-Za-z0-9]/, '_')).join('');
const identifier = (name) => letters(name).replace(/^(?=\d|$)/, '_');

function values_at(attribute, i, width) {
	return Array.from({ length: width }, (_, k) => attribute.getComponent(i, k));
}

/** the primitives of a node with a mesh; `numbers` are those of objects that are nodes of their own */
function gltf_mesh(node, name, numbers) {
	const parts = node.isMesh ? [node] : node.children.filter((child) => child.isMesh && numbers.get(child)?.nodes === undefined);
	const corners = parts.flatMap((part) => {
		const { index, attributes } = part.geometry, count = index?.count ?? attributes.position.count;
		return Array.from({ length: count }, (_, i) => ({ part, i: index ? index.getX(i) : i }));
	});
	const dictionary = parts[0].morphTargetDictionary ?? {};
	const sets = (names) => names.filter((each) => parts[0].geometry.attributes[each]);
	return {
		name, parts, is_skinned: parts[0].isSkinnedMesh ?? false,
		shapes: Object.keys(dictionary).sort((a, b) => dictionary[a] - dictionary[b]),
		weights: [...(parts[0].morphTargetInfluences ?? [])],
		materials: corners.filter((_, i) => i % 3 === 0).map(({ part }) => identifier(part.material.name)),
		uvs: sets(['uv', 'uv1', 'uv2', 'uv3']).map((set) => corners.map(({ part, i }) => {
			const [u, v] = values_at(part.geometry.attributes[set], i, 2);
			return [u, 1 - v];
		})),
		colors: sets(['color']).map((set) => corners.map(({ part, i }) => values_at(part.geometry.attributes[set], i, 3))),
		at(weights) {
			const point = new THREE.Vector3();
			for (const part of parts) weights.forEach((weight, k) => { part.morphTargetInfluences[k] = weight; });
			return corners.map(({ part, i }) => part.getVertexPosition(i, point).applyMatrix4(part.matrixWorld).toArray());
		},
	};
}

async function read_gltf(url) {
	const gltf = await new GLTFLoader().loadAsync(url), numbers = gltf.parser.associations, meshes = [];
	gltf.scene.traverse((node) => {
		const json = gltf.parser.json.nodes[numbers.get(node)?.nodes];
		if (json?.mesh !== undefined) meshes.push(gltf_mesh(node, json.name ?? '', numbers));
	});
	gltf.scene.updateMatrixWorld(true);
	return { gltf, meshes };
}

// ---- comparison ----

function largest(a, b) {
	let most = a.length === b.length ? 0 : Infinity;
	for (let i = 0; i < Math.min(a.length, b.length); i++) {
		for (let k = 0; k < Math.min(a[i].length, b[i].length); k++) most = Math.max(most, Math.abs(a[i][k] - b[i][k]));
	}
	return most;
}

const brief = (value) => String(value).slice(0, 200);

function diagonal(points) {
	const box = new THREE.Box3().setFromPoints(points.map(vector_of));
	return box.getSize(new THREE.Vector3()).length();
}

/** triangles by their materials, in the order that these have in the other file: glTF has a primitive for each */
function order_of(materials, names) {
	return materials.map((_, i) => i).sort((a, b) => names.indexOf(materials[a]) - names.indexOf(materials[b]) || a - b);
}

/** the same mesh with its triangles in that order, and their corners in another one */
function in_order(mesh, names, turn) {
	const order = order_of(mesh.materials, names);
	const corners = (values) => order.flatMap((t) => turn.map((k) => values[3 * t + k]));
	return { ...mesh, materials: order.map((t) => mesh.materials[t]), uvs: mesh.uvs.map(corners), colors: mesh.colors.map(corners),
		at: (...moment) => corners(mesh.at(...moment)) };
}

/** what differs between a mesh of each file, and the worst distance over some moments */
function compare_meshes(usd_mesh, gltf_mesh, moments) {
	const names = [...new Set(gltf_mesh.materials)], original = in_order(gltf_mesh, names, [0, 1, 2]);
	moments[0].seek();
	const first = original.at(original.weights);
	// the faces of a mirrored mesh go round the other way where its transform is in the vertices
	const turns = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [2, 1, 0]].map((turn) => in_order(usd_mesh, names, turn));
	const apart = turns.map((mesh) => largest(mesh.at(moments[0].code, original.weights), first));
	const usd = turns[apart.indexOf(Math.min(...apart))];
	const faults = [], expect = (name, a, b) => { if (JSON.stringify(a) !== JSON.stringify(b)) faults.push(`${usd.name}: ${name} ${brief(a)}, not ${brief(b)}`); };
	// one weight drives all that have a name: targets of one name in several meshes may have numbers
	expect('blend shapes', usd.shapes.map((name, k) => (name.replace(/_\d+$/, '') === original.shapes[k] ? original.shapes[k] : name)), original.shapes);
	expect('UV sets', usd.uvs.length, original.uvs.length);
	expect('colors', usd.colors.length, original.colors.length);
	expect('materials', usd.materials, original.materials);
	if (largest([usd.weights], [original.weights]) > 1e-6) expect('weights at rest', usd.weights, original.weights);
	original.uvs.forEach((set, k) => { if (largest(usd.uvs[k] ?? [], set) > 1e-5) faults.push(`${usd.name}: UVs ${k}`); });
	original.colors.forEach((set, k) => { if (largest(usd.colors[k] ?? [], set) > 1e-5) faults.push(`${usd.name}: colors ${k}`); });
	let worst = 0;
	for (const { code, seek, weights_of } of moments) {
		seek();
		const moved = weights_of(original) ?? original.weights;
		if (largest([usd.weights_at(code)], [moved]) > 1e-6) expect(`weights at ${code}`, usd.weights_at(code), moved);
		for (const weights of [original.weights, original.weights.map((_, k) => 0.25 + k / 8)]) {
			const wanted = original.at(weights);
			worst = Math.max(worst, largest(usd.at(code, weights), wanted) / diagonal(wanted));
		}
		original.at(original.weights);
	}
	return { faults, worst };
}

/** Moments of the bound motion; without one the scene as it is. */
function moments_of(prims, gltf) {
	const skeleton = [...prims.values()].find((prim) => prim.type === 'Skeleton');
	const samples = prims.get(skeleton?.values.get('skel:animationSource'))?.values.get('rotations.timeSamples');
	if (!samples) return [{ code: null, seek() {}, weights_of() {} }];
	const codes = [...samples.keys()], mixer = new THREE.AnimationMixer(gltf.scene), clip = gltf.animations[0];
	const shapes = clip.tracks.filter((track) => track.name.endsWith('.morphTargetInfluences'));
	clip.tracks = clip.tracks.filter((track) => !shapes.includes(track));
	const first = Math.min(...clip.tracks.map((track) => track.times[0])), rate = window.stage_rate;
	const action = mixer.clipAction(clip);
	action.setLoop(THREE.LoopOnce);
	action.clampWhenFinished = true;
	const seconds = (code) => Number(code) / rate + Math.min(first, 0);
	return [0, 1, 2, 3].map((i) => codes[Math.floor(i * (codes.length - 1) / 3)]).map((code) => ({ code, seek() {
		// an action that has ended stands still
		action.reset().play();
		mixer.setTime(seconds(code));
		gltf.scene.updateMatrixWorld(true);
	}, weights_of(mesh) {
		const track = shapes.find(({ name }) => mesh.parts.some((part) => name.startsWith(`${part.name}.`) || name.startsWith(`${part.uuid}.`)));
		return track && [...track.InterpolantFactoryMethodLinear().evaluate(seconds(code))];
	} }));
}

export async function judge(prims, url) {
	const { gltf, meshes } = await read_gltf(url), moments = moments_of(prims, gltf);
	const found = [...prims.values()].filter((prim) => prim.type === 'Mesh').map((prim) => usd_mesh(prims, prim));
	const faults = found.length === meshes.length ? [] : [`${found.length} meshes, not ${meshes.length}`];
	let worst = 0;
	for (const original of meshes) {
		// an only one has no name of its own
		const own = meshes.length > 1 ? found.find((mesh) => mesh.name === identifier(original.name)) : found[0];
		const compared = own ? compare_meshes(own, original, moments) : { faults: [`no mesh ${original.name}`], worst: 0 };
		faults.push(...compared.faults);
		worst = Math.max(worst, compared.worst);
	}
	const counts = { meshes: found.length, joints: joints_of(prims).length, shapes: found.reduce((sum, mesh) => sum + mesh.shapes.length, 0),
		sets: Math.max(...found.map((mesh) => mesh.uvs.length)), moments: moments.length };
	return { faults: [...faults, ...await compare_materials(prims, gltf), ...compare_joints(prims, gltf)], worst, counts };
}

const joints_of = (prims) => [...prims.values()].find((prim) => prim.type === 'Skeleton')?.values.get('joints') ?? [];

/** every joint of the original's skins that has a name, below the same joint */
function compare_joints(prims, gltf) {
	const json = gltf.parser.json, numbers = new Set((json.skins ?? []).flatMap((skin) => skin.joints));
	if (joints_of(prims).length < numbers.size) return [`${joints_of(prims).length} joints, not ${numbers.size}`];
	if ([...numbers].some((n) => !json.nodes[n].name)) return [];
	const parents = new Map(json.nodes.flatMap((node, n) => (node.children ?? []).map((child) => [child, n])));
	const wanted = [...numbers].map((n) => {
		const path = [];
		for (let at = n; numbers.has(at); at = parents.get(at)) path.unshift(letters(json.nodes[at].name ?? ''));
		return path.join('/');
	});
	const found = new Set(joints_of(prims).map((path) => path.split('/').map(letters).join('/')));
	const has = (path) => [...found].some((own) => own === path || own.endsWith(`/${path}`));
	return wanted.filter((path) => !has(path)).map((path) => `no joint ${path}`);
}

// ---- materials ----

const SLOTS = { diffuseColor: (m) => m.pbrMetallicRoughness?.baseColorTexture, roughness: (m) => m.pbrMetallicRoughness?.metallicRoughnessTexture,
	metallic: (m) => m.pbrMetallicRoughness?.metallicRoughnessTexture, normal: (m) => m.normalTexture, occlusion: (m) => m.occlusionTexture,
	emissiveColor: (m) => m.emissiveTexture };

const source_of = (prims, prim, input) => prims.get((prim.values.get(`inputs:${input}.connect`) ?? '').split('.outputs:')[0]);

async function compare_texture(prims, gltf, shader, [input, slot], material) {
	const wanted = slot(material), texture = source_of(prims, shader, input), where = `${material.name}: ${input}`;
	if (!wanted || !texture) return !wanted === !texture ? [] : [`${where} ${texture ? 'has a' : 'has no'} texture`];
	const image = gltf.parser.json.images[gltf.parser.json.textures[wanted.index].source], file = texture.values.get('inputs:file');
	const own = new Uint8Array(await (await fetch(`${window.usd_folder}${encodeURIComponent(file.replace('./', ''))}`)).arrayBuffer());
	const bytes = image.bufferView === undefined ? null : new Uint8Array(await gltf.parser.getDependency('bufferView', image.bufferView));
	let reader = source_of(prims, texture, 'st');
	if (reader.values.get('info:id') === 'UsdTransform2d') reader = source_of(prims, reader, 'in');
	const set = wanted.texCoord ? `st${wanted.texCoord}` : 'st', faults = [];
	if (bytes && (own.length !== bytes.length || own.some((byte, i) => byte !== bytes[i]))) faults.push(`${where} has other bytes in ${file}`);
	if (reader.values.get('inputs:varname') !== set) faults.push(`${where} lies by ${reader.values.get('inputs:varname')}, not ${set}`);
	return faults;
}

async function compare_materials(prims, gltf) {
	const used = new Set((gltf.parser.json.meshes ?? []).flatMap((mesh) => mesh.primitives.map((primitive) => primitive.material)));
	const faults = [];
	for (const [m, material] of (gltf.parser.json.materials ?? []).entries()) {
		if (!used.has(m)) continue;
		const prim = [...prims.values()].find((each) => each.type === 'Material' && each.name === identifier(material.name));
		const shader = prims.get((prim?.values.get('outputs:surface.connect') ?? '').split('.outputs:')[0]);
		if (shader?.values.get('info:id') !== 'UsdPreviewSurface') faults.push(`no surface for ${material.name}`);
		else for (const entry of Object.entries(SLOTS)) faults.push(...await compare_texture(prims, gltf, shader, entry, material));
	}
	return faults;
}
