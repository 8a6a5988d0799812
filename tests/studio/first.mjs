// Opening: from the command line, by dropping files, in two tabs, without anything; what is seen then.
import assert from 'node:assert/strict';
import { drop, open_page, ready, rig_of, sample, start_studio } from './studio.mjs';

/** pixels of the scene: how many differ from the ground, how many are about yellow */
export async function scene_pixels(page) {
	await page.evaluate(() => window.ossa.app.viewport.draw());
	return page.evaluate(() => {
		const { app } = window.ossa, canvas = app.viewport.canvas, copy = document.createElement('canvas');
		app.viewport.draw();
		[copy.width, copy.height] = [canvas.width, canvas.height];
		const context = copy.getContext('2d');
		context.drawImage(canvas, 0, 0);
		const { data } = context.getImageData(0, 0, copy.width, copy.height), ground = app.viewport.colors.ground;
		const g = [ground.r, ground.g, ground.b].map((x) => 255 * x);
		let things = 0, yellow = 0, orange = 0, sum = 0;
		for (let i = 0; i < data.length; i += 4) {
			const [r, green, b] = [data[i], data[i + 1], data[i + 2]];
			if (Math.abs(r - g[0]) + Math.abs(green - g[1]) + Math.abs(b - g[2]) > 60) things++;
			if (r > 180 && green > 130 && b < 90 && r - green < 90) yellow++;
			if (r > 190 && green < 140 && b < 80) orange++;
			sum = (sum * 31 + r + 256 * green + 65536 * b) % 2147483647;
		}
		return { things, yellow, orange, sum, all: data.length / 4 };
	});
}

export const tests = {
	'open a rig from the command line': async ({ browser, after }) => {
		const studio = await start_studio([rig_of('biped', 5000, 12)]);
		after(studio.end);
		const page = await open_page(browser, studio.address);
		await ready(page, 'rig');
		const facts = await page.evaluate(() => { const { state, rig } = window.ossa.app.session; return { bones: rig.bone_count, told: state.rig.bones.length, frames: rig.clip.times.length, title: document.title }; });
		assert.equal(facts.bones, facts.told);
		assert.ok(facts.bones > 10 && facts.frames === 12, JSON.stringify(facts));
		const pixels = await scene_pixels(page);
		assert.ok(pixels.things > pixels.all * 0.03, `the surface is seen: ${JSON.stringify(pixels)}`);
		assert.ok(pixels.yellow > 20, `the root is yellow: ${JSON.stringify(pixels)}`);
		assert.equal(await page.getByRole('treeitem').count(), facts.bones);
		assert.deepEqual(page.faults, []);
	},

	'drop a mesh and its poses': async ({ browser, after }) => {
		const studio = await start_studio([]);
		after(studio.end);
		const page = await open_page(browser, studio.address);
		assert.ok(await page.getByText('Drop a mesh').isVisible());
		await drop(page, [...sample('biped', 5000, 12)].reverse());
		await ready(page);
		const input = await page.evaluate(() => window.ossa.app.session.state.input.frames);
		assert.equal(input, 12);
		assert.deepEqual(await page.evaluate(() => window.ossa.app.session.state.files.slice(0, 3)), ['rest.obj', 'pose-1.obj', 'pose-2.obj'], 'the rest pose is first, whatever the order');
		assert.ok(await page.getByText('Drop a mesh').isHidden());
		assert.deepEqual(page.faults, []);
	},

	'a second tab sees the same': async ({ browser, after }) => {
		const studio = await start_studio([rig_of('biped', 5000, 12)]);
		after(studio.end);
		const one = await open_page(browser, studio.address), two = await open_page(browser, studio.address);
		await Promise.all([ready(one, 'rig'), ready(two, 'rig')]);
		await one.evaluate(() => window.ossa.app.session.run({ do: 'measure' }));
		const revision = await one.evaluate(() => window.ossa.app.session.state.revision);
		await two.waitForFunction((wanted) => window.ossa.app.session.state.revision >= wanted, revision, { timeout: 20000 });
		assert.deepEqual([...one.faults, ...two.faults], []);
	},

	'light and dark': async ({ browser, after }) => {
		const studio = await start_studio([rig_of('biped', 5000, 12)]);
		after(studio.end);
		for (const scheme of ['light', 'dark']) {
			const page = await open_page(browser, studio.address, { scheme });
			await ready(page, 'rig');
			const light = () => page.evaluate(() => getComputedStyle(document.body).color.match(/\d+/g).map(Number).reduce((a, b) => a + b) < 384);
			assert.equal(await light(), scheme === 'light');
			await page.getByRole('radio', { name: scheme === 'light' ? 'Dark' : 'Light', exact: true }).click();
			assert.equal(await light(), scheme !== 'light', 'the switch wins over the system');
			assert.deepEqual(page.faults, []);
		}
	},

	'nothing is beyond the window at 1366 x 768': async ({ browser, after }) => {
		const studio = await start_studio([rig_of('quadruped', 20000, 12, '--bones', 27)]);
		after(studio.end);
		for (const size of [{ width: 1366, height: 768 }, { width: 1366, height: 657 }]) {
			const page = await open_page(browser, studio.address, { size });
			await ready(page, 'rig');
			await page.evaluate(() => window.ossa.app.selection.set([3, 5]));
			for (const tab of ['Bone', 'Rig', 'Edit', 'Poses', 'Report', 'Export']) {
				await page.getByRole('tab', { name: tab }).click();
				const beyond = await page.evaluate(() => [...document.querySelectorAll('button, input, select, label, h2, h3, td, th, p')].filter((one) => {
					if (!one.checkVisibility() || one.closest('.skip, [hidden]')) return false;
					const box = one.getBoundingClientRect(), scrolls = one.closest('.body, [role=tree], .options');
					const wide = one.scrollWidth > one.clientWidth + 1 && one.matches('button') && getComputedStyle(one).overflow !== 'visible' && !one.matches('.line, .title');
					return box.width > 0 && (box.right > innerWidth + 1 || box.left < -1 || wide || (!scrolls && box.bottom > innerHeight + 1));
				}).map((one) => `${one.tagName} ${one.textContent.slice(0, 40)}`));
				assert.deepEqual(beyond, [], `panel ${tab}`);
			}
			assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight), true);
			assert.deepEqual(page.faults, []);
		}
	},
};
