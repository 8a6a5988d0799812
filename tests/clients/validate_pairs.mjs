// Khronos' validator on glTF files and what ossa made of them: no error or warning that the first had not. Errors of the first that
// can stay are images that are not beside it.
// usage: node validate_pairs.mjs BEFORE.glb AFTER.glb [BEFORE.glb AFTER.glb ...]
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { validateBytes } from 'gltf-validator';

// by code: how many errors and warnings
async function faults_of(path) {
	const externalResourceFunction = async (uri) => new Uint8Array(await readFile(join(dirname(path), decodeURIComponent(uri))));
	const { issues } = await validateBytes(new Uint8Array(await readFile(path)), { uri: path, maxIssues: 0, externalResourceFunction });
	const counts = new Map();
	for (const { code, severity } of issues.messages.filter((message) => message.severity < 2)) {
		const key = `${severity === 0 ? 'error' : 'warning'} ${code}`;
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	return counts;
}

let failed = false;
const files = process.argv.slice(2);
for (let i = 0; i + 1 < files.length; i += 2) {
	const [before, after] = [await faults_of(files[i]), await faults_of(files[i + 1])];
	const worse = [...after].filter(([key, count]) => (key.startsWith('error') && key !== 'error IO_ERROR') || count > (before.get(key) ?? 0));
	const text = worse.map(([key, count]) => `${key} ${count} (${before.get(key) ?? 0} before)`).join(', ');
	console.log(`validator: ${files[i + 1]}: ${text ? `FAILED ${text}` : 'no error, no new warning'}`);
	failed ||= worse.length > 0;
}
process.exit(failed ? 1 : 0);
