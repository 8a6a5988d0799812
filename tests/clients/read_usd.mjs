// TinyUSDZ, a strict reader of USD: every file must parse and give its mesh. It is built for browsers alone, so that Node stands in for one.
// usage: node read_usd.mjs FILE...
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const wasm = await readFile(createRequire(import.meta.url).resolve('tinyusdz/tinyusdz.wasm'));
globalThis.window = globalThis;
process.type = 'renderer';
globalThis.fetch = async () => new Response(wasm, { headers: { 'Content-Type': 'application/wasm' } });
const { default: start } = await import('tinyusdz/tinyusdz.js');
const tinyusdz = await start({});

let failed = false;
for (const path of process.argv.slice(2)) {
	const bytes = await readFile(path), text = bytes.toString();
	const loader = new tinyusdz.TinyUSDZLoaderNative();
	const read = loader.loadFromBinary(new Uint8Array(bytes), path.split('/').pop());
	const has_mesh = text.includes('def Mesh ');
	const mesh = read && loader.numMeshes() === 1 ? loader.getMesh(0) : null;
	const good = read && (has_mesh ? mesh?.points.length > 0 : loader.numMeshes() === 0);
	console.log(`tinyusdz: ${path}: ${good ? `read, ${mesh ? mesh.points.length / 3 : 'no'} points` : `FAILED ${loader.error()}`}`);
	failed ||= !good;
}
process.exit(failed ? 1 : 0);
