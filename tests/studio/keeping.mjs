// Nothing is lost: rigging and opening are undone, two tabs keep each other's poses, paint is kept, sessions come back, and nobody else
// gets the token.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { scene_pixels } from './first.mjs';
import { choose, some_bone } from './pose.mjs';
import { drop, idle, open_page, ready, rig_of, sample, start_studio, work } from './studio.mjs';

const state = (page) => page.evaluate(() => window.ossa.app.session.state);
const poses = (page) => page.evaluate(() => window.ossa.app.library.poses.map(({ name }) => name));

async function open(kit, files = [rig_of('biped', 3000, 8)], wanted = 'rig') {
	const studio = await start_studio(files);
	kit.after(studio.end);
	const page = await open_page(kit.browser, studio.address);
	await ready(page, wanted);
	page.studio = studio;
	return page;
}

/** the middle of a bone on the screen */
const middle = (page, b) => page.evaluate((at) => {
	const { viewport, display } = window.ossa.app, { joints, tails } = display.view.bones, seen = viewport.project(joints[at].clone().lerp(tails[at], 0.5)), box = viewport.pane.getBoundingClientRect();
	return { x: seen.x + box.left, y: seen.y + box.top };
}, b);

export const tests = {
	'a new rig and another file are undone': async (kit) => {
		const page = await open(kit), bone = await some_bone(page);
		await page.evaluate((name) => window.ossa.app.edits.do([`split ${name} 0.5 extra`]), bone);
		await idle(page);
		const before = await state(page);
		await page.evaluate(() => window.ossa.app.session.run({ do: 'rig', method: 'examples', options: { bones: '7' } }));
		await ready(page, 'rig');
		assert.equal((await state(page)).rig.bones.length, 7);
		await drop(page, [sample('quadruped', 3000, 8)[0]]);
		await page.waitForFunction(() => window.ossa.app.session.state.files[0] === 'rest.obj' && !window.ossa.app.session.busy);
		// kept on the disk, and seen in another tab
		const other = await open_page(kit.browser, page.url());
		await ready(other);
		await other.getByRole('tab', { name: 'Edit' }).click();
		assert.deepEqual(await other.locator('.list .step button.line').allInnerTexts(), ['opened biped-3000-8.glb', 'rigged by examples', 'opened rest.obj']);
		for (const count of [7, before.rig.bones.length]) {
			await other.locator('.pane.main').focus();
			await other.keyboard.press('Control+z');
			await other.waitForFunction((n) => window.ossa.app.session.state.rig?.bones.length === n && !window.ossa.app.session.busy, count);
		}
		await idle(page);
		assert.deepEqual((await state(other)).edits, before.edits);
		await other.keyboard.press('Control+z');
		await other.waitForFunction(() => window.ossa.app.session.state.edits.done.length === 0);
		for (let i = 0; i < 3; i++) { await other.keyboard.press('Control+Shift+z'); await other.waitForTimeout(400); await idle(other); }
		assert.equal((await state(other)).title, 'rest');
		await page.waitForFunction(() => window.ossa.app.session.state.title === 'rest');
		assert.deepEqual([...page.faults, ...other.faults], []);
	},

	'two tabs keep poses of each other, and names are not used twice': async (kit) => {
		const page = await open(kit), other = await open_page(kit.browser, page.url());
		await ready(other, 'rig');
		const keep = (at) => at.evaluate(() => { const { library, posing } = window.ossa.app; return library.add({ name: library.free_name, ...posing.pose.by_name(posing.rig) }); });
		await Promise.all([keep(page), keep(other), keep(page), keep(other)]);
		for (const at of [page, other]) await at.waitForFunction(() => window.ossa.app.library.poses.length === 4);
		assert.deepEqual((await poses(page)).sort(), (await poses(other)).sort());
		// one of the same name as before is another one
		await page.evaluate(() => window.ossa.app.library.remove(0));
		await other.waitForFunction(() => window.ossa.app.library.poses.length === 3);
		await keep(page);
		await other.waitForFunction(() => window.ossa.app.library.poses.length === 4);
		await page.locator('.pane.main').focus();
		// what was kept is taken out again, what was deleted comes back
		await page.keyboard.press('Control+z');
		await page.keyboard.press('Control+z');
		await page.waitForTimeout(300);
		await other.waitForFunction(() => window.ossa.app.library.poses.length === 4);
		assert.deepEqual((await poses(page)).sort(), (await poses(other)).sort());
		// the browser notes that one was refused, before it was sent again
		assert.deepEqual([...page.faults, ...other.faults].filter((text) => !text.includes('409')), []);
	},

	'a pose that is kept while the studio is away is sent when it is back': async (kit) => {
		const folder = join(work, `sessions-away-${process.pid}`);
		let studio = await start_studio([rig_of('biped', 3000, 8)], { folder });
		const page = await open_page(kit.browser, studio.address), { port } = studio;
		await ready(page, 'rig');
		await page.waitForFunction(() => window.ossa.app.api.key);
		const bone = await some_bone(page);
		await page.evaluate((name) => { const { posing } = window.ossa.app, pose = posing.pose.copy(); pose.set_angles(posing.rig, posing.rig.index.get(name), [20, 0, 0]); posing.change(pose); }, bone);
		await studio.kill();
		await page.getByText('does not answer').waitFor({ timeout: 20000 });
		await page.evaluate(() => { const { library, posing } = window.ossa.app; library.add({ name: 'away', ...posing.pose.by_name(posing.rig) }); });
		studio = await start_studio([], { folder, port });
		kit.after(studio.end);
		await page.waitForFunction(() => window.ossa.app.api.is_there);
		const kept = async (wanted) => {
			let found = null;
			for (let i = 0; i < 50 && JSON.stringify(found) !== JSON.stringify(wanted); i++) {
				found = await page.evaluate(async () => (await window.ossa.app.api.get('page')).poses?.map(({ name, turns }) => [name, ...Object.keys(turns)]));
				await page.waitForTimeout(100);
			}
			assert.deepEqual(found, wanted);
		};
		await kept([['away', bone]]);
		// and it follows the bone's new name
		await page.evaluate((name) => window.ossa.app.edits.rename(window.ossa.app.session.rig.index.get(name), 'other'), bone);
		await kept([['away', 'other']]);
	},

	'paint is kept, stroke by stroke': async (kit) => {
		const page = await open(kit), bone = await some_bone(page);
		await choose(page, bone);
		await page.keyboard.press('3');
		assert.equal(await page.getByRole('tab', { name: 'Edit' }).getAttribute('aria-selected'), 'true', 'the brush is there');
		const b = await page.evaluate((name) => window.ossa.app.session.rig.index.get(name), bone), at = await middle(page, b);
		const count = () => page.evaluate(() => window.ossa.app.painting.faces.size);
		const stroke = async (dy) => { await page.mouse.move(at.x, at.y + dy); await page.mouse.down(); await page.mouse.move(at.x + 2, at.y + dy + 1); await page.mouse.up(); };
		await stroke(0);
		const one = await count();
		await stroke(40);
		assert.ok(one > 0 && await count() > one);
		// in the middle of a stroke it ends that stroke alone
		await page.keyboard.press('Control+z');
		assert.equal(await count(), one);
		await page.mouse.move(at.x, at.y + 40);
		await page.mouse.down();
		await page.keyboard.press('Control+z');
		await page.mouse.move(at.x, at.y + 44);
		await page.mouse.up();
		assert.equal(await count(), one);
		assert.equal((await state(page)).edits.done.length, 0);
		// another bone: what was painted is an edit
		const other = await page.evaluate((name) => window.ossa.app.session.rig.bones.find((one) => one.name !== name).name, bone);
		await choose(page, other);
		await page.waitForFunction(() => window.ossa.app.session.state.edits.done.length > 0 && !window.ossa.app.session.busy);
		assert.ok((await state(page)).edits.done[0].startsWith(`paint ${bone} `));
		assert.equal(await count(), 0);
		assert.deepEqual(page.faults, []);
	},

	'random acts in two tabs and kills lose no pose and no stroke': async (kit) => {
		const folder = join(work, `sessions-random-${process.pid}`);
		let studio = await start_studio([rig_of('biped', 3000, 8)], { folder }), seed = 11;
		kit.after(() => studio.end());
		const random = (count) => { seed = (seed * 48271) % 2147483647; return seed % count; }, { port } = studio, tabs = [], wanted = { poses: [], painted: [] };
		for (let i = 0; i < 2; i++) tabs.push(await open_page(kit.browser, studio.address));
		for (const page of tabs) await ready(page, 'rig').then(() => page.waitForFunction(() => window.ossa.app.api.key));
		const name = await some_bone(tabs[0]), acts = {
			pose: (page, i) => { wanted.poses.push(`kept ${i}`); return page.evaluate((called) => { const { library, posing } = window.ossa.app; library.add({ name: called, ...posing.pose.by_name(posing.rig) }); }, `kept ${i}`); },
			paint: (page, i) => {
				wanted.painted.push(i);
				return page.evaluate(([bone, face]) => {
					const { painting, session, selection } = window.ossa.app;
					selection.set([session.rig.index.get(bone)]);
					Object.assign(painting, { faces: new Set([face]), bone, surface: session.rig.surface });
					painting.keep();
				}, [name, i]);
			},
			kill: async () => {
				await studio.kill();
				await Promise.all(tabs.map((page) => page.waitForFunction(() => !window.ossa.app.api.is_there)));
				for (const act of ['pose', 'paint']) await acts[act](tabs[random(2)], 1000 + wanted.poses.length + wanted.painted.length);
				studio = await start_studio([], { folder, port });
				await Promise.all(tabs.map((page) => page.waitForFunction(() => window.ossa.app.api.is_there && !window.ossa.app.session.busy, null, { timeout: 60000 })));
			},
		};
		await tabs[0].evaluate(() => window.ossa.app.look.set('solve_at_once', false));
		await tabs[1].evaluate(() => window.ossa.app.look.set('solve_at_once', false));
		for (let i = 0; i < 40; i++) {
			await acts[i % 13 === 12 ? 'kill' : ['pose', 'paint'][random(2)]](tabs[random(2)], i);
			// strokes that follow before the one before is kept
			if (random(3) === 0) await Promise.all(tabs.map(idle));
		}
		await Promise.all(tabs.map(idle));
		for (const page of tabs) {
			await page.waitForFunction((count) => window.ossa.app.library.poses.length === count, wanted.poses.length);
			assert.deepEqual((await poses(page)).sort(), [...wanted.poses].sort());
			// one whose answer was lost is there twice
			const painted = async () => new Set((await state(page)).edits.done.map((line) => Number(line.split(' ')[2])));
			for (let i = 0; i < 100 && (await painted()).size < wanted.painted.length; i++) await page.waitForTimeout(100);
			assert.deepEqual([...await painted()].sort((a, b) => a - b), [...wanted.painted].sort((a, b) => a - b));
		}
		kit.tell(`${wanted.poses.length} poses and ${wanted.painted.length} strokes, with 3 kills`);
	},

	'bones are chosen though handles lie over them, and by the skin': async (kit) => {
		const page = await open(kit), rig = await page.evaluate(() => window.ossa.app.session.rig.bones.map(({ parent }) => parent));
		let clicks = 0, good = 0;
		for (let b = 1; b < rig.length && clicks < 40; b++) {
			for (const near of [rig[b], ...rig.map((parent, child) => (parent === b ? child : -1))].filter((one) => one > 0)) {
				const at = await middle(page, near);
				// not where another bone lies nearer
				const wanted = await page.evaluate(async ([x, y]) => { const { hand } = window.ossa.app, view = hand.view(); const box = hand.viewport.pane.getBoundingClientRect(); return window.ossa.pick_bone(hand.viewport, view.bones, x - box.left, y - box.top); }, [at.x, at.y]);
				if (wanted === b) continue;
				await page.evaluate((one) => window.ossa.app.selection.set([one]), b);
				await page.evaluate(() => window.ossa.app.viewport.draw());
				await page.mouse.move(at.x + 1, at.y);
				await page.mouse.click(at.x, at.y);
				clicks++;
				if (await page.evaluate(() => window.ossa.app.selection.active) === wanted) good++;
			}
		}
		kit.tell(`${good} of ${clicks} clicks`);
		assert.ok(clicks >= 20 && good === clicks, `${good} of ${clicks}`);
		// the skin, where no bone is drawn
		await page.keyboard.press('Escape');
		await page.keyboard.press('b');
		const at = await middle(page, 4);
		await page.mouse.click(at.x, at.y);
		const chosen = await page.evaluate(() => window.ossa.app.selection.active);
		assert.ok(chosen >= 0, 'the bone that moves the skin there');
		await page.mouse.click(300, 600);
		assert.equal(await page.evaluate(() => window.ossa.app.selection.active), -1, 'beside it nothing');
		assert.deepEqual(page.faults, []);
	},

	'space plays, the tab Edit is the mode Edit, a mesh is drawn plainly': async (kit) => {
		const page = await open(kit), mode = () => page.evaluate(() => window.ossa.app.mode.name);
		// what was clicked last has the focus
		await page.getByRole('button', { name: 'Wire' }).click();
		await page.keyboard.press('Space');
		assert.equal(await page.evaluate(() => [window.ossa.app.player.playing, window.ossa.app.look.get('wire')].join()), 'true,true');
		await page.keyboard.press('Space');
		await page.getByRole('tab', { name: 'Edit' }).click();
		assert.equal(await mode(), 'edit');
		await page.getByRole('tab', { name: 'Bone' }).click();
		assert.equal(await mode(), 'edit', 'numbers of the bone belong to both');
		await page.getByRole('tab', { name: 'Poses' }).click();
		assert.equal(await mode(), 'pose');
		await page.locator('.pane.main').focus();
		await page.keyboard.press('2');
		assert.equal(await page.getByRole('tab', { name: 'Edit' }).getAttribute('aria-selected'), 'true');
		// colours of bones are left on
		for (const coloring of ['bones', 'roles', 'weight']) {
			await page.evaluate((name) => window.ossa.app.look.set('coloring', name), coloring);
			await drop(page, [sample('quadruped', 3000, 8)[0]]);
			await page.waitForFunction(() => window.ossa.app.session.state.rig === null && !window.ossa.app.session.busy);
			assert.equal(await page.evaluate(() => { const { display, viewport } = window.ossa.app; viewport.draw(); return display.view.surface.material.defines.COLORING; }), 0, coloring);
		}
		assert.deepEqual(page.faults, []);
	},

	'a lost scene comes back': async (kit) => {
		const page = await open(kit), before = await scene_pixels(page);
		await page.evaluate(() => { window.lose = window.ossa.app.viewport.renderer.getContext().getExtension('WEBGL_lose_context'); window.lose.loseContext(); });
		await page.getByText('taken the graphics away').waitFor();
		// work goes on meanwhile
		await page.evaluate((name) => window.ossa.app.edits.do([`split ${name}`]), await some_bone(page));
		await page.evaluate(() => window.lose.restoreContext());
		await page.getByText('The scene is there again').waitFor();
		const after = await scene_pixels(page);
		assert.ok(after.things > 0.9 * before.things && after.things < 1.1 * before.things, `${before.things}, ${after.things}`);
	},

	'sessions are named, sorted, removed and taken back': async (kit) => {
		const page = await open(kit);
		const titles = () => page.locator('.sessions button.line').allInnerTexts();
		await page.locator('header .title').click();
		await page.getByRole('button', { name: 'Rename' }).click();
		await page.getByLabel('Name', { exact: true }).fill('My walker');
		await page.getByRole('button', { name: 'OK' }).click();
		await page.waitForFunction(() => window.ossa.app.session.state.title === 'My walker');
		await page.waitForTimeout(1100); // dates are of seconds
		await page.getByRole('button', { name: 'New session' }).click();
		await page.waitForFunction(() => window.ossa.app.session.state.mesh === null);
		await drop(page, [sample('quadruped', 3000, 8)[0]]);
		await ready(page);
		await page.locator('header .title').click();
		await page.getByText('My walker').waitFor();
		assert.deepEqual(await titles(), ['rest', 'My walker']);
		await page.getByRole('button', { name: 'Remove' }).click();
		await page.waitForFunction(() => document.querySelectorAll('.sessions button.line').length === 1);
		await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
		await page.waitForFunction(() => document.querySelectorAll('.sessions button.line').length === 2);
		await page.locator('.sessions').getByRole('button', { name: 'My walker' }).click();
		await ready(page, 'rig');
		// another rig does not change it
		await page.evaluate(() => window.ossa.app.session.run({ do: 'rig', method: 'examples', options: { bones: '5' } }));
		assert.equal((await state(page)).title, 'My walker');
		assert.deepEqual(page.faults, []);
	},

	'who listens on the port of a studio that ended gets no token': async (kit) => {
		const folder = join(work, `sessions-port-${process.pid}`);
		let studio = await start_studio([rig_of('biped', 3000, 8)], { folder });
		const page = await open_page(kit.browser, studio.address), { port } = studio, heard = [];
		await ready(page, 'rig');
		await page.waitForFunction(() => window.ossa.app.api.key && window.ossa.app.api.events.readyState === 1);
		const { key, token } = await page.evaluate(() => ({ key: window.ossa.app.api.key, token: window.ossa.app.api.base.split('/')[3] }));
		await studio.kill();
		await page.getByText('does not answer').waitFor({ timeout: 20000 });
		const listener = createServer((wire) => wire.on('error', () => {}).on('data', (data) => {
			heard.push(data.toString());
			wire.end('HTTP/1.1 200 OK\r\nContent-Length: 60\r\nConnection: close\r\n\r\n' + JSON.stringify({ run: '0'.repeat(32), proof: '0'.repeat(8) }).padEnd(60));
		}));
		await new Promise((done) => { listener.listen(port, '127.0.0.1', done); });
		await page.evaluate(() => { window.ossa.app.session.edit('solve'); window.ossa.app.library.add({ name: 'x', turns: {}, moved: [0, 0, 0] }); });
		await page.waitForTimeout(5000);
		await new Promise((done) => { listener.close(done); });
		assert.ok(heard.length > 0 && heard.every((text) => text.startsWith('GET /hello/')), 'it is asked who it is');
		assert.ok(heard.every((text) => !text.includes(token) && !text.includes(key)), 'and gets nothing');
		studio = await start_studio([], { folder, port });
		kit.after(studio.end);
		await page.getByText('there again').waitFor({ timeout: 20000 });
		assert.notEqual(new URL(page.url()).pathname.slice(1, 33), token);
		// a page that is loaded again finds it too
		await page.reload();
		await page.waitForFunction(() => window.ossa !== undefined);
		await ready(page, 'rig');
	},
};
