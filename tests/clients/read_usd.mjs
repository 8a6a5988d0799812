// TinyUSDZ, a strict reader of USD: every file must parse and give its meshes, with the images of its materials. It is built for browsers alone, so that Node stands in for one.
// usage: node read_usd.mjs FILE...
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const wasm = await readFile(createRequire(import.meta.url).resolve('tinyusdz/tinyusdz.wasm'));
globalThis.window = globalThis;
process.type = 'renderer';
globalThis.fetch = async () => new Response(wasm, { headers: { 'Content-Type': 'application/wasm' } });
const { default: start } = await import('tinyusdz/tinyusdz.js');
const tinyusdz = await start({});

/** the files of the images that the materials of a file have, as the reader followed them */
function images_of(loader) {
	const found = [];
	for (let image = loader.getImage(0); image?.uri; image = loader.getImage(found.length)) found.push(image.uri);
	return new Set(found);
}

let failed = false;
for (const path of process.argv.slice(2)) {
	const bytes = await readFile(path), text = bytes.toString();
	const loader = new tinyusdz.TinyUSDZLoaderNative();
	const read = loader.loadFromBinary(new Uint8Array(bytes), path.split('/').pop());
	// one for each object
	const count = [...text.matchAll(/def Mesh /g)].length;
	const meshes = read && loader.numMeshes() === count ? [...Array(count).keys()].map((i) => loader.getMesh(i)) : [];
	const named = new Set([...text.matchAll(/ inputs:file = @+(.*?)@+$/gm)].map((found) => found[1]));
	const images = read ? images_of(loader) : new Set();
	const has_images = images.size === named.size && [...named].every((name) => images.has(name));
	const good = read && has_images && meshes.length === count && meshes.every((mesh) => mesh.points.length > 0);
	const points = meshes.reduce((sum, mesh) => sum + mesh.points.length / 3, 0);
	const counts = `${points || 'no'} points${count > 1 ? ` in ${count} meshes` : ''}${images.size > 0 ? `, ${images.size} images` : ''}`;
	console.log(`tinyusdz: ${path}: ${good ? `read, ${counts}` : `FAILED ${loader.error()}`}`);
	failed ||= !good;
}
process.exit(failed ? 1 : 0);
