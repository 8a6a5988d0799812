// What goes wrong: hostile files, a server that stops, is killed and comes again, words that are no words.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { angles, choose, some_bone } from './pose.mjs';
import { drop, idle, open_page, ready, rig_of, start_studio, work } from './studio.mjs';

export const tests = {
	'hostile files are reported and leave the rig alone': async (kit) => {
		const studio = await start_studio([rig_of('biped', 5000, 12)]);
		kit.after(studio.end);
		const page = await open_page(kit.browser, studio.address);
		await ready(page, 'rig');
		const bones = await page.evaluate(() => window.ossa.app.session.rig.bone_count), good = readFileSync(rig_of('biped', 5000, 12));
		const files = {
			'noise.glb': Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 251)), 'cut.glb': good.subarray(0, good.length / 2), 'empty.obj': Buffer.alloc(0),
			'<img src=x onerror=alert(1)>.obj': Buffer.from('v 0 0 nan\nf 1 2 3\n'), 'huge.ply': Buffer.from('ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\nend_header\n'),
			'what.exe': Buffer.from('MZ'),
		};
		for (const [name, bytes] of Object.entries(files)) {
			const path = join(work, name);
			writeFileSync(path, bytes);
			await page.locator('.notice .close').evaluateAll((list) => list.forEach((one) => one.click()));
			await drop(page, [path]);
			await page.locator('.notice.bad').first().waitFor({ timeout: 30000 });
			await idle(page);
			const text = await page.locator('.notice.bad').first().innerText();
			assert.ok(text.length > 20, `${name}: ${text}`);
			assert.equal(await page.locator('.notice img').count(), 0, 'words stay words');
			assert.equal(await page.evaluate(() => window.ossa.app.session.rig?.bone_count), bones, `${name} leaves the rig`);
		}
		const unexpected = page.faults.filter((fault) => !/Failed to load resource/.test(fault));
		assert.deepEqual(unexpected, []);
	},

	'posing does not wait for the server': async (kit) => {
		const studio = await start_studio([rig_of('biped', 5000, 12)]);
		kit.after(studio.end);
		const page = await open_page(kit.browser, studio.address);
		await ready(page, 'rig');
		const name = await some_bone(page);
		await choose(page, name);
		studio.pause();
		try {
			const drawn = await page.evaluate(() => window.ossa.app.viewport.drawn);
			for (const key of ['r', 'x', 'x', '2', '2', 'Enter']) await page.keyboard.press(key);
			assert.ok(Math.abs((await angles(page, name))[0] - 22) < 1e-6);
			await page.waitForFunction((n) => window.ossa.app.viewport.drawn > n, drawn, { timeout: 5000 });
		} finally {
			studio.resume();
		}
	},

	'a killed server is reported, comes back, and nothing is lost': async (kit) => {
		const folder = join(work, `sessions-killed-${process.pid}`);
		let studio = await start_studio([rig_of('biped', 5000, 12)], { folder });
		const page = await open_page(kit.browser, studio.address);
		await ready(page, 'rig');
		const name = await some_bone(page);
		await page.evaluate((one) => { const { app } = window.ossa; app.look.set('solve_at_once', false); app.selection.set([app.session.rig.index.get(one)]); return app.edits.split(app.selection.active, 0.5); }, name);
		await idle(page);
		const before = await page.evaluate(() => window.ossa.app.session.state.rig.bones.map((bone) => bone.name));
		await choose(page, name);
		for (const key of ['r', 'x', 'x', '2', '2', 'Enter']) await page.keyboard.press(key);
		const address = new URL(studio.address);
		await studio.kill();
		await page.getByText('does not answer').first().waitFor({ timeout: 20000 });
		// posing goes on
		for (const key of ['r', 'x', 'x', '1', '0', 'Enter']) await page.keyboard.press(key);
		const posed = await angles(page, name);
		assert.ok(Math.abs(posed[0] - 32) < 1e-6, String(posed));
		studio = await start_studio([], { folder, port: address.port });
		kit.after(studio.end);
		assert.notEqual(new URL(studio.address).pathname, address.pathname, 'the token is another one');
		await page.getByText('there again').waitFor({ timeout: 20000 });
		await page.waitForFunction(() => window.ossa.app.api.is_there && window.ossa.app.api.events.readyState === 1, null, { timeout: 20000 });
		assert.deepEqual(await page.evaluate(() => window.ossa.app.session.state.rig.bones.map((bone) => bone.name)), before);
		assert.deepEqual(await angles(page, name), posed, 'the pose is still there');
		assert.equal(new URL(page.url()).pathname, new URL(studio.address).pathname, 'the page can be loaded again');
		await page.evaluate(() => window.ossa.app.session.edit(`rename ${window.ossa.app.selection.active_bone.name} again`));
		await idle(page);
		assert.ok((await page.evaluate(() => window.ossa.app.session.state.rig.bones.map((bone) => bone.name))).includes('again'), 'work goes on');
	},

	'a server that ends in the middle of a job': async (kit) => {
		// the second time it is killed before it has noted the job
		for (const noted of [true, false]) {
			const folder = join(work, `sessions-job-${process.pid}-${noted}`), files = [rig_of('biped', 100000, 12)];
			let studio = await start_studio(files, { folder });
			const page = await open_page(kit.browser, studio.address);
			await ready(page, 'rig');
			const { port } = studio, { bones, id } = await page.evaluate(() => ({ bones: window.ossa.app.session.rig.bone_count, id: window.ossa.app.api.session }));
			// told by the page, not looked for from here: where much runs, a look would come after the end
			await page.evaluate(() => new Promise((begun) => {
				const { session } = window.ossa.app, end = session.on('busy', (job) => { if (job?.state === 'running') { end(); begun(); } });
				session.run({ do: 'rig', method: 'contraction', options: {} });
			}));
			await studio.kill();
			if (!noted) rmSync(join(folder, id, 'job.json'), { force: true });
			await page.getByText('does not answer').first().waitFor({ timeout: 20000 });
			studio = await start_studio([], { folder, port });
			await page.getByText('there again').waitFor({ timeout: 20000 });
			await idle(page);
			assert.equal(await page.evaluate(() => window.ossa.app.session.rig.bone_count), bones, 'as the last finished job left it');
			await page.close();
			await studio.end();
		}
	},

	'a job that the page only heard of ends with its server': async (kit) => {
		const folder = join(work, `sessions-heard-${process.pid}`);
		let studio = await start_studio([rig_of('biped', 5000, 12)], { folder });
		const page = await open_page(kit.browser, studio.address);
		await ready(page, 'rig');
		const { port } = studio;
		// as where the event that it runs came, and the answer that names it did not
		await page.evaluate(() => window.ossa.app.api.heard({ id: 'j7', do: 'rig', state: 'running', stage: 'begin', fraction: 0 }));
		await studio.kill();
		// the message, and the words beside it where another request has failed, too
		await page.getByText('does not answer').first().waitFor({ timeout: 20000 });
		studio = await start_studio([], { folder, port });
		kit.after(studio.end);
		await page.getByText('there again').waitFor({ timeout: 20000 });
		await idle(page);
	},

	'a file over the limit is refused before it is sent': async (kit) => {
		const studio = await start_studio([rig_of('biped', 5000, 12)], { words: ['--upload-limit', '1'] });
		kit.after(studio.end);
		const page = await open_page(kit.browser, studio.address);
		await ready(page, 'rig');
		const path = join(work, 'large.obj'), sent = [];
		writeFileSync(path, Buffer.alloc(3 << 20, 'v 0 0 0\n'));
		page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()));
		await drop(page, [path]);
		const notice = page.locator('.notice.bad').first();
		await notice.waitFor({ timeout: 20000 });
		const text = await notice.innerText();
		assert.match(text, /large\.obj has 3 MB; the studio takes files of up to 1 MB/);
		assert.match(text, /--upload-limit 3/);
		assert.deepEqual(sent, [], 'nothing was sent');
		assert.deepEqual(page.faults, []);
	},

	'a full disk is reported, loses nothing, and work goes on when there is space': async (kit) => {
		const folder = join(work, `sessions-full-${process.pid}`), rig = rig_of('biped', 5000, 12);
		const there = (page) => page.waitForFunction(() => window.ossa.app.api.is_there && window.ossa.app.api.events.readyState === 1, null, { timeout: 20000 });
		let studio = await start_studio([rig], { folder });
		const { port } = studio, page = await open_page(kit.browser, studio.address);
		await ready(page, 'rig');
		await studio.end();
		// nothing larger than some kB can be written any more
		studio = await start_studio([], { folder, port, file_kb: 40 });
		await there(page);
		const name = await some_bone(page), look = () => page.evaluate(() => JSON.stringify([window.ossa.app.session.state.rig, window.ossa.app.session.state.edits]));
		const before = await look();
		await page.evaluate((line) => window.ossa.app.session.edit(line), `split ${name} 0.5`);
		await idle(page);
		let text = await page.locator('.notice.bad').first().innerText();
		assert.match(text, /File too large|No space left|cannot be (kept|written)|could not be written/i);
		assert.equal(await look(), before, 'everything is as it was');
		await page.locator('.notice .close').evaluateAll((list) => list.forEach((one) => one.click()));
		const path = join(work, 'too-large.obj');
		writeFileSync(path, Buffer.alloc(1 << 20, 'v 0 0 0\n'));
		await drop(page, [path]);
		await page.locator('.notice.bad').first().waitFor({ timeout: 20000 });
		text = await page.locator('.notice.bad').first().innerText();
		assert.match(text, /disk is full.*free some space/);
		assert.equal(await look(), before);
		await studio.end();
		studio = await start_studio([], { folder, port });
		kit.after(studio.end);
		await there(page);
		await page.evaluate((line) => window.ossa.app.session.edit(line), `split ${name} 0.5`);
		await idle(page);
		assert.deepEqual(await page.evaluate(() => window.ossa.app.session.state.edits.done), [`split ${name} 0.5`]);
	},

	'strokes on a full disk stay on the screen, and are kept when there is space': async (kit) => {
		const folder = join(work, `sessions-painted-${process.pid}`);
		let studio = await start_studio([rig_of('biped', 5000, 12)], { folder });
		const { port } = studio, page = await open_page(kit.browser, studio.address), name = await ready(page, 'rig').then(() => some_bone(page));
		const there = () => page.waitForFunction(() => window.ossa.app.api.is_there && window.ossa.app.api.events.readyState === 1, null, { timeout: 20000 });
		const painted = () => page.evaluate(() => window.ossa.app.painting.faces.size), done = () => page.evaluate(() => window.ossa.app.session.state.edits.done);
		await studio.end();
		studio = await start_studio([], { folder, port, file_kb: 40 });
		await there();
		await page.evaluate(() => window.ossa.app.look.set('solve_at_once', false));
		await choose(page, name);
		await page.keyboard.press('3');
		const at = await page.evaluate((one) => {
			const { viewport, display, session } = window.ossa.app, b = session.rig.index.get(one), { joints, tails } = display.view.bones, seen = viewport.project(joints[b].clone().lerp(tails[b], 0.5)), box = viewport.pane.getBoundingClientRect();
			return { x: seen.x + box.left, y: seen.y + box.top };
		}, name);
		await page.mouse.move(at.x, at.y);
		await page.mouse.down();
		await page.mouse.move(at.x + 2, at.y + 2);
		await page.mouse.up();
		const count = await painted();
		assert.ok(count > 0);
		await page.keyboard.press('Enter');
		await page.locator('.notice.bad', { hasText: /File too large|No space left|cannot be kept/ }).first().waitFor({ timeout: 20000 });
		await page.waitForFunction((faces) => window.ossa.app.painting.faces.size === faces, count, { timeout: 20000 });
		assert.deepEqual(await done(), []);
		await studio.end();
		studio = await start_studio([], { folder, port });
		kit.after(studio.end);
		await there();
		assert.equal(await painted(), count, 'the stroke is still there');
		await page.keyboard.press('Enter');
		await page.waitForFunction(() => window.ossa.app.session.state.edits.done.length === 1 && !window.ossa.app.session.busy);
		assert.match((await done())[0], new RegExp(`^paint ${name} `));
		assert.equal(await painted(), 0);
	},
};
