// three.js in a headless browser: loads glTF files that move, sets every frame and compares the vertices with FILE.pc2.
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

// vertices in a frame: primitives share them, so the first mesh has all
window.pose = async (name, count) => {
	const gltf = await new GLTFLoader().loadAsync('/file/' + name);
	const meshes = [];
	gltf.scene.traverse((node) => { if (node.isSkinnedMesh || node.morphTargetInfluences) meshes.push(node); });
	const clip = gltf.animations[0], mixer = new THREE.AnimationMixer(gltf.scene), frames = [];
	// the rest pose, then every key
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
	const times = clip.tracks.reduce((a, track) => (track.times.length > a.length ? track.times : a), []);
	const action = mixer.clipAction(clip);
	action.setLoop(THREE.LoopOnce);
	action.clampWhenFinished = true;
	action.play();
	for (const time of times) { mixer.setTime(time); read(); }
	return { frames, sets: Object.keys(meshes[0].geometry.attributes).filter((key) => /^joints_|skinIndex/.test(key)).length };
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

let failed = false;
for (const [index, path] of files.entries()) {
	if ((await influence_sets(path)) > 1) {
		console.log(`three: ${path}: skipped: three.js reads four influences`);
		continue;
	}
	const expected = read_pc2(await readFile(path.replace(/\.[^.]*$/, '.pc2')));
	const found = await page.evaluate(([name, count]) => window.pose(name, count), [`${index}/${basename(path)}`, expected.points]);
	let worst = found.frames.length === expected.frames.length ? 0 : Infinity;
	for (let f = 0; f < Math.min(found.frames.length, expected.frames.length); f++) {
		for (let i = 0; i < expected.points * 3; i++) {
			worst = Math.max(worst, Math.abs(found.frames[f][i] - expected.frames[f][i]));
		}
	}
	worst /= diagonal(expected.frames[0]);
	const good = worst <= tolerance;
	console.log(`three: ${path}: ${found.frames.length} poses, worst vertex ${worst.toExponential(1)} of the diagonal${good ? '' : ' FAILED'}`);
	failed ||= !good;
}
await browser.close();
process.exit(failed ? 1 : 0);
