// The last step of the walk in docs/studio.md: what the page exports is opened by Blender, which has the bones, and moves the surface as ossa does.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { drop, idle, open_page, ready, sample, start_studio, work } from './studio.mjs';

const blender = ['/usr/bin/blender', '/usr/local/bin/blender'].find(existsSync);
const judge = resolve(import.meta.dirname, '../clients/pose_blender.py');

/** frames as a .pc2 cache, the first one at rest */
function write_cache(path, frames) {
	const head = Buffer.alloc(32);
	head.write('POINTCACHE2\0', 'latin1');
	[[12, 1], [16, frames[0].length / 3], [28, frames.length]].forEach(([at, value]) => head.writeInt32LE(value, at));
	[[20, 0], [24, 1]].forEach(([at, value]) => head.writeFloatLE(value, at));
	writeFileSync(path, Buffer.concat([head, ...frames.map((frame) => Buffer.from(Float32Array.from(frame).buffer))]));
}

const vertices_of = (path) => readFileSync(path, 'utf8').split('\n').filter((line) => line.startsWith('v ')).flatMap((line) => line.split(' ').slice(1, 4).map(Number));

/** where the library has the vertices in a frame of the rig's own motion */
const posed = (page, frame) => page.evaluate(async (k) => {
	const { api, session } = window.ossa.app, { clip, bones } = session.state.rig, count = clip.times.length;
	const { bytes } = await api.bytes('clip'), turns = new Float32Array(bytes, 0, 4 * count * bones.length), roots = new Float32Array(bytes, 16 * count * bones.length, 3 * count);
	const rotations = bones.map((_, b) => [...turns.subarray(4 * (k * bones.length + b), 4 * (k * bones.length + b) + 4)]);
	const answer = await api.post('positions', { blend: 'linear', rotations, root: [...roots.subarray(3 * k, 3 * k + 3)] });
	return [...new Float32Array(await answer.arrayBuffer())];
}, frame);

export const tests = {
	'from poses to an animated character in Blender': async (kit) => {
		if (!blender) return kit.tell('skipped: there is no Blender here');
		const studio = await start_studio(), files = sample('biped', 3000, 8);
		kit.after(studio.end);
		const page = await open_page(kit.browser, studio.address);
		await drop(page, files);
		await ready(page, 'mesh');
		await page.evaluate(() => window.ossa.app.session.run({ do: 'rig', method: 'auto', options: {} }));
		await ready(page, 'rig');
		const bone = await page.evaluate(() => { const { rig } = window.ossa.app.session; return rig.bones.find((one, b) => one.parent > 0 && rig.children[b].length === 1).name; });
		await page.evaluate((name) => window.ossa.app.session.edit(`split ${name}`, 'solve'), bone);
		await idle(page);
		const count = await page.evaluate(() => window.ossa.app.session.state.rig.bones.length), frames = [vertices_of(files[0])];
		for (let k = 0; k < files.length - 1; k++) frames.push(await posed(page, k));
		await page.getByRole('tab', { name: 'Export' }).click();
		const coming = page.waitForEvent('download');
		await page.getByRole('button', { name: 'Export', exact: true }).click();
		const path = join(work, 'walk.glb');
		await (await coming).saveAs(path);
		write_cache(join(work, 'walk.pc2'), frames);
		const told = execFileSync(blender, ['--background', '--factory-startup', '--python-exit-code', '1', '--python', judge, '--', path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 120000 });
		const line = told.split('\n').find((one) => one.startsWith('blender:'));
		kit.tell(line.replace(path, 'walk.glb'));
		assert.match(line, new RegExp(`: ${count} bones, ${files.length - 1} frames, `));
		assert.deepEqual(page.faults, []);
	},
};
