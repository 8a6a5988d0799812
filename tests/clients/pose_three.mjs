// three.js in a headless browser: loads glTF, Collada, FBX and USD files that move, sets every frame and compares the vertices with
// FILE.pc2.
// Where FILE.json tells of joint limits, the joints that the file describes must have them, and when each is turned as FILE.json
// says, the vertices must be those of FILE.bent.pc2.
// usage: node pose_three.mjs FILE...
import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { chromium } from 'playwright-core';

const here = new URL('.', import.meta.url);
const origin = 'http://ossa.test/';
const tolerance = 1e-4;

const page_text = `<!doctype html><script type="importmap">{"imports": {
	"three": "/node_modules/three/build/three.module.js", "three/addons/": "/node_modules/three/examples/jsm/"}}</script>
<script type="module">
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { ColladaLoader } from 'three/addons/loaders/ColladaLoader.js';
import { FBXLoader } from 'three/addons/loaders/FBXLoader.js';
import { USDLoader } from 'three/addons/loaders/USDLoader.js';

// Vertices of the loaded mesh in all poses: at rest, then at every key, then with the joints set to \`bends\` (degrees; three values
// for each bone, about z, y and x). glTF's primitives share their vertices, so the first mesh has all, in order; Collada's, FBX's and
// USD's mesh has one vertex for each corner of a triangle. FBX's centimetres are taken as metres here.
const load = async (name) => {
	const loaders = { dae: ColladaLoader, fbx: FBXLoader, usda: USDLoader }, ending = name.split('.').pop();
	const loaded = await new (loaders[ending] ?? GLTFLoader)().loadAsync('/file/' + name);
	if (!loaded.isObject3D) return loaded;
	const group = new THREE.Group();
	group.add(loaded);
	if (ending === 'fbx') group.scale.setScalar(0.01);
	return { scene: group, animations: loaded.animations };
};
window.pose = async (name, count, bends) => {
	const corners = !name.endsWith('.glb') && !name.endsWith('.gltf');
	const gltf = await load(name);
	const meshes = [];
	gltf.scene.traverse((node) => { if (node.isSkinnedMesh || node.morphTargetInfluences) meshes.push(node); });
	const clip = gltf.animations[0], mixer = new THREE.AnimationMixer(gltf.scene), frames = [];
	if (corners) count = meshes[0].geometry.attributes.position.count;
	const read = () => {
		gltf.scene.updateMatrixWorld(true);
		const out = [], v = new THREE.Vector3();
		for (let i = 0; i < count; i++) {
			meshes[0].getVertexPosition(i, v).applyMatrix4(meshes[0].matrixWorld);
			out.push(v.x, v.y, v.z);
		}
		frames.push(out);
	};
	read();
	const joints = Object.entries(gltf.kinematics?.joints ?? {});
	joints.forEach(([joint], i) => { if (bends && bends[i] !== 0) gltf.kinematics.setJointValue(joint, bends[i]); });
	if (bends) read();
	const bent = bends ? frames.pop() : null;
	const times = clip.tracks.reduce((a, track) => (track.times.length > a.length ? track.times : a), []);
	const action = mixer.clipAction(clip);
	action.setLoop(THREE.LoopOnce);
	action.clampWhenFinished = true;
	action.play();
	for (const time of times) { mixer.setTime(time); read(); }
	const limits = joints.map(([, joint]) => ({ ...joint.limits, axis: joint.axis.toArray() }));
	return { frames, bent, limits, clip: clip.name };
};
window.ready = true;
</script>`;

// PC2: 12 bytes of name, version, points, start, rate, samples, then floats
function read_pc2(bytes) {
	const points = bytes.readInt32LE(16), samples = bytes.readInt32LE(28);
	const frames = [];
	for (let f = 0, at = 32; f < samples; f++) {
		const frame = new Float32Array(points * 3);
		for (let i = 0; i < frame.length; i++, at += 4) frame[i] = bytes.readFloatLE(at);
		frames.push(frame);
	}
	return { points, frames };
}

function diagonal(frame) {
	const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
	frame.forEach((x, i) => {
		low[i % 3] = Math.min(low[i % 3], x);
		high[i % 3] = Math.max(high[i % 3], x);
	});
	return Math.hypot(...low.map((x, k) => high[k] - x));
}

