// Rigging by each method with a progress bar and cancel, the report, and every way out again.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { idle, open_page, ready, rig_of, run, sample, start_studio, work } from './studio.mjs';

async function open(kit, files) {
	const studio = await start_studio(files);
	kit.after(studio.end);
	const page = await open_page(kit.browser, studio.address);
	await ready(page);
	return page;
}

const state = (page) => page.evaluate(() => window.ossa.app.session.state);
const panel = (page, name) => page.getByRole('tab', { name }).click();

/** writes a file by the panel and gives its path here */
async function export_as(page, ending, name) {
	await panel(page, 'Export');
	await page.getByRole('combobox', { name: 'Format' }).selectOption(ending);
	await page.getByRole('textbox', { name: 'Name of the file' }).fill(name);
	const coming = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Export' }).click();
	const file = await coming, path = join(work, file.suggestedFilename());
	await file.saveAs(path);
	await idle(page);
	return path;
}

export const tests = {
	'rig with each method': async (kit) => {
		const page = await open(kit, sample('biped', 3000, 8));
		await panel(page, 'Rig');
		const methods = await page.evaluate(async () => (await window.ossa.app.about).methods.map(({ name }) => name));
		assert.ok(['auto', 'examples', 'sequence', 'contraction', 'volume'].every((name) => methods.includes(name)), methods.join());
		for (const method of methods) {
			await page.getByRole('combobox', { name: 'Method' }).selectOption(method);
			const before = (await state(page)).revision;
			await page.getByRole('button', { name: /^Rig/ }).click();
			await page.waitForFunction((revision) => window.ossa.app.session.state.revision > revision && !window.ossa.app.session.busy, before, { timeout: 180000 });
			const { rig, method: made, report } = await state(page);
			kit.tell(`${method}: ${rig.bones.length} bones by ${made}`);
			assert.ok(rig.bones.length > 3, method);
			assert.ok(method === 'auto' || made === method);
			assert.ok(report, 'a report is there');
			assert.equal(await page.locator('.notice.bad').count(), 0);
		}
		assert.deepEqual(page.faults, []);
	},

	'options are sent when they are changed': async (kit) => {
		const page = await open(kit, sample('biped', 3000, 8));
		await panel(page, 'Rig');
		await page.getByRole('combobox', { name: 'Method' }).selectOption('examples');
		const field = page.getByLabel('bones', { exact: true });
		await field.fill('1e9');
		await field.press('Tab');
		assert.equal(await field.getAttribute('aria-invalid'), 'true', 'beyond its range');
		await field.fill('7');
		await field.press('Tab');
		await page.getByRole('button', { name: /^Rig/ }).click();
		await ready(page, 'rig');
		const { rig, options } = await state(page);
		assert.deepEqual(options, { bones: '7' });
		assert.equal(rig.bones.length, 7);
		const title = await page.locator('.option', { has: page.getByText('bones', { exact: true }) }).first().getAttribute('title');
		assert.match(title, /number of bones/i);
		const tooltips = await page.locator('[title]').evaluateAll((list) => list.map((one) => one.title));
		assert.ok(tooltips.some((one) => one.includes('“refine 0”')) && !tooltips.some((one) => one.includes('`')), 'options are named in quotes');
		assert.deepEqual(page.faults, []);
	},

	'options that most people need come first': async (kit) => {
		const page = await open(kit, sample('biped', 3000, 8));
		await panel(page, 'Rig');
		await page.getByRole('combobox', { name: 'Method' }).selectOption('contraction');
		assert.ok(await page.getByLabel('bones', { exact: true }).isVisible());
		assert.ok(!await page.getByLabel('pull', { exact: true }).isVisible(), 'folded');
		await page.getByText(/^More \(\d+\)$/).click();
		assert.ok(await page.getByLabel('pull', { exact: true }).isVisible());
		assert.ok(await page.getByRole('group', { name: 'Weights' }).getByLabel('power', { exact: true }).isVisible(), 'under the heading of its group');
		// what is looked for is found without unfolding
		await page.getByText(/^More \(\d+\)$/).click();
		await page.getByLabel('Find an option').fill('attraction');
		assert.ok(await page.getByLabel('attraction', { exact: true }).isVisible());
		assert.deepEqual(page.faults, []);
	},

	'cancel what takes long': async (kit) => {
		const page = await open(kit, sample('quadruped', 20000, 24));
		await panel(page, 'Rig');
		await page.getByRole('button', { name: /^Rig/ }).click();
		await page.getByRole('progressbar').waitFor();
		await page.getByRole('button', { name: 'Cancel' }).click();
		await idle(page);
		const { rig, revision } = await state(page);
		assert.equal(rig, null);
		assert.ok(revision > 0);
		await page.getByText('nothing has changed').waitFor();
		assert.deepEqual(page.faults, []);
	},

	'the report shows numbers and links to bones and frames': async (kit) => {
		const page = await open(kit, sample('biped', 3000, 8));
		await page.evaluate(() => window.ossa.app.session.run({ do: 'rig', method: 'examples', options: { bones: '6' } }));
		await ready(page, 'rig');
		await panel(page, 'Report');
		await page.getByRole('rowheader', { name: 'RMS error', exact: true }).waitFor();
		await page.getByRole('list', { name: 'Error by bone' }).getByRole('button').first().click();
		const worst = await page.evaluate(() => { const { selection, session } = window.ossa.app; return selection.active_bone.error === Math.max(...session.state.rig.bones.map(({ error }) => error)); });
		assert.ok(worst, 'the worst bone is chosen');
		// the colors of the error come, in the frame that is clicked
		const plot = page.getByRole('slider', { name: 'Frame' }), box = await plot.boundingBox();
		await page.mouse.click(box.x + box.width * 0.8, box.y + box.height / 2);
		assert.equal(await page.evaluate(() => Math.round(window.ossa.app.player.frame)), 6);
		await page.waitForFunction(() => window.ossa.app.beside.largest > 0);
		await page.getByText('distance to the input').waitFor();
		assert.deepEqual(page.faults, []);
	},

	'before and input beside the rig, over it': async (kit) => {
		const page = await open(kit, [rig_of('biped', 5000, 12)]);
		await page.getByRole('radio', { name: 'Before' }).click();
		await page.waitForFunction(() => window.ossa.app.viewport.beside !== null);
		await page.getByRole('radio', { name: 'Rig alone' }).click();
		await page.waitForFunction(() => window.ossa.app.viewport.beside === null);
		if ((await state(page)).input) {
			await page.getByRole('radio', { name: 'Input' }).click();
			await page.waitForFunction(() => window.ossa.app.viewport.beside !== null);
			await page.getByRole('button', { name: 'Overlay input' }).click();
			await page.waitForFunction(() => window.ossa.app.beside.over !== null);
		}
		assert.deepEqual(page.faults, []);
	},

	'play': async (kit) => {
		const page = await open(kit, [rig_of('biped', 5000, 12)]);
		await page.keyboard.press('Space');
		await page.waitForFunction(() => window.ossa.app.player.playing && window.ossa.app.player.frame > 1.5);
		await page.keyboard.press('Space');
		assert.equal(await page.evaluate(() => window.ossa.app.player.playing), false);
		await page.keyboard.press('ArrowRight');
		assert.deepEqual(page.faults, []);
	},

	'export Collada 1.5 and glTF and read both back': async (kit) => {
		const page = await open(kit, [rig_of('biped', 5000, 12)]);
		await panel(page, 'Export');
		const panel_of_it = page.getByRole('tabpanel', { name: 'Export' });
		await panel_of_it.getByText('More options').click();
		await panel_of_it.getByLabel('collada', { exact: true }).selectOption('1.4.1');
		assert.ok(await panel_of_it.getByText('More options, 1 changed').isVisible());
		await panel_of_it.getByLabel('collada', { exact: true }).selectOption('1.5');
		const { rig, mesh } = await state(page);
		for (const ending of ['dae', 'glb']) {
			const path = await export_as(page, ending, 'walker'), told = run('inspect', path, '--json');
			assert.ok(told.includes('"bones"') || told.includes('bones'), told.slice(0, 300));
			const facts = JSON.parse(told), text = JSON.stringify(facts);
			assert.ok(text.includes(`${rig.bones.length}`) && text.includes(`${mesh.vertices}`), text.slice(0, 400));
			if (ending === 'dae') assert.match(readFileSync(path, 'utf8').slice(0, 400), /version="1\.5/);
		}
		assert.deepEqual(page.faults, []);
	},

	'export to every format': async (kit) => {
		const page = await open(kit, [rig_of('biped', 3000, 8)]);
		await panel(page, 'Export');
		const endings = await page.getByRole('combobox', { name: 'Format' }).locator('option').evaluateAll((list) => list.map(({ value }) => value));
		assert.ok(endings.length > 8, endings.join());
		for (const ending of endings) {
			await page.evaluate((one) => window.ossa.app.session.run({ do: 'export', name: `all.${one}`, options: {} }), ending);
			const { exports } = await state(page);
			assert.ok(exports.some(({ name, bytes }) => name.endsWith(`.${ending}`) && bytes > 0), `${ending}: ${await page.locator('.notice.bad').allInnerTexts()}`);
		}
		kit.tell(endings.join(' '));
		assert.deepEqual(page.faults, []);
	},
};
