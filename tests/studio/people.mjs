// What people do: drop all that a folder holds, press keys faster than anything is solved, look away and come back.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { angles, choose, some_bone } from './pose.mjs';
import { drop, idle, open_page, ready, rig_of, run, sample, start_studio, work } from './studio.mjs';

async function open(kit, files, wanted = 'rig') {
	const studio = await start_studio(files);
	kit.after(studio.end);
	const page = await open_page(kit.browser, studio.address);
	if (wanted) await ready(page, wanted);
	return page;
}

const state = (page) => page.evaluate(() => window.ossa.app.session.state);
const done = async (page) => (await state(page)).edits.done;
const bad = (page) => page.locator('.notice.bad').allInnerTexts();
const until = (page, count) => page.waitForFunction((n) => window.ossa.app.session.state.edits.done.length === n && !window.ossa.app.session.busy, count, { timeout: 60000 });
const opened = (page, name) => page.waitForFunction((one) => window.ossa.app.session.state.files[0] === one && !window.ossa.app.session.busy, name, { timeout: 60000 });

function in_folder(name) {
	const folder = join(work, name);
	mkdirSync(folder, { recursive: true });
	return folder;
}

export const tests = {
	'files are opened with what lies beside them': async (kit) => {
		const folder = in_folder('beside'), page = await open(kit, [], null);
		run('convert', rig_of('biped', 3000, 8), join(folder, 'walker.gltf'));
		run('convert', rig_of('biped', 3000, 8), join(folder, 'walk.bvh'));
		writeFileSync(join(folder, 'cube.obj'), 'mtllib cube.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n');
		writeFileSync(join(folder, 'cube.mtl'), 'newmtl a\nmap_Kd a.png\n');
		writeFileSync(join(folder, 'a.png'), 'x');
		const at = (...names) => names.map((name) => join(folder, name));
		await drop(page, at('walker.bin', 'walker.gltf'));
		await opened(page, 'walker.gltf');
		await drop(page, at('a.png', 'cube.mtl', 'cube.obj'));
		await opened(page, 'cube.obj');
		assert.deepEqual((await state(page)).files, ['cube.obj']);
		// motion is never the first
		await drop(page, at('walk.bvh', 'walker.bin', 'walker.gltf'));
		await opened(page, 'walker.gltf');
		assert.deepEqual((await state(page)).files, ['walker.gltf', 'walk.bvh']);
		assert.deepEqual(await bad(page), []);
		assert.deepEqual(page.faults, []);
	},

	'what a file names and was not sent is told, and sent along it is kept': async (kit) => {
		const folder = in_folder('missing'), page = await open(kit, [], null), image = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVQIHWNgAAAAAgABz8g15QAAAABJRU5ErkJggg==', 'base64');
		writeFileSync(join(folder, 'cube.obj'), 'mtllib cube.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nusemtl a\nf 1/1 3/1 2/1\nf 1/1 2/1 4/1\nf 1/1 4/1 3/1\nf 2/1 3/1 4/1\n');
		writeFileSync(join(folder, 'cube.mtl'), 'newmtl a\nmap_Kd images/skin.png\n');
		writeFileSync(join(folder, 'skin.png'), image);
		const at = (...names) => names.map((name) => join(folder, name)), notice = page.locator('.notice', { hasText: 'open the file once more together with its .mtl' });
		const exported = async (name) => {
			await page.evaluate((one) => window.ossa.app.session.run({ do: 'export', name: one }), name);
			return Buffer.from(await page.evaluate(async (one) => Array.from(new Uint8Array((await window.ossa.app.api.bytes(`exports/${one}`)).bytes)), name));
		};
		await drop(page, at('cube.obj'));
		await opened(page, 'cube.obj');
		await notice.waitFor();
		assert.match(await notice.innerText(), /cube\.mtl/);
		await notice.getByRole('button', { name: 'Close' }).click();
		const lone = await page.evaluate(() => window.ossa.app.api.session);
		await drop(page, at('cube.obj', 'cube.mtl', 'skin.png'));
		await page.waitForFunction((one) => window.ossa.app.api.session !== one && window.ossa.app.session.state.files[0] === 'cube.obj' && !window.ossa.app.session.busy, lone);
		assert.equal(await notice.count(), 0);
		assert.ok((await exported('a.glb')).includes(image), 'the image is exported');
		// a glTF file that names its image in a folder, as the file in a folder is dropped
		run('convert', join(folder, 'cube.obj'), join(folder, 'cube.gltf'));
		const path = join(folder, 'cube.gltf'), document = JSON.parse(readFileSync(path, 'utf8')), beside = document.images[0].uri ?? null;
		document.images[0] = { uri: 'textures/skin.png' };
		writeFileSync(path, JSON.stringify(document));
		await drop(page, at('cube.gltf', 'cube.bin', 'skin.png'));
		await opened(page, 'cube.gltf');
		assert.equal(await notice.count(), 0, String(beside));
		assert.ok((await exported('b.glb')).includes(image));
		assert.deepEqual(await bad(page), []);
		assert.deepEqual(page.faults, []);
	},

	'a folder is dropped with all that it holds': async (kit) => {
		const page = await open(kit, [], null), paths = sample('biped', 3000, 8), files = [...paths, ...['truth.glb', 'truth.json'].map((name) => join(paths[0], '..', name))];
		const told = files.map((path) => ({ name: path.split('/').at(-1), text: readFileSync(path).toString('base64') }));
		await page.evaluate((list) => {
			const entry_of = ({ name, text }) => ({ name, isFile: true, file: (give) => give(new File([Uint8Array.from(atob(text), (one) => one.charCodeAt(0))], name)) });
			const folder = (name, entries) => ({ name, isDirectory: true, createReader: () => { let left = [entries.slice(0, 2), entries.slice(2), []]; return { readEntries: (give) => { const [part] = left; left = left.slice(1); give(part); } }; } });
			const root = folder('biped', [folder('inside', list.slice(0, 3).map(entry_of)), ...list.slice(3).map(entry_of), entry_of({ name: '.hidden', text: 'aGlkZGVu' })]);
			const event = new Event('drop');
			Object.defineProperty(event, 'dataTransfer', { value: { types: ['Files'], files: [], items: [{ webkitGetAsEntry: () => root }] } });
			window.dispatchEvent(event);
		}, told);
		await opened(page, 'rest.obj');
		assert.equal((await state(page)).input.frames, 8);
		await page.getByText('Not opened: truth.glb, truth.json.').waitFor();
		assert.deepEqual(await bad(page), []);
	},

	'files of the command line that cannot be opened are reported': async (kit) => {
		const path = join(work, 'no-mesh.obj');
		writeFileSync(path, 'hello\n');
		const page = await open(kit, [path], null);
		await page.locator('.notice.bad', { hasText: 'no-mesh.obj' }).waitFor({ timeout: 10000 });
	},

	'keys that are faster than the solution': async (kit) => {
		const page = await open(kit, [rig_of('biped', 3000, 8)]), name = await some_bone(page);
		await choose(page, name);
		await page.keyboard.press('2');
		for (let i = 0; i < 3; i++) for (const key of ['s', 'Enter']) await page.keyboard.press(key);
		await until(page, 6);
		for (let i = 0; i < 5; i++) await page.keyboard.press('Control+z');
		await until(page, 0);
		for (let i = 0; i < 5; i++) await page.keyboard.press('Control+Shift+z');
		await until(page, 6);
		assert.deepEqual(await bad(page), []);
		assert.deepEqual(page.faults, []);
	},

	'what was done together is undone together, after a reload and in another tab': async (kit) => {
		const page = await open(kit, [rig_of('biped', 3000, 8)]), name = await some_bone(page);
		for (let i = 0; i < 2; i++) await page.evaluate((one) => { const { app } = window.ossa; app.look.set('solve_at_once', true); return app.edits.split(app.session.rig.index.get(one), 0.5); }, name);
		assert.equal((await done(page)).length, 4);
		const other = await page.context().newPage();
		await other.goto(page.url());
		await other.waitForFunction(() => window.ossa !== undefined);
		await ready(other, 'rig');
		await other.keyboard.press('Control+z');
		await until(other, 2);
		await until(page, 2);
		await page.reload();
		await page.waitForFunction(() => window.ossa !== undefined);
		await ready(page, 'rig');
		await page.keyboard.press('Control+z');
		await until(page, 0);
		await page.keyboard.press('Control+Shift+z');
		await until(page, 2);
		assert.deepEqual(page.faults, []);
	},

	'an answer that was overtaken does not keep the page busy': async (kit) => {
		const page = await open(kit, [rig_of('biped', 3000, 8)]);
		const busy = await page.evaluate(async () => {
			const { api, session } = window.ossa.app, job = { id: 'j1', do: 'rig', stage: '', fraction: 0.5, error: null, result: null };
			api.heard({ ...job, state: 'running' });
			api.heard({ ...job, state: 'done' });
			api.heard({ ...job, state: 'running' });
			return session.busy;
		});
		assert.equal(busy, null);
	},

	'another session while a job runs': async (kit) => {
		const page = await open(kit, sample('quadruped', 20000, 24), 'mesh');
		await page.evaluate(() => { const { session } = window.ossa.app; session.run({ do: 'rig', method: 'examples', options: {} }); session.run({ do: 'measure' }); });
		await page.waitForFunction(() => window.ossa.app.session.busy?.id);
		await page.locator('.title').click();
		await page.getByRole('button', { name: 'New session' }).click();
		await page.getByText('Drop a mesh').waitFor();
		await page.waitForTimeout(1500);
		assert.equal(await page.evaluate(() => window.ossa.app.session.busy), null);
		assert.deepEqual((await bad(page)).filter((text) => !text.startsWith('Wait')), []);
		assert.deepEqual(page.faults, []);
	},

	'sending can be cancelled': async (kit) => {
		const path = join(work, 'large.glb'), page = await open(kit, [rig_of('biped', 3000, 8)]);
		writeFileSync(path, '');
		truncateSync(path, 700e6);
		await drop(page, [path]);
		await page.getByRole('button', { name: 'Cancel' }).click();
		await page.getByText('nothing has changed').waitFor({ timeout: 3000 });
		await idle(page);
		assert.ok((await state(page)).rig);
		const { files } = await page.evaluate(() => window.ossa.app.api.get('files'));
		assert.equal(files.length, 1, 'nothing of it stays');
		truncateSync(path, 0);
	},

	'files of an open that failed do not stay': async (kit) => {
		const path = join(work, 'no-vertices.obj'), page = await open(kit, [rig_of('biped', 3000, 8)]);
		writeFileSync(path, '# nothing\n');
		await drop(page, [path]);
		await page.locator('.notice.bad').waitFor();
		await page.waitForFunction(async () => (await window.ossa.app.api.get('files')).files.length === 1);
	},

	'the input is held against its frame': async (kit) => {
		const page = await open(kit, [rig_of('biped', 3000, 8)]);
		const off = () => page.evaluate(async () => {
			const { app, readPositions } = window.ossa, here = readPositions(), input = await app.frames.input(Math.round(app.player.frame));
			return Math.max(...here.map((x, i) => Math.abs(x - input[i]))) / app.session.surface.diagonal;
		});
		assert.ok(await off() > 0.05, 'at rest it is elsewhere');
		await page.getByText('of 8, at rest').waitFor();
		await page.getByRole('radio', { name: 'Input' }).click();
		await page.waitForFunction(() => window.ossa.app.viewport.beside !== null);
		assert.ok(await off() < 0.01);
		await page.getByText('of 8', { exact: true }).waitFor();
		assert.deepEqual(await page.locator('.pane .word').allInnerTexts(), ['Input', 'Rig']);
		// a pose of one's own stays
		const name = await some_bone(page);
		await choose(page, name);
		await page.getByRole('radio', { name: 'Rig alone' }).click();
		assert.equal(await page.locator('.pane .word:visible').count(), 0);
		await page.evaluate(() => { const { posing } = window.ossa.app; posing.reset(); });
		for (const key of ['r', 'x', 'x', '9', 'Enter']) await page.keyboard.press(key);
		const pose = await page.evaluate(() => JSON.stringify(window.ossa.pose()));
		await page.getByRole('radio', { name: 'Error' }).click();
		assert.equal(await page.evaluate(() => JSON.stringify(window.ossa.pose())), pose);
		assert.deepEqual(page.faults, []);
	},

	'the stages of the contraction': async (kit) => {
		const page = await open(kit, sample('quadruped', 3000, 1), 'mesh');
		await page.getByRole('radio', { name: 'Stages' }).click();
		const slider = page.getByRole('slider', { name: 'Stage of the contraction' });
		await slider.waitFor();
		const seen = () => page.evaluate(() => {
			const { app } = window.ossa, view = app.viewport.beside, half = (axis) => Math.max(...view.points.array.filter((_, i) => i % 3 === axis).map(Math.abs));
			return { width: half(0), lines: view.graph.visible, balls: view.balls.visible ? view.balls.count : 0, curve: view.curve.visible, last: app.stages.made.steps, cut: app.stages.made.cuts.length / 2 };
		});
		const first = await seen();
		assert.deepEqual([first.lines, first.balls, first.curve], [true, 0, false]);
		await page.getByText(/mesh graph: 1,490 vertices, 0 edges that join, 0 removed/).waitFor();
		await slider.fill(String(first.last));
		await page.getByText(new RegExp(`after step ${first.last} of ${first.last}: .* % of the volume`)).waitFor();
		assert.ok((await seen()).width < 0.9 * first.width, 'it has contracted');
		await page.getByRole('button', { name: 'Next stage' }).click();
		await page.getByText('24 control points, and their regions').waitFor();
		assert.equal((await seen()).balls, 24);
		await slider.press('ArrowRight');
		await page.getByText(`curve: 23 edges, ${first.cut} cut; points at the centers of their regions`).waitFor();
		assert.equal((await seen()).curve, true);
		assert.deepEqual(await page.locator('.pane .word').allInnerTexts(), ['Stages', 'Mesh']);
		// the rig that is made meanwhile does not take them away
		await page.evaluate(() => window.ossa.app.session.run({ do: 'rig', method: 'contraction', options: { refine: 0 } }));
		await ready(page, 'rig');
		await page.waitForFunction(() => window.ossa.app.viewport.beside?.curve?.visible);
		await page.getByRole('radio', { name: 'Rig alone' }).click();
		await slider.waitFor({ state: 'hidden' });
		assert.deepEqual(page.faults, []);
	},

	'the rig from before': async (kit) => {
		const page = await open(kit, sample('biped', 3000, 8), 'mesh');
		const rig_it = (bones) => page.evaluate((count) => window.ossa.app.session.run({ do: 'rig', method: 'examples', options: { bones: count } }), bones);
		const before = async () => {
			await page.evaluate(() => window.ossa.app.look.set('beside', 'none'));
			await page.getByRole('radio', { name: 'Before' }).click();
			await page.waitForFunction(() => window.ossa.app.viewport.beside !== null);
			return page.evaluate(() => window.ossa.app.viewport.beside.rig.bone_count);
		};
		await rig_it('6');
		await ready(page, 'rig');
		assert.equal(await before(), 6, 'the first rig, before it is edited');
		await page.evaluate(() => window.ossa.app.session.edit(`split ${window.ossa.app.session.rig.bones[1].name}`));
		assert.equal(await before(), 6);
		await rig_it('9');
		assert.equal(await before(), 7, 'the one that was there, with its edits');
		// its weights are of the bone that is called as the chosen one
		await page.getByRole('radio', { name: 'Weight', exact: true }).click();
		const names = await page.evaluate(() => { const { beside, rig } = { beside: window.ossa.app.viewport.beside.rig, rig: window.ossa.app.session.rig }; return rig.bones.map(({ name }) => name).filter((name) => beside.index.has(name)); });
		await choose(page, names.at(-1));
		assert.equal(await page.evaluate((name) => { const { beside } = window.ossa.app.viewport; return beside.surface.shared.chosen_bone.value === beside.rig.index.get(name); }, names.at(-1)), true);
		assert.deepEqual(page.faults, []);
	},

	'poses made here leave as motion': async (kit) => {
		const page = await open(kit, [join(sample('biped', 3000, 8)[0])], 'mesh');
		await page.evaluate(() => window.ossa.app.session.run({ do: 'rig', method: 'volume', options: {} }));
		await ready(page, 'rig');
		const name = await some_bone(page);
		await choose(page, name);
		for (const count of [1, 2]) {
			for (const key of ['r', 'x', 'x', String(2 * count), '0', 'Enter', 'k', 'Enter']) await page.keyboard.press(key);
			await page.waitForFunction((n) => window.ossa.app.library.poses.length === n, count);
		}
		await page.keyboard.press('Control+e');
		assert.equal(await page.getByRole('combobox', { name: 'Motion', exact: true }).inputValue(), 'library', 'without a motion of its own');
		const coming = page.waitForEvent('download');
		await page.getByRole('button', { name: 'Export', exact: true }).click();
		const path = join(work, 'posed.glb');
		await (await coming).saveAs(path);
		await idle(page);
		const facts = JSON.parse(run('inspect', path, '--json'));
		assert.deepEqual(facts.animations.map(({ name: called, keys, seconds }) => [called, keys, seconds]), [['poses', 2, 1]]);
		assert.deepEqual(page.faults, []);
	},

	'what is typed is shown as it was taken': async (kit) => {
		// a ball: each of its angles has limits of its own, a hinge's have them together
		const page = await open(kit, [rig_of('biped', 3000, 8)]);
		const name = await page.evaluate(() => { const { rig } = window.ossa.app.session; return rig.bones.find((bone, b) => bone.parent > 0 && rig.children[b].length === 1 && bone.kind === 'ball' && bone.limits).name; });
		await choose(page, name);
		await page.getByRole('tab', { name: 'Bone', exact: true }).click();
		const limits = await page.evaluate(() => window.ossa.app.selection.active_bone.limits), round = (x) => String(Number(x.toFixed(1)));
		const type = async (label, text) => { const field = page.getByLabel(label, { exact: true }); await field.fill(text); await field.press('Enter'); return field; };
		const axis = limits.findIndex(([least, most]) => most - least > 1), letter = 'XYZ'[axis], [least, most] = limits[axis];
		for (const [text, wanted] of [['99999', most], ['-99999', least], ['1e99', most]]) {
			assert.equal(await (await type(letter, text)).inputValue(), round(wanted), text);
			assert.ok(Math.abs((await angles(page, name))[axis] - wanted) < 1e-6, text);
		}
		// beyond the farther side of the circle by keys
		await page.locator('.pane.main').focus();
		await page.keyboard.press('Alt+r');
		const over = String(Math.round(most + 20));
		for (const key of ['r', letter.toLowerCase(), letter.toLowerCase(), ...over, 'Enter']) await page.keyboard.press(key);
		assert.ok(Math.abs((await angles(page, name))[axis] - most) < 1e-6, `${await angles(page, name)}`);
		// an edit that is refused leaves the old number
		const place = await page.getByLabel('Joint X', { exact: true }).inputValue();
		await type('Joint X', '1e6');
		await page.locator('.notice.bad').waitFor();
		assert.equal(await page.getByLabel('Joint X', { exact: true }).inputValue(), place);
		// nothing plays at rest
		await page.locator('.pane.main').focus();
		await page.keyboard.press('Space');
		await page.keyboard.press('2');
		assert.equal(await page.evaluate(() => window.ossa.app.player.playing), false);
		assert.deepEqual(page.faults, []);
	},

	'a drag by a key begins where the pointer is': async (kit) => {
		const page = await open(kit, [rig_of('biped', 3000, 8)]), name = await some_bone(page);
		const scene = await page.locator('.pane.main').boundingBox();
		await page.mouse.move(scene.x + 40, scene.y + 60);
		const row = page.getByRole('treeitem').filter({ hasText: name }).first();
		await row.click();
		const box = await row.boundingBox();
		await page.keyboard.press('g');
		await page.mouse.move(box.x + box.width / 2 + 3, box.y + box.height / 2);
		await page.mouse.move(scene.x + 4, box.y + box.height / 2, { steps: 3 });
		const offset = await page.evaluate(() => window.ossa.app.hand.drag.offset.length()), across = await page.evaluate(() => { const { orbit } = window.ossa.app.viewport; return 2 * orbit.distance * Math.tan(orbit.perspective.fov * Math.PI / 360) / window.ossa.app.viewport.pane.clientHeight; });
		const pixels = scene.x + 4 - box.x - box.width / 2;
		assert.ok(Math.abs(offset / across - pixels) < 0.35 * pixels, `${offset / across} of ${pixels} pixels`);
		await page.keyboard.press('Escape');
	},

	'the whole report, and numbers as the timeline counts': async (kit) => {
		const page = await open(kit, sample('biped', 3000, 8), 'mesh');
		await page.evaluate(() => window.ossa.app.session.run({ do: 'rig', method: 'examples', options: { bones: '6' } }));
		await ready(page, 'rig');
		await page.getByRole('tab', { name: 'Report' }).click();
		const worst = (await state(page)).report.hierarchy.max_frame, row = page.getByRole('row', { name: /in frame/ });
		assert.match(await row.innerText(), new RegExp(`\\b${worst + 1}\\b`));
		await row.getByRole('button').click();
		assert.equal(await page.evaluate(() => window.ossa.app.player.frame), worst);
		const cut = await page.locator('.bars .mono').evaluateAll((list) => list.filter((one) => one.scrollWidth > one.clientWidth || one.getBoundingClientRect().right > one.closest('.body').getBoundingClientRect().right).length);
		assert.equal(cut, 0, 'numbers are whole');
		const [other] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('button', { name: 'Whole report' }).click()]);
		await other.waitForLoadState();
		assert.match(await other.locator('h1').innerText(), /rest/);
		assert.ok(await other.locator('img').count() > 2);
		assert.deepEqual(page.faults, []);
	},
};
