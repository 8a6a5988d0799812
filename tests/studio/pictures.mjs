// The pictures of docs/studio.md: its walkthrough, with screenshots of the page.
import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { choose } from './pose.mjs';
import { drop, idle, ready, run, sample, start_studio, work } from './studio.mjs';

const folder = resolve(import.meta.dirname, '../../docs/images');

/** a palette makes them a third as large; without Pillow they stay as they are */
function make_small(path) {
	const program = 'import sys; from PIL import Image; p = sys.argv[1]; Image.open(p).convert("RGB").quantize(160, dither=Image.Dither.NONE).save(p, optimize=True)';
	try {
		execFileSync('/usr/bin/python3', ['-c', program, path], { stdio: 'ignore' });
	} catch { /* larger, but good */ }
}

async function open_at(browser, address, scheme = 'light') {
	const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, colorScheme: scheme }), page = await context.newPage();
	// smooth edges also where a processor draws
	await page.addInitScript(() => {
		const { getContext } = HTMLCanvasElement.prototype;
		HTMLCanvasElement.prototype.getContext = function smooth(kind, wishes) { return getContext.call(this, kind, wishes && { ...wishes, failIfMajorPerformanceCaveat: false }); };
	});
	await page.goto(address);
	await page.waitForFunction(() => window.ossa !== undefined);
	return page;
}

async function photograph(page, name) {
	await idle(page);
	await page.evaluate(() => { document.activeElement?.blur(); document.querySelectorAll('.notice .close').forEach((one) => one.click()); });
	await page.waitForTimeout(500);
	const path = join(folder, `studio-${name}.png`);
	await page.screenshot({ path });
	make_small(path);
}

export const tests = {
	'pictures of the walk': async ({ browser, after }) => {
		const studio = await start_studio([]);
		after(studio.end);
		const page = await open_at(browser, studio.address), app = (act) => page.evaluate(act), panel = (name) => page.getByRole('tab', { name }).click();

		await drop(page, sample('biped', 12000, 24));
		await ready(page);
		await panel('Rig');
		await photograph(page, 'open');

		await page.getByRole('combobox', { name: 'Method' }).selectOption('examples');
		await page.getByRole('button', { name: /^Rig/ }).click();
		await ready(page, 'rig');
		await app(() => { window.ossa.app.look.set('coloring', 'bones'); window.ossa.app.display.frame_all(); });
		await panel('Report');
		await photograph(page, 'rigged');

		await app(() => window.ossa.app.look.set('coloring', 'plain'));
		await choose(page, 'lowerarm_L');
		await panel('Bone');
		await app(() => {
			const { posing } = window.ossa.app, pose = posing.pose.copy(), { rig } = posing;
			['upperarm_L', 'lowerarm_L', 'thigh_R', 'calf_R'].forEach((name) => {
				const b = rig.index.get(name), range = rig.bones[b]?.limits;
				if (range) pose.set_angles(rig, b, range.map(([least, most]) => 0.75 * (Math.abs(least) > most ? least : most)));
			});
			posing.change(pose);
		});
		await page.mouse.move(700, 300);
		await photograph(page, 'pose');

		await app(() => { const { look, posing, player } = window.ossa.app; posing.reset(); look.set('coloring', 'error'); look.set('beside', 'input'); player.go(9); });
		await panel('Report');
		await page.waitForFunction(() => window.ossa.app.viewport.beside !== null);
		await photograph(page, 'compare');

		await app(() => { const { look, posing } = window.ossa.app; look.set('coloring', 'plain'); posing.reset(); look.set('beside', 'stages'); });
		await page.getByRole('slider', { name: 'Stage of the contraction' }).fill('3');
		await photograph(page, 'stages');

		await app(() => { const { look, player } = window.ossa.app; look.set('beside', 'none'); look.set('coloring', 'weight'); look.set('theme', 'dark'); player.go(0); });
		await choose(page, 'calf_L');
		await page.keyboard.press('2');
		await panel('Edit');
		await app(() => window.ossa.app.edits.split(window.ossa.app.selection.active, 0.5));
		await idle(page);
		await choose(page, 'hand_L', 'pelvis');
		await app(() => window.ossa.app.edits.forbid());
		await idle(page);
		await choose(page, 'calf_L');
		await photograph(page, 'edit');

		// one mesh alone: its body
		const [rest] = sample('biped', 12000, 24), still = await start_studio([rest]), body = await open_at(browser, still.address);
		after(still.end);
		await ready(body);
		await body.getByRole('tab', { name: 'Rig' }).click();
		await body.getByRole('button', { name: /^Rig/ }).click();
		await ready(body, 'rig');
		await body.evaluate(() => { const { look, display } = window.ossa.app; look.set('coloring', 'roles'); display.frame_all(); });
		await body.getByRole('button', { name: 'Landmarks' }).click();
		await photograph(body, 'body');
	},

	'pictures of materials': async ({ browser, after }) => {
		const balls = join(work, 'balls.glb'), rig = join(work, 'balls-rig.glb');
		execFileSync(resolve(import.meta.dirname, '../../scripts/sample_materials'), [balls]);
		run('rig', balls, '--pieces', 'separate', '-o', rig, '--quiet');
		const studio = await start_studio([rig]), page = await open_at(browser, studio.address);
		after(studio.end);
		await ready(page, 'rig');
		await page.waitForFunction(() => window.ossa.app.looks.are_there);
		await page.evaluate(() => { const { look, display, viewport } = window.ossa.app; look.set('bones', false); viewport.orbit.look(0.17, 0.25); display.frame_all(); });
		await photograph(page, 'materials');
	},

	'pictures of a motion': async ({ browser, after }) => {
		// the walk of a person on a robot
		const walk = join(work, 'walk.glb');
		copyFileSync(join(sample('biped', 12000, 24)[0], '../truth.glb'), walk);
		const robot = await start_studio([sample('pieces', 12000, 24)[0]]), page = await open_at(browser, robot.address);
		after(robot.end);
		await ready(page);
		await page.getByRole('tab', { name: 'Rig' }).click();
		await page.getByRole('button', { name: /^Rig/ }).click();
		await ready(page, 'rig');
		await page.getByRole('tab', { name: 'Motion' }).click();
		await page.locator('#panel-motion input[type=file]').first().setInputFiles(walk);
		await page.waitForFunction(() => window.ossa.app.session.carried && window.ossa.app.viewport.beside !== null);
		await page.evaluate(() => { const { player, display } = window.ossa.app; player.go(8); display.frame_all(); });
		await photograph(page, 'motion');
		await page.evaluate(() => { const { look, display } = window.ossa.app; look.set('beside', 'none'); display.frame_all(); });
		await page.getByRole('tab', { name: 'Export' }).click();
		await page.getByRole('combobox', { name: 'For which program' }).selectOption('unreal');
		await photograph(page, 'export');
	},
};
