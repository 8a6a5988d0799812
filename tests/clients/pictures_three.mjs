// three.js in a headless browser: a glTF file and what ossa made of it look alike at rest, from two sides, with morph targets at
// rest and half way. The mean difference over the pixels that either shows is below 1 of 255.
// usage: node pictures_three.mjs BEFORE.glb AFTER.glb [BEFORE.glb AFTER.glb ...]
import { readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const here = new URL('.', import.meta.url);
const origin = 'http://ossa.test/';
const most = 1;
// a figure that hardly differs from nothing would always pass
const least_shown = 0.01;

const page_text = `<!doctype html><script type="importmap">{"imports": {
	"three": "/node_modules/three/build/three.module.js", "three/addons/": "/node_modules/three/examples/jsm/"}}</script>
<script type="module">
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const size = 384;
const renderer = new THREE.WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
renderer.setSize(size, size);
renderer.setClearColor(0x334455);
document.body.append(renderer.domElement);

function light(scene) {
	const key = new THREE.DirectionalLight(0xffffff, 2), fill = new THREE.DirectionalLight(0x88aaff, 1);
	key.position.set(1, 2, 3);
	fill.position.set(-3, 1, -2);
	scene.add(key, fill, new THREE.HemisphereLight(0xffffff, 0x664433, 1));
}

function are_alike(a, b) {
	const size = Math.max(...a.elements.map(Math.abs));
	return a.elements.every((value, i) => Math.abs(value - b.elements[i]) < 1e-4 * size);
}

// what takes a skin to where it was bound: where most of its joints are; of places with one joint each the one where the mesh's node
// is, or that of the node above the joints
function place_of({ skeleton, matrixWorld }, armature) {
	const places = skeleton.bones.map((bone, i) => bone.matrixWorld.clone().multiply(skeleton.boneInverses[i]));
	const candidates = [matrixWorld, armature, ...places];
	const votes = candidates.map((place) => places.filter((other) => are_alike(place, other)).length);
	return candidates[votes.indexOf(Math.max(...votes))];
}

// Joints where their skin was bound: files may show another pose, and a rig's rest pose is that of the skin. A joint's parents come
// before it.
function bind(scene) {
	const bound = new Map();
	scene.traverse((node) => {
		if (!node.skeleton) return;
		let above = node.skeleton.bones[0];
		while (node.skeleton.bones.includes(above)) above = above.parent;
		const place = place_of(node, above.matrixWorld);
		node.skeleton.bones.forEach((bone, i) => bound.set(bone, place.clone().multiply(node.skeleton.boneInverses[i].clone().invert())));
	});
	scene.traverse((node) => {
		if (!bound.has(node)) return;
		node.parent.matrixWorld.clone().invert().multiply(bound.get(node)).decompose(node.position, node.quaternion, node.scale);
		node.updateWorldMatrix(false, false);
	});
	scene.updateMatrixWorld(true);
}

async function load(url) {
	const gltf = await new GLTFLoader().loadAsync(url), scene = new THREE.Scene();
	scene.add(gltf.scene);
	light(scene);
	gltf.scene.traverse((node) => { node.frustumCulled = false; });
	scene.updateMatrixWorld(true);
	return scene;
}

function look_at(scene) {
	const box = new THREE.Box3().setFromObject(scene, true), center = box.getCenter(new THREE.Vector3());
	const far = box.getSize(new THREE.Vector3()).length();
	return [[0.3, 0.2, 1], [-0.8, 0.4, -0.7]].map((side) => {
		const camera = new THREE.PerspectiveCamera(35, 1, far / 100, far * 10);
		camera.position.copy(center).add(new THREE.Vector3(...side).normalize().multiplyScalar(1.2 * far));
		camera.lookAt(center);
		return camera;
	});
}

function set_targets(scene, weight) {
	scene.traverse((node) => { node.morphTargetInfluences?.forEach((own, i, all) => { all[i] = weight; }); });
}

function picture(scene, camera) {
	renderer.render(scene, camera);
	const gl = renderer.getContext(), pixels = new Uint8Array(4 * size * size);
	gl.readPixels(0, 0, size, size, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
	return pixels;
}

// over the pixels that differ from the background in one of both
function compare(a, b, empty) {
	let shown = 0, sum = 0, largest = 0;
	for (let i = 0; i < a.length; i += 4) {
		const is_shown = [0, 1, 2].some((k) => a[i + k] !== empty[i + k] || b[i + k] !== empty[i + k]);
		shown += is_shown;
		for (let k = 0; k < 3; k++) {
			const apart = Math.abs(a[i + k] - b[i + k]);
			sum += apart;
			largest = Math.max(largest, apart);
		}
	}
	return { shown: shown / (size * size), mean: sum / 3 / Math.max(shown, 1), largest };
}

window.judge = async (before_url, after_url) => {
	const before = await load(before_url), after = await load(after_url), found = [];
	bind(before);
	const cameras = look_at(before);
	const empty = picture(new THREE.Scene(), cameras[0]);
	for (const weight of [null, 0.5]) {
		if (weight !== null) [before, after].forEach((scene) => set_targets(scene, weight));
		for (const camera of cameras) found.push(compare(picture(before, camera), picture(after, camera), empty));
	}
	return found;
};
window.shot = async (url, other) => {
	const scene = await load(url), first = await load(other);
	bind(first);
	if (url === other) bind(scene);
	const camera = look_at(first)[0];
	picture(scene, camera);
	return renderer.domElement.toDataURL('image/png');
};
window.ready = true;
</script>`;

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const browser = await chromium.launch({
	executablePath, headless: true, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
const page = await browser.newPage();
const files = process.argv.slice(2);
const faults = [];
page.on('pageerror', (error) => faults.push(String(error)));
await page.route(origin + '**', async (route) => {
	const path = new URL(route.request().url()).pathname;
	if (path === '/') return route.fulfill({ contentType: 'text/html', body: page_text });
	const file = files[path.match(/^\/file\/(\d+)$/)?.[1]];
	if (file) return route.fulfill({ body: await readFile(file) });
	// images that a file names and that are not there, too
	if (!path.endsWith('.js')) return route.fulfill({ status: 404 });
	return route.fulfill({ contentType: 'text/javascript', body: await readFile(new URL('.' + path, here)) });
});
await page.goto(origin);
await page.waitForFunction('window.ready');

// the two pictures beside a file that fails
async function keep_pictures(path, urls) {
	for (const [i, name] of ['before', 'after'].entries()) {
		const shot = await page.evaluate(([url, other]) => window.shot(url, other), [urls[i], urls[0]]);
		await writeFile(`${path}.${name}.png`, Buffer.from(shot.split(',')[1], 'base64'));
	}
}

let failed = false;
for (let i = 0; i + 1 < files.length; i += 2) {
	const urls = [`/file/${i}`, `/file/${i + 1}`];
	const found = await page.evaluate((both) => window.judge(...both), urls);
	const worst = Math.max(...found.map((item) => item.mean)), largest = Math.max(...found.map((item) => item.largest));
	const shown = Math.min(...found.map((item) => item.shown));
	const good = worst < most && shown > least_shown && faults.length === 0;
	console.log(`pictures: ${files[i + 1]}: mean difference ${worst.toFixed(3)} of 255, largest ${largest}, ` +
		`${(100 * shown).toFixed(0)} % shown${good ? '' : ` FAILED ${faults}`}`);
	if (!good) await keep_pictures(files[i + 1], urls);
	failed ||= !good;
}
await browser.close();
process.exit(failed ? 1 : 0);