// three.js has room for four influences: files with more cannot agree
async function influence_sets(path) {
	const bytes = await readFile(path);
	if (path.endsWith('.dae')) {
		const counts = bytes.toString().match(/<vertex_weights[^]*?<vcount>([^<]*)</)[1].split(/\s+/).map(Number);
		return counts.some((count) => count > 4) ? 2 : 1;
	}
	if (path.endsWith('.fbx')) return path.includes('six') ? 2 : 1;
	if (path.endsWith('.usda')) return Number(bytes.toString().match(/elementSize = (\d+)/)[1]) > 4 ? 2 : 1;
	const json = JSON.parse(path.endsWith('.glb') ? bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString() : bytes.toString());
	return json.meshes[0].primitives[0].attributes.JOINTS_1 === undefined ? 1 : 2;
}

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const browser = await chromium.launch({ executablePath, headless: true, args: ['--no-sandbox'] });
const page = await browser.newPage();
const files = process.argv.slice(2);
page.on('pageerror', (error) => console.log('three: ' + error));
await page.route(origin + '**', async (route) => {
	const path = new URL(route.request().url()).pathname;
	if (path === '/') return route.fulfill({ contentType: 'text/html', body: page_text });
	// a file by its number, and what lies beside it
	const [, folder, number, name] = path.split('/');
	if (folder === 'file') return route.fulfill({ body: await readFile(join(dirname(files[Number(number)]), decodeURIComponent(name))) });
	if (!path.endsWith('.js')) return route.fulfill({ status: 404 });
	return route.fulfill({ contentType: 'text/javascript', body: await readFile(new URL('.' + path, here)) });
});
await page.goto(origin);
await page.waitForFunction('window.ready');

// which vertex of ossa's each vertex found is: the nearest at rest
function match(rest, found) {
	const order = [];
	for (let i = 0; i < found.length; i += 3) {
		let best = 0, least = Infinity;
		for (let k = 0; k < rest.length && least > 0; k += 3) {
			const d = (rest[k] - found[i]) ** 2 + (rest[k + 1] - found[i + 1]) ** 2 + (rest[k + 2] - found[i + 2]) ** 2;
			if (d < least) [best, least] = [k / 3, d];
		}
		order.push(best);
	}
	return order;
}

function largest_difference(expected, found, order) {
	let worst = 0;
	for (let i = 0; i < found.length; i++) worst = Math.max(worst, Math.abs(found[i] - expected[3 * order[(i - i % 3) / 3] + i % 3]));
	return worst;
}

const read_facts = async (path) => (existsSync(path) ? JSON.parse((await readFile(path)).toString()) : null);

// what the file says of its joints' turns: those about z, y, x for each bone, for a hinge one
function joints_are_right(facts, found) {
	const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b)), turns = facts.bones.flatMap((bone) => bone.turns);
	return found.clip === facts.clip && found.limits.length === turns.length && found.limits.every((joint, i) => (
		near(joint.min, turns[i].least) && near(joint.max, turns[i].most) && joint.axis.every((x, k) => Math.abs(x - turns[i].axis[k]) < 1e-6)));
}

const bends_of = (facts) => facts.bones.flatMap(({ turns }) => turns.map(({ bend }) => bend));

async function judge(index, path) {
	const base = path.replace(/\.[^.]*$/, ''), expected = read_pc2(await readFile(base + '.pc2'));
	const facts = path.endsWith('.dae') ? await read_facts(base + '.json') : null;
	const found = await page.evaluate(([name, count, bends]) => window.pose(name, count, bends),
		[`${index}/${basename(path)}`, expected.points, facts && bends_of(facts)]);
	const order = /\.(dae|fbx|usda)$/.test(path) ? match(expected.frames[0], found.frames[0]) : found.frames[0].map((x, i) => i);
	const size = diagonal(expected.frames[0]), share = (x) => `${(x / size).toExponential(1)} of the diagonal`;
	let worst = found.frames.length === expected.frames.length ? 0 : Infinity;
	found.frames.forEach((frame, f) => { worst = Math.max(worst, largest_difference(expected.frames[f] ?? [], frame, order)); });
	let good = worst <= tolerance * size, text = `${found.frames.length} poses, worst vertex ${share(worst)}`;
	if (facts) {
		const bent = largest_difference(read_pc2(await readFile(base + '.bent.pc2')).frames[0], found.bent, order);
		const right = joints_are_right(facts, found);
		text += `, ${found.limits.length} joints with ${right ? 'the right' : 'WRONG'} limits, worst vertex when bent ${share(bent)}`;
		good &&= right && bent <= tolerance * size;
	}
	console.log(`three: ${path}: ${text}${good ? '' : ' FAILED'}`);
	return good;
}

let failed = false;
for (const [index, path] of files.entries()) {
	if ((await influence_sets(path)) > 1) console.log(`three: ${path}: skipped: three.js reads four influences`);
	else if (!(await judge(index, path))) failed = true;
}
await browser.close();
process.exit(failed ? 1 : 0);
