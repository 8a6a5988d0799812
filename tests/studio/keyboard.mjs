// The whole of it by keys alone: no pointer is moved here.
import assert from 'node:assert/strict';
import { idle, open_page, ready, rig_of, start_studio } from './studio.mjs';

const focused = (page) => page.evaluate(() => { const one = document.activeElement; return { tag: one.tagName, name: one.getAttribute('aria-label') ?? one.textContent.trim().slice(0, 40), region: one.closest('[id]')?.closest('header, section, aside, footer, main')?.id ?? '' }; });

export const tests = {
	'everything that takes the focus has a name': async (kit) => {
		const studio = await start_studio([rig_of('biped', 5000, 12)]);
		kit.after(studio.end);
		const page = await open_page(kit.browser, studio.address);
		await ready(page, 'rig');
		await page.evaluate(() => window.ossa.app.selection.set([2, 3]));
		for (const tab of ['bone', 'rig', 'edit', 'poses', 'report', 'export']) {
			await page.evaluate((one) => window.ossa.app.panels.show(one), tab);
			const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select, a, [tabindex="0"], [role]')].filter((one) => {
				if (!one.checkVisibility() || one.getAttribute('aria-hidden') === 'true' || ['none', 'status', 'alert'].includes(one.getAttribute('role'))) return false;
				const label = one.labels?.[0]?.textContent ?? '';
				return !(one.getAttribute('aria-label') || one.getAttribute('aria-labelledby') || label.trim() || one.textContent.trim() || one.title);
			}).map((one) => one.outerHTML.slice(0, 120)));
			assert.deepEqual(nameless, [], tab);
		}
	},

	'tab goes through the page in its order and comes around': async (kit) => {
		const studio = await start_studio([rig_of('biped', 5000, 12)]);
		kit.after(studio.end);
		const page = await open_page(kit.browser, studio.address);
		await ready(page, 'rig');
		const regions = [];
		for (let i = 0; i < 90; i++) {
			await page.keyboard.press('Tab');
			const { region } = await focused(page);
			if (region && regions.at(-1) !== region) regions.push(region);
			if (regions.length > 5) break;
		}
		const first = ['bar', 'tree', 'scene', 'panels', 'time'].map((id) => regions.findIndex((one) => one === id || one.startsWith(id) || (id === 'panels' && one.startsWith('panel'))));
		assert.ok(first.every((at) => at >= 0), regions.join(' '));
		assert.deepEqual([...first].sort((a, b) => a - b), first, regions.join(' '));
	},

	'choose, turn, split, take back, export by keys alone': async (kit) => {
		const studio = await start_studio([rig_of('biped', 5000, 12)]);
		kit.after(studio.end);
		const page = await open_page(kit.browser, studio.address);
		await ready(page, 'rig');
		const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
		const active = () => page.evaluate(() => window.ossa.app.selection.active_bone?.name);
		// to the tree, down to the third bone
		await press('F6');
		for (let i = 0; i < 6 && (await focused(page)).name !== 'Skeleton'; i++) await press('F6');
		await press('Home', 'ArrowDown', 'ArrowDown');
		const name = await active();
		assert.ok(name);
		await press('r', 'z', 'z', '4', 'Enter');
		assert.ok(Math.abs(await page.evaluate(() => { const { posing, selection } = window.ossa.app; return posing.pose.angles(posing.rig, selection.active)[2]; }) - 4) < 1e-6, 'within the limits');
		await page.evaluate(() => window.ossa.app.look.set('solve_at_once', false));
		await press('2', 's', '.', '5', 'Enter');
		await page.waitForFunction(() => window.ossa.app.session.state.edits.done.length === 1 && !window.ossa.app.session.busy);
		await press('Control+z');
		await page.waitForFunction(() => window.ossa.app.session.state.edits.done.length === 0 && !window.ossa.app.session.busy);
		await press('1', 'Control+e');
		assert.equal(await page.evaluate(() => window.ossa.app.panels.shown), 'export');
		for (let i = 0; i < 80; i++) {
			await press('Tab');
			if ((await focused(page)).name === 'Export' && (await focused(page)).tag === 'BUTTON' && await page.evaluate(() => document.activeElement.classList.contains('first'))) break;
		}
		const coming = page.waitForEvent('download');
		await press('Enter');
		await coming;
		await idle(page);
		await press('?');
		assert.ok(await page.getByRole('dialog').isVisible());
		await press('Escape');
		assert.equal(await page.getByRole('dialog').count(), 0);
		assert.deepEqual(page.faults, []);
	},

	'a number is typed into a field': async (kit) => {
		const studio = await start_studio([rig_of('biped', 5000, 12)]);
		kit.after(studio.end);
		const page = await open_page(kit.browser, studio.address);
		await ready(page, 'rig');
		await page.evaluate(() => { const { app } = window.ossa; app.selection.set([3]); app.panels.show('bone'); app.look.set('keep_limits', false); });
		const field = page.getByRole('textbox', { name: 'Y', exact: true });
		await field.focus();
		await page.keyboard.type('25');
		await page.keyboard.press('Enter');
		const angle = () => page.evaluate(() => window.ossa.app.posing.pose.angles(window.ossa.app.posing.rig, 3)[1]);
		assert.ok(Math.abs(await angle() - 25) < 1e-6);
		await page.keyboard.press('ArrowUp');
		assert.ok(Math.abs(await angle() - 26) < 1e-6);
		await page.keyboard.press('Escape');
		assert.ok(Math.abs(await angle() - 26) < 1e-6);
	},

	'joints and branches by numbers': async (kit) => {
		const studio = await start_studio([rig_of('biped', 5000, 12)]);
		kit.after(studio.end);
		const page = await open_page(kit.browser, studio.address);
		await ready(page, 'rig');
		const until = (count) => page.waitForFunction((n) => window.ossa.app.session.state.edits.done.length === n && !window.ossa.app.session.busy, count, { timeout: 60000 });
		const bones = () => page.evaluate(() => window.ossa.app.session.state.rig.bones);
		await page.evaluate(() => { const { app } = window.ossa; app.look.set('solve_at_once', false); app.selection.set([3]); app.panels.show('bone'); });
		const [{ joint }, count] = [(await bones())[3], (await bones()).length];
		const type = async (name, value) => {
			await page.getByRole('textbox', { name, exact: true }).focus();
			await page.keyboard.type(value);
			await page.keyboard.press('Enter');
		};
		await type('Joint X', String((joint[0] + 0.02).toFixed(4)));
		await until(1);
		assert.ok(Math.abs((await bones())[3].joint[0] - joint[0] - 0.02) < 1e-4, JSON.stringify((await bones())[3].joint));
		await type('Branch to Y', '0.1');
		await page.getByRole('button', { name: 'Add branch' }).and(page.locator('#panel-bone button')).focus();
		await page.keyboard.press('Enter');
		await until(2);
		assert.equal((await bones()).length, count + 1);
		assert.deepEqual(page.faults, []);
	},
};
