// Nothing is lost: rigging and opening are undone, two tabs keep each other's poses, paint is kept, sessions come back, and nobody else
// gets the token.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
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
		const page = await open(kit), bone = await some_bone(page), first = await page.evaluate(() => window.ossa.app.api.session);
		await page.evaluate((name) => window.ossa.app.edits.do([`split ${name} 0.5 extra`]), bone);
		await idle(page);
		const before = await state(page);
		await page.evaluate(() => window.ossa.app.session.run({ do: 'rig', method: 'examples', options: { bones: '7' } }));
		await ready(page, 'rig');
		assert.equal((await state(page)).rig.bones.length, 7);
		await drop(page, [sample('quadruped', 3000, 8)[0]]);
		await page.waitForFunction(() => window.ossa.app.session.state.files[0] === 'rest.obj' && !window.ossa.app.session.busy);
		const second = await page.evaluate(() => window.ossa.app.api.session);
		assert.notEqual(second, first, 'a session of its own');
		// kept on the disk: a tab that knows only the second session goes all the way back
		const other = await open_page(kit.browser, page.url());
		await ready(other);
		const at = (id) => other.waitForFunction((one) => window.ossa.app.api.session === one && !window.ossa.app.session.busy, id), press = (keys) => other.locator('.pane.main').press(keys);
		assert.equal(await other.getByRole('button', { name: 'Undo' }).isDisabled(), false);
		await press('Control+z');
		await at(first);
		await other.getByRole('tab', { name: 'Edit' }).click();
		assert.deepEqual(await other.locator('.list .step button.line').allInnerTexts(), ['opened biped-3000-8.glb', 'rigged by examples']);
		await press('Control+z');
		await other.waitForFunction((n) => window.ossa.app.session.state.rig?.bones.length === n && !window.ossa.app.session.busy, before.rig.bones.length);
		assert.deepEqual((await state(other)).edits, before.edits);
		await press('Control+z');
		await other.waitForFunction(() => window.ossa.app.session.state.edits.done.length === 0 && !window.ossa.app.session.busy);
		for (let i = 0; i < 3; i++) { await press('Control+Shift+z'); await other.waitForTimeout(400); await idle(other); }
		await at(second);
		assert.equal((await state(other)).title, 'rest');
		// the tab that stayed saw nothing of it
		assert.equal(await page.evaluate(() => window.ossa.app.api.session), second);
		// after an edit there is nothing to redo
		await press('Control+z');
		await at(first);
		await other.evaluate(() => window.ossa.app.edits.do([`split ${window.ossa.app.session.rig.bones[1].name}`]));
		await idle(other);
		assert.equal(await other.getByRole('button', { name: 'Redo' }).isDisabled(), true);
		assert.deepEqual([...page.faults, ...other.faults], []);
	},

	'two sessions are listed, and going between them loses nothing': async (kit) => {
		const page = await open(kit), bone = await some_bone(page), first = await page.evaluate(() => window.ossa.app.api.session);
		const shown = () => page.evaluate(() => { const { session, posing, library } = window.ossa.app; const round = (value) => JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'number' ? Number(one.toFixed(9)) : one))); return round([session.state, posing.pose.by_name(posing.rig), library.poses, posing.can_undo, posing.can_redo]); });
		const go = async (title) => { await page.locator('header .title').click(); await page.locator('.sessions button.line', { hasText: title }).click(); await page.waitForFunction((one) => window.ossa.app.session.state.title === one && !window.ossa.app.session.busy, title); };
		await page.evaluate((name) => window.ossa.app.edits.do([`split ${name} 0.5 extra`]), bone);
		await choose(page, bone);
		for (const key of ['r', 'x', 'x', '2', '2', 'Enter', 'k', 'Enter']) await page.keyboard.press(key);
		await page.waitForFunction(() => window.ossa.app.library.poses.length === 1 && !window.ossa.app.library.is_unsent && !window.ossa.app.session.busy);
		const before = await shown();
		await drop(page, [sample('quadruped', 3000, 8)[0]]);
		await page.waitForFunction(() => window.ossa.app.session.state.title === 'rest');
		await ready(page);
		await page.evaluate(() => window.ossa.app.session.run({ do: 'rig', method: 'auto' }));
		await ready(page, 'rig');
		await page.waitForFunction(() => window.ossa.app.library.poses.length === 0);
		const between = await shown();
		await page.locator('header .title').click();
		await page.locator('.sessions button.line').nth(1).waitFor();
		assert.deepEqual(await page.locator('.sessions button.line').allInnerTexts(), ['rest', 'biped-3000-8']);
		assert.ok((await page.locator('.sessions .count').allInnerTexts()).every((text) => /^today \d+:\d+.*MB$/.test(text)));
		await page.keyboard.press('Escape');
		for (let i = 0; i < 2; i++) {
			await go('biped-3000-8');
			await page.waitForFunction(() => window.ossa.app.library.poses.length === 1);
			assert.deepEqual(await shown(), before);
			await go('rest');
			await page.waitForFunction(() => window.ossa.app.library.poses.length === 0);
			assert.deepEqual(await shown(), between);
		}
		// the pose is undone as if nothing had been between
		await go('biped-3000-8');
		await page.locator('.pane.main').press('Control+z');
		await page.waitForFunction(() => window.ossa.app.library.poses.length === 0);
		await page.locator('.pane.main').press('Control+z');
		assert.equal((await page.evaluate((name) => window.ossa.app.posing.pose.by_name(window.ossa.app.posing.rig).turns[name], bone)), undefined);
		// a stroke, an edit and a pose just before it
		const face = await page.evaluate((name) => {
			const { painting, selection, session, edits, library } = window.ossa.app;
			selection.set([session.rig.index.get(name)]);
			Object.assign(painting, { faces: new Set([7]), bone: name, mesh: session.surface_key, place: session.api.session });
			edits.do([`split ${session.rig.bones.at(-1).name} 0.5 late`]);
			library.add({ name: 'late', turns: {}, moved: [0, 0, 0] });
			return session.api.session;
		}, bone);
		assert.equal(face, first);
		await go('rest');
		await go('biped-3000-8');
		const { edits } = await state(page);
		assert.ok(edits.done.some((line) => line.endsWith(' late')) && edits.done.some((line) => line.startsWith(`paint ${bone} 7`)), edits.done.join('; '));
		await page.waitForFunction(() => window.ossa.app.library.poses.some(({ name }) => name === 'late'));
		assert.deepEqual(page.faults, []);
	},

	'a file that cannot be opened leaves the session as it is': async (kit) => {
		const page = await open(kit), before = await page.evaluate(() => [window.ossa.app.api.session, JSON.stringify(window.ossa.app.session.state)]), path = join(work, 'broken.obj');
		writeFileSync(path, 'v 1 2\nf 1 2 3\n');
		await drop(page, [path]);
		await page.locator('.notice.bad', { hasText: 'broken.obj' }).waitFor();
		await idle(page);
		assert.deepEqual(await page.evaluate(() => [window.ossa.app.api.session, JSON.stringify(window.ossa.app.session.state)]), before);
		const listed = await page.evaluate(() => window.ossa.app.api.json('api/sessions'));
		assert.deepEqual([listed.sessions.length, listed.removed.length], [1, 0]);
	},

	'several removed sessions come back, also the one on the screen': async (kit) => {
		const page = await open(kit), other = await open_page(kit.browser, page.url()), list = (at) => at.locator('.sessions button.line').allInnerTexts();
		await ready(other, 'rig');
		for (const kind of ['quadruped', 'snake']) {
			await drop(page, [sample(kind, 3000, 8)[0]]);
			await page.waitForFunction((one) => window.ossa.app.session.state.mesh && !window.ossa.app.session.busy && window.ossa.app.api.session !== one, await page.evaluate(() => window.ossa.app.api.session));
		}
		await page.locator('header .title').click();
		for (let left = 3; left > 1; left--) {
			await page.getByRole('button', { name: 'Remove' }).first().click();
			await page.waitForFunction((n) => document.querySelectorAll('.sessions button.line').length === n, left - 1);
		}
		// the other tab shows one of them
		await other.getByText('was removed in another tab').waitFor({ timeout: 20000 });
		await other.getByRole('button', { name: 'Bring it back' }).click();
		await other.waitForFunction(() => window.ossa.app.api.events?.readyState === 1);
		await other.evaluate(() => window.ossa.app.edits.do([`split ${window.ossa.app.session.rig.bones[1].name}`]));
		assert.equal((await state(other)).edits.done[0].startsWith('split'), true);
		await page.keyboard.press('Escape');
		await page.locator('header .title').click();
		await page.getByText('Removed (1)').click();
		await page.getByText('kept for 30 days').waitFor();
		await page.getByRole('button', { name: 'Bring back' }).click();
		await page.waitForFunction(() => document.querySelectorAll('.sessions button.line').length === 3);
		assert.equal((await list(page)).length, 3);
		assert.deepEqual([...page.faults, ...other.faults].filter((text) => !/404|EventSource|ERR_/.test(text)), []);
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
		await page.getByText('does not answer').first().waitFor({ timeout: 20000 });
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

	'strokes and poses follow a bone that is renamed while another is split': async (kit) => {
		const page = await open(kit), bone = await some_bone(page), split = await page.evaluate((name) => window.ossa.app.session.rig.bones.findLast((one) => one.name !== name).name, bone);
		await page.evaluate(async ([name, other]) => {
			const { library, painting, posing, session } = window.ossa.app, pose = posing.pose.copy();
			pose.set_angles(posing.rig, posing.rig.index.get(name), [20, 0, 0]);
			posing.change(pose);
			await library.add({ name: 'kept', ...posing.pose.by_name(posing.rig) });
			// as of another tab: the page sees both edits at once, and the stroke still has the old name
			const edited = session.edit(`rename ${name} other`, `split ${other} 0.5 half`);
			Object.assign(painting, { faces: new Set([56]), bone: name, mesh: session.surface_key, place: session.api.session });
			await Promise.all([edited, painting.keep()]);
		}, [bone, split]);
		assert.deepEqual((await state(page)).edits.done.slice(0, 3).map((line) => line.split(' ').slice(0, 3)), [['rename', bone, 'other'], ['split', split, '0.5'], ['paint', 'other', '56']]);
		const shown = () => page.evaluate(() => { const { library, posing } = window.ossa.app; return [posing.pose.by_name(posing.rig), library.poses[0]].map(({ turns }) => Object.keys(turns)); });
		assert.deepEqual(await shown(), [['other'], ['other']]);
		// and the way back
		await page.evaluate(() => window.ossa.app.session.run({ do: 'goto', count: 0 }));
		assert.deepEqual(await shown(), [[bone], [bone]]);
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

	'40 of 40 clicks choose the bone under the pointer, though handles lie over it': async (kit) => {
		let clicks = 0, good = 0, over = 0;
		for (const file of [rig_of('biped', 3000, 8), rig_of('quadruped', 3000, 8)]) {
			const page = await open(kit, [file]), rig = await page.evaluate(() => window.ossa.app.session.rig.bones.map(({ parent }) => parent));
			const most = clicks + 20;
			for (let b = 1; b < rig.length && clicks < most; b++) {
				for (const near of [rig[b], ...rig.map((parent, child) => (parent === b ? child : -1))].filter((one) => one > 0)) {
					if (clicks === most) break;
					await page.evaluate((one) => window.ossa.app.selection.set([one]), b);
					await page.evaluate(() => window.ossa.app.viewport.draw());
					const at = await middle(page, near);
					// not where the chosen bone itself lies nearest; and whether a handle of it is there
					const { wanted, handle } = await page.evaluate(([x, y]) => {
						const { hand, viewport, display } = window.ossa.app, box = viewport.pane.getBoundingClientRect(), { controls } = display.gizmo, { enabled, axis } = controls;
						controls.enabled = true;
						controls.pointerHover({ x: 2 * (x - box.left) / box.width - 1, y: 1 - 2 * (y - box.top) / box.height, button: -1 });
						const found = controls.axis;
						Object.assign(controls, { enabled, axis });
						return { wanted: window.ossa.pick_bone(viewport, hand.view().bones, x - box.left, y - box.top), handle: found };
					}, [at.x, at.y]);
					if (wanted === b || wanted < 0) continue;
					await page.mouse.move(at.x + 1, at.y);
					await page.mouse.click(at.x, at.y);
					clicks++;
					over += handle !== null;
					if (await page.evaluate(() => window.ossa.app.selection.active) === wanted) good++;
				}
			}
			await page.close();
		}
		kit.tell(`${good} of ${clicks} clicks, ${over} of them over a handle`);
		assert.equal(good, 40, `${good} of ${clicks}`);
		assert.equal(clicks, 40);
		assert.ok(over >= 10, `handles are under ${over} of the clicks: where they are under none, this test shows nothing`);
	},

	'bones are chosen by the skin': async (kit) => {
		const page = await open(kit);
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
};
