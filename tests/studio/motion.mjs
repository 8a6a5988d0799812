// Motions: all of a file are kept and chosen, those of another body are carried over and seen beside their source, exports say what
// they leave out.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { idle, open_page, ready, rig_of, run, sample, start_studio, with_clips, work } from './studio.mjs';

const state = (page) => page.evaluate(() => window.ossa.app.session.state);
const tab = (page, name) => page.getByRole('tab', { name, exact: true }).click();
const names = async (page) => (await state(page)).rig.clips.map(({ name }) => name);

async function open(kit, files, wanted = 'rig') {
	const studio = await start_studio(files);
	kit.after(studio.end);
	const page = await open_page(kit.browser, studio.address);
	await ready(page, wanted);
	return page;
}

/** motion of the biped as a file of motion capture, its bones called as Mixamo calls them */
function walk_bvh() {
	const path = join(work, 'walk.bvh');
	run('convert', rig_of('biped', 3000, 8), path, '--names', 'mixamo', '--quiet');
	return path;
}

const carried = (page) => page.waitForFunction(() => window.ossa.app.session.carried && !window.ossa.app.session.busy && window.ossa.app.viewport.beside !== null);

/** what is written, as `ossa inspect` sees it */
async function exported(page, name) {
	const coming = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Export', exact: true }).click();
	const path = join(work, name);
	await (await coming).saveAs(path);
	await idle(page);
	return JSON.parse(run('inspect', path, '--json'));
}

