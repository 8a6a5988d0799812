// OpenUSD, its own library in a headless browser, on USD files that ossa made of glTF files: it reads them without a word, shows every
// mesh and material, and what it has read is as three.js reads the glTF file: meshes, UV sets, colours, materials with their images and
// the sets that these lie by, joints, blend shapes with their weights, and every vertex at four moments of the motion, at rest and with
// all shapes on. This build of OpenUSD cannot skin (it has no UsdSkel), so that usd_page.mjs does by the rules.
// usage: node usd_open.mjs FILE.glb FILE.usda [FILE.glb FILE.usda ...]
import { readFile, readdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { chromium } from 'playwright-core';

const here = new URL('.', import.meta.url);
const origin = 'https://ossa.test/';
const tolerance = 1e-4;
const types = { mjs: 'text/javascript', js: 'text/javascript', wasm: 'application/wasm' };
// threads share memory in pages that no other can reach alone
const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp', 'Cross-Origin-Resource-Policy': 'same-origin' };

const page_text = `<!doctype html><script type="importmap">{"imports": {
	"three": "/node_modules/three/build/three.module.js", "three/addons/": "/node_modules/three/examples/jsm/"}}</script>
<script src="/usd/emHdBindings.js"></script>
<script type="module">
import { judge, parse_stage } from '/usd_page.mjs';

let openusd;
const put_file = (name, text) => openusd.FS.createDataFile('/', name, new TextEncoder().encode(text), true, true, true);
// what OpenUSD hands to a renderer
function open(name) {
	const shown = { points: 0, materials: new Set() };
	const mesh = (id) => ({ updateIndices() {}, setTransform() {}, updateNormals() {}, setMaterial() {}, updatePrimvar() {}, commit() {},
		updatePoints(points) { shown.points += points.length / 3; } });
	const material = (id) => ({ updateNode() {}, updateFinished() { shown.materials.add(id); } });
	const driver = new openusd.HdWebSyncDriver({ createRPrim: (type, id) => mesh(id), createBPrim() {}, setDriver() {}, CommitResources() {},
		createSPrim: (type, id) => (type === 'material' ? material(id) : undefined) }, name);
	driver.Draw();
	return { shown, stage: driver.GetStage() };
}
const text_of = async (number) => (await fetch('/usda/' + number)).text();
window.start = async () => {
	openusd = await window.getUsdModule(undefined, '/usd', undefined);
	await openusd.ready;
	// it speaks of itself when it opens its first file
	put_file('first.usda', '#usda 1.0\\ndef Xform "empty" {}\\n');
	open('first.usda');
};
window.judge = async (number, name) => {
	const text = await text_of(number);
	put_file(number + '.usda', text);
	const { stage } = open(number + '.usda');
	// it shows nothing that is below a SkelRoot
	put_file(number + '-plain.usda', text.replace('def SkelRoot ', 'def Xform '));
	const { shown } = open(number + '-plain.usda');
	window.stage_rate = stage.GetTimeCodesPerSecond();
	window.usd_folder = '/beside/' + number + '/';
	const prims = parse_stage(stage.ExportToString()), points = (prim) => prim.values.get('points')?.length ?? 0;
	const found = await judge(prims, '/glb/' + number);
	const drawn = [...prims.values()].filter((prim) => prim.type === 'Mesh').reduce((sum, prim) => sum + points(prim), 0);
	if (shown.points !== drawn) found.faults.push(shown.points + ' points are shown, not ' + drawn);
	const bound = new Set([...prims.values()].map((prim) => prim.values.get('material:binding')).filter(Boolean));
	if (shown.materials.size !== bound.size) found.faults.push(shown.materials.size + ' materials are shown, not ' + bound.size);
	return { ...found, counts: { ...found.counts, points: shown.points, materials: shown.materials.size } };
};
window.is_there = true;
</script>`;

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const browser = await chromium.launch({ executablePath, headless: true, args: ['--no-sandbox'] });
const page = await browser.newPage();
const files = process.argv.slice(2), said = [];

async function find_body(path) {
	const [, kind, number, name] = path.split('/').map(decodeURIComponent);
	if (kind === 'usd') return readFile(new URL(`node_modules/three-usdz-loader/external/${number}`, here));
	if (kind === 'glb') return readFile(files[2 * number]);
	if (kind === 'usda') return readFile(files[2 * number + 1]);
	if (kind === 'beside') return readFile(join(dirname(files[2 * number + 1]), name));
	return readFile(new URL('.' + path, here));
}

page.on('pageerror', (error) => said.push(String(error)));
// this build lacks what looks for shaders of other programs
page.on('console', (message) => { if (!message.text().includes('_FindAndInstantiateDiscoveryPlugins')) said.push(message.text()); });
await page.context().route(origin + '**', async (route) => {
	const path = new URL(route.request().url()).pathname;
	if (path === '/') return route.fulfill({ contentType: 'text/html', body: page_text, headers });
	const body = await find_body(path).catch(() => null);
	const contentType = types[path.split('.').pop()] ?? 'application/octet-stream';
	return route.fulfill(body ? { contentType, body, headers } : { status: 404, headers });
});
await page.goto(origin);
await page.waitForFunction('window.is_there');
await page.evaluate(() => window.start());

let failed = false;
for (let i = 0; i + 1 < files.length; i += 2) {
	said.length = 0;
	const { faults, worst, counts } = await page.evaluate((number) => window.judge(number), i / 2);
	const all = [...faults, ...said], good = all.length === 0 && worst <= tolerance;
	console.log(`openusd: ${files[i + 1]}: ${Object.entries(counts).map(([name, count]) => `${count} ${name}`).join(', ')}, ` +
		`worst vertex ${worst.toExponential(1)} of the diagonal${good ? '' : ` FAILED ${all.slice(0, 8).join('; ')}`}`);
	failed ||= !good;
}
await browser.close();
process.exit(failed ? 1 : 0);
