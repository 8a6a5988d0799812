// The first picture: from the request for the page until the rig's pixels can be read, here with a graphics card made of software.
// Processor time is held everywhere; the clock with --clock, on a machine that does nothing else.
import assert from 'node:assert/strict';
import { cpus, loadavg } from 'node:os';
import { is_quiet, watch } from './clock.mjs';
import { rig_of, start_studio } from './studio.mjs';

/** milliseconds of one visit: as it is waited for, of processors, and of processors that others had meanwhile */
async function first_picture(browser, address) {
	const context = await browser.newContext({ viewport: { width: 1366, height: 768 } }), page = await context.newPage(), end = watch();
	await page.addInitScript(() => {
		const look = () => {
			// reported when the rig is drawn, which the GPU has yet to do
			if (performance.getEntriesByName('first picture').length === 0) return requestAnimationFrame(look);
			const gl = document.querySelector('canvas.scene').getContext('webgl2');
			gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
			window.first_picture = performance.now();
			return undefined;
		};
		requestAnimationFrame(look);
	});
	await page.goto(address);
	await page.waitForFunction(() => window.first_picture !== undefined, null, { timeout: 60000 });
	const time = await page.evaluate(() => window.first_picture);
	const told = end();
	await context.close();
	return { time, ...told };
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

export const tests = {
	'the first picture': async (kit) => {
		for (const [faces, limit, bound] of [[20000, 1000, 4000], [100000, 3000, 5000]]) {
			const studio = await start_studio([rig_of('quadruped', faces, 6, '--bones', 27)]);
			const visits = [];
			for (let i = 0; i < 5; i++) visits.push(await first_picture(kit.browser, studio.address));
			await studio.end();
			const times = visits.map(({ time }) => time), used = median(visits.map((visit) => visit.used)), load = loadavg()[0];
			const disturbed = visits.filter((visit) => !is_quiet(visit)).length;
			kit.tell(`${faces} faces: median ${median(times).toFixed(0)} ms, least ${Math.min(...times).toFixed(0)} ms (wanted ${limit} ms), ${disturbed} of ${times.length} visits disturbed; ${used} ms of processor time; load ${load.toFixed(1)} on ${cpus().length}`);
			// half of it is the browser's own beginning
			assert.ok(used < bound, `${faces}: ${used} ms of processor time`);
			if (kit.holds_clock) assert.ok(median(times) < limit, `${faces}: ${median(times)} ms`);
		}
	},

	'drawing a turned joint': async (kit) => {
		const studio = await start_studio([rig_of('quadruped', 20000, 6, '--bones', 27)]);
		kit.after(studio.end);
		const context = await kit.browser.newContext({ viewport: { width: 1366, height: 768 } }), page = await context.newPage();
		await page.goto(studio.address);
		await page.waitForFunction(() => window.ossa?.app.viewport.main, null, { timeout: 60000 });
		const times = await page.evaluate(() => {
			const { app } = window.ossa, gl = app.viewport.renderer.getContext(), out = [];
			for (let i = 0; i < 12; i++) {
				const began = performance.now(), pose = app.posing.pose.copy();
				pose.set_angles(app.posing.rig, 3, [i * 3, 0, 0]);
				app.posing.set(pose);
				const script = performance.now() - began;
				app.viewport.draw();
				gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
				out.push([script, performance.now() - began]);
			}
			return out;
		});
		kit.tell(`20000 faces: median ${median(times.map(([script]) => script)).toFixed(1)} ms of script, ${median(times.map(([, all]) => all)).toFixed(0)} ms with the picture`);
		assert.ok(median(times.map(([script]) => script)) < 50);
	},
};
