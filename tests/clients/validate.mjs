// Khronos' validator on .glb and .gltf files: any error or warning fails. Hints and information are counted only.
// usage: node validate.mjs FILE...
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { validateBytes } from 'gltf-validator';

let failed = false;
for (const path of process.argv.slice(2)) {
	const externalResourceFunction = async (uri) => new Uint8Array(await readFile(join(dirname(path), decodeURIComponent(uri))));
	const report = await validateBytes(new Uint8Array(await readFile(path)), { uri: path, maxIssues: 100, externalResourceFunction });
	const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
	const codes = [...new Set(messages.map((message) => message.code))].join(' ');
	console.log(`validator: ${path}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos + numHints} remarks ${codes}`);
	for (const message of messages.filter((item) => item.severity < 2).slice(0, 10)) {
		console.log(`  ${message.code} ${message.pointer ?? ''}: ${message.message}`);
	}
	failed ||= numErrors > 0 || numWarnings > 0;
}
process.exit(failed ? 1 : 0);