export const tests = {
	'all motions of a file are listed, played and kept': async (kit) => {
		const page = await open(kit, [with_clips(rig_of('biped', 3000, 8), ['walk', 'run', 'idle'])]);
		await tab(page, 'Motion');
		await page.getByRole('list', { name: 'Motions of the rig' }).getByRole('button', { name: 'run' }).click();
		await page.waitForFunction(() => window.ossa.app.session.rig.clip.name === 'run');
		const plays = page.getByRole('combobox', { name: 'Motion that plays' });
		assert.equal(await plays.inputValue(), '1');
		// the input holds the first: there is nothing to compare this one with
		assert.ok(!await page.getByRole('radio', { name: 'Input', exact: true }).isVisible());
		await page.evaluate(() => window.ossa.app.player.go(3));
		const same = await page.evaluate(() => { const { clip } = window.ossa.app.session.rig, first = window.ossa.app.session.clips.get(0); return clip !== first && clip.rotations.every((x, i) => x === first.rotations[i]) && clip.times.length === first.times.length; });
		assert.ok(same, 'it has the arrays of the file');
		// it goes on through an edit, and all stay
		const bone = (await state(page)).rig.bones[3].name;
		await page.evaluate((name) => window.ossa.app.edits.do([`split ${name}`]), bone);
		await idle(page);
		assert.equal(await page.evaluate(() => window.ossa.app.session.rig.clip.name), 'run');
		await tab(page, 'Rig');
		await page.getByRole('button', { name: /^Rig again/ }).click();
		await page.waitForFunction(() => window.ossa.app.session.state.step.do === 'rig' && !window.ossa.app.session.busy, null, { timeout: 60000 });
		assert.deepEqual(await names(page), ['walk', 'run', 'idle']);
		await tab(page, 'Rig');
		await page.getByRole('combobox', { name: 'The motion to rig by' }).selectOption('2');
		await page.waitForFunction(() => window.ossa.app.session.state.input?.motion === 'idle' && !window.ossa.app.session.busy);
		assert.deepEqual(await names(page), ['idle', 'walk', 'run']);
		assert.deepEqual(page.faults, []);
	},

	'a motion is carried over, seen beside its source, and undone': async (kit) => {
		const page = await open(kit, [sample('biped', 3000, 8)[0]], 'mesh');
		await tab(page, 'Motion');
		assert.ok(await page.getByRole('button', { name: 'Carry a motion…' }).isDisabled(), 'there is no rig yet');
		await page.evaluate(() => window.ossa.app.session.run({ do: 'rig', method: 'auto', options: {} }));
		await ready(page, 'rig');
		// by drop: motion alone is for the rig that is open
		await tab(page, 'Bone');
		await page.setInputFiles('header input[type=file]', walk_bvh());
		await carried(page);
		const { retarget } = (await state(page)).motions[0];
		assert.ok(await page.getByText('names of Mixamo').isVisible(), 'how bones were matched');
		assert.ok(await page.getByRole('row', { name: /^all/ }).isVisible());
		await page.getByText('Bone by bone').click();
		assert.ok(await page.getByRole('row', { name: /^thigh_L mixamorig_LeftUpLeg/ }).isVisible(), 'which bone follows which');
		assert.ok(await page.getByText(`${retarget.steps_kept} of ${retarget.steps}`).isVisible(), 'steps');
		assert.ok(retarget.mean_degrees < 6, String(retarget.mean_degrees));
		// both are in the same frame: the bones of the source are where its clip has them
		const places = (frame) => page.evaluate((at) => { const { player, viewport } = window.ossa.app; player.go(at); return viewport.beside.bones.joints.map((joint) => joint.toArray()); }, frame);
		const one = await places(1), other = await places(5);
		assert.ok(one.some((joint, b) => Math.hypot(...joint.map((x, k) => x - other[b][k])) > 1e-3), 'the source moves with the rig');
		assert.equal(await page.evaluate(() => window.ossa.app.posing.is_at_rest), false);
		await page.locator('#panel-motion input[type=file]').first().setInputFiles(walk_bvh());
		await page.waitForFunction(() => window.ossa.app.session.state.motions.length === 2 && !window.ossa.app.session.busy);
		assert.deepEqual(await names(page), ['walk', 'walk 2']);
		// a map says that an arm follows nothing
		await page.getByText('Matching', { exact: true }).click();
		await page.locator('#panel-motion input[accept=".json"]').setInputFiles({ name: 'map.json', mimeType: 'application/json', buffer: Buffer.from('{"pairs": {"upperarm_L": null}}') });
		await page.getByText('map.json').waitFor();
		await page.locator('#panel-motion input[type=file]').first().setInputFiles(walk_bvh());
		await page.waitForFunction(() => window.ossa.app.session.state.motions.length === 3 && !window.ossa.app.session.busy);
		const mapped = await state(page);
		assert.equal(mapped.motions[2].retarget.matched, retarget.matched - 1);
		await page.keyboard.press('Control+z');
		await page.waitForFunction(() => window.ossa.app.session.state.motions.length === 2 && !window.ossa.app.session.busy);
		for (const count of [1, 0]) {
			await page.keyboard.press('Control+z');
			await page.waitForFunction((n) => window.ossa.app.session.state.motions.length === n && !window.ossa.app.session.busy, count);
		}
		assert.deepEqual(await names(page), []);
		assert.equal(await page.evaluate(() => window.ossa.app.viewport.beside), null);
		await page.keyboard.press('Control+Shift+z');
		await page.waitForFunction(() => window.ossa.app.session.state.motions.length === 1);
		assert.deepEqual(page.faults.filter((text) => !/404/.test(text)), [], 'a source may be undone while the page asks for it');
	},

	'a source that is undone while it is on its way is no fault': async (kit) => {
		const page = await open(kit, [rig_of('biped', 3000, 8)]);
		let release, asked;
		const held = new Promise((done) => { release = done; }), is_asked = new Promise((done) => { asked = done; });
		await page.route('**/sources/1*', async (route) => { asked(); await held; await route.continue(); });
		await tab(page, 'Motion');
		await page.locator('#panel-motion input[type=file]').first().setInputFiles(walk_bvh());
		await page.waitForFunction(() => window.ossa.app.session.state.motions.length === 1 && !window.ossa.app.session.busy);
		await is_asked;
		await page.keyboard.press('Control+z');
		await page.waitForFunction(() => window.ossa.app.session.state.motions.length === 0 && !window.ossa.app.session.busy);
		const answered = page.waitForResponse(/sources\/1/);
		release();
		assert.equal((await answered).status(), 404);
		await page.waitForFunction(() => window.ossa.app.viewport.beside === null);
		assert.equal(await page.locator('.notice.bad').count(), 0);
		assert.deepEqual(page.faults.filter((text) => !/404/.test(text)), []);
	},

	'an export is made for a program and says what it leaves out': async (kit) => {
		const page = await open(kit, [with_clips(rig_of('biped', 3000, 8), ['walk', 'run', 'idle'])]);
		await tab(page, 'Export');
		const missing = page.getByRole('list', { name: 'What the file will not hold' }), format = page.getByRole('combobox', { name: 'Format' }), motion = page.getByRole('combobox', { name: 'Motion', exact: true });
		assert.ok(!await missing.isVisible(), 'glTF holds all');
		assert.equal(await motion.inputValue(), 'all');
		await page.getByRole('combobox', { name: 'For which program' }).selectOption('unreal');
		assert.equal(await format.inputValue(), 'fbx');
		assert.ok(await page.getByText('centimetres').isVisible());
		assert.equal(await page.getByLabel('names', { exact: true }).inputValue(), 'unreal');
		await format.selectOption('glb');
		let facts = await exported(page, 'all.glb');
		assert.deepEqual(facts.animations.map(({ name }) => name), ['walk', 'run', 'idle']);
		assert.ok(JSON.stringify(facts).includes('upperarm_l'), 'names of Unreal');
		// one that is chosen; and a format that holds one
		await motion.selectOption('clip 1');
		assert.match(await missing.innerText(), /2 motions of 3 stay out/);
		facts = await exported(page, 'one.glb');
		assert.deepEqual(facts.animations.map(({ name }) => name), ['run']);
		await motion.selectOption('all');
		await format.selectOption('bvh');
		assert.match(await missing.innerText(), /one motion: walk is written, 2 motions are not/);
		assert.match(await missing.innerText(), /mesh is not in a file/);
		await exported(page, 'one.bvh');
		await page.getByText('the others are left out').waitFor();
		await format.selectOption('obj');
		assert.match(await missing.innerText(), /skeleton and its weights are not/);
		assert.deepEqual(page.faults, []);
	},
};
