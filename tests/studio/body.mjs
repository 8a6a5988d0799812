// What was recognized: shown, changed, and corrected with landmarks that are dragged.
import assert from 'node:assert/strict';
import { idle, open_page, ready, sample, start_studio } from './studio.mjs';

async function open(kit) {
	const [rest] = sample('biped', 3000, 8), studio = await start_studio([rest]);
	kit.after(studio.end);
	const page = await open_page(kit.browser, studio.address);
	await ready(page);
	await page.getByRole('tab', { name: 'Rig' }).click();
	await next(page, () => page.getByRole('button', { name: /^Rig/ }).click());
	return page;
}

const state = (page) => page.evaluate(() => window.ossa.app.session.state);

/** does something and waits for the rig that comes of it */
async function next(page, act) {
	const before = (await state(page)).revision;
	await act();
	await page.waitForFunction((revision) => window.ossa.app.session.state.revision > revision && !window.ossa.app.session.busy, before, { timeout: 180000 });
	await idle(page);
}

const joint = async (page, name) => (await state(page)).rig.bones.find((bone) => bone.name === name).joint;
const apart = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));

/** where a landmark's handle is in the window */
const handle = (page, name) => page.evaluate((wanted) => {
	const { landmarks, viewport } = window.ossa.app, { ball } = landmarks.handles.find((one) => one.landmark.name === wanted), at = viewport.project(ball.position), box = viewport.pane.getBoundingClientRect();
	return { x: box.left + at.x, y: box.top + at.y };
}, name);

export const tests = {
	'a body is shown with its plan, score and parts': async (kit) => {
		const page = await open(kit), { rig } = await state(page);
		assert.equal(rig.body.kind, 'human');
		assert.match(await page.locator('.body-words').textContent(), /^human, score .* to 1 against no body/);
		assert.equal(await page.getByRole('combobox', { name: 'Body plan' }).inputValue(), 'auto');
		await page.getByRole('radio', { name: 'Parts' }).click();
		const rows = await page.locator('.legend .part-row').allTextContents();
		assert.ok(rows.includes('left thigh') && rows.includes('right hand') && rows.includes('spine'), rows.join());
		assert.equal(new Set(rows).size, rows.length, 'each once');
		const colors = await page.evaluate(() => {
			const { view } = window.ossa.app.display, at = (name) => 4 * (window.ossa.app.session.rig.index.get(name) * (view.surface.rows.length / 4 / view.rig.bone_count) + 5);
			return ['thigh_L', 'thigh_R'].map((name) => [...view.surface.rows.slice(at(name), at(name) + 3)]);
		});
		assert.ok(colors[0][0] > colors[0][2] && colors[1][2] > colors[1][0], `left warm, right cool: ${JSON.stringify(colors)}`);
		assert.deepEqual(page.faults, []);
	},

	'joints that are not sure are marked': async (kit) => {
		const page = await open(kit);
		const shown = await page.evaluate(() => {
			const { app } = window.ossa, { rig } = app.session;
			rig.bones[3].deviation = 0.05 * rig.surface.diagonal;
			app.session.emit('rig', rig);
			app.look.set('coloring', 'roles');
			const { balls } = app.display.view.bones.doubts;
			return [balls.visible, balls.count - rig.bones.filter(({ deviation = 0 }) => deviation > 0).length];
		});
		assert.deepEqual(shown, [true, 0]);
		assert.match(await page.getByText('Least sure').locator('..').textContent(), /_?[a-z0-9]+.* [0-9.]+ %/);
		await page.evaluate(() => window.ossa.app.look.set('coloring', 'bones'));
		assert.equal(await page.evaluate(() => window.ossa.app.display.view.bones.doubts.balls.visible), false);
		assert.deepEqual(page.faults, []);
	},

	'another plan is rigged by, and undone': async (kit) => {
		const page = await open(kit), bones = (await state(page)).rig.bones.length;
		const plan = page.getByRole('combobox', { name: 'Body plan' });
		await next(page, () => plan.selectOption('none'));
		let now = await state(page);
		assert.equal(now.rig.body, null);
		assert.equal(now.options.body, 'none');
		assert.ok(now.rig.bones.every(({ role }) => !role));
		await next(page, () => page.getByRole('button', { name: 'Undo' }).click());
		now = await state(page);
		assert.equal(now.rig.body.kind, 'human');
		assert.equal(now.rig.bones.length, bones);
		await next(page, () => page.getByRole('button', { name: 'Redo' }).click());
		assert.equal((await state(page)).rig.body, null);
		await next(page, () => page.getByRole('button', { name: 'Rig again' }).click());
		assert.equal((await state(page)).options.body, 'none', 'rigging again keeps the plan');
		assert.deepEqual(page.faults, []);
	},

	'a landmark is dragged and the joint follows': async (kit) => {
		const page = await open(kit), was = await joint(page, 'hand_L'), knee = await joint(page, 'calf_L');
		await page.getByRole('button', { name: 'Landmarks' }).click();
		await page.evaluate(() => window.ossa.app.viewport.orbit.look(0, 0));
		await page.waitForTimeout(300);
		const from = await handle(page, 'left-wrist'), elbow = await handle(page, 'left-elbow');
		// a third of the way to the elbow
		const to = { x: from.x + (elbow.x - from.x) / 3, y: from.y + (elbow.y - from.y) / 3 };
		await page.mouse.move(from.x, from.y);
		await page.mouse.down();
		await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
		await page.mouse.move(to.x, to.y);
		await next(page, () => page.mouse.up());
		const { diagonal } = (await state(page)).mesh, now = await joint(page, 'hand_L');
		kit.tell(`moved by ${(100 * apart(was, now) / diagonal).toFixed(1)} % of the diagonal`);
		assert.ok(apart(was, now) > 0.02 * diagonal, 'the wrist has moved');
		assert.ok(apart(knee, await joint(page, 'calf_L')) < 1e-6 * diagonal, 'the knee has not');
		assert.ok((await state(page)).options['left-wrist'], 'the point is an option of the rig');
		await next(page, () => page.keyboard.press('Control+z'));
		assert.ok(apart(was, await joint(page, 'hand_L')) < 1e-6 * diagonal, 'undone');
		await next(page, () => page.keyboard.press('Control+Shift+z'));
		assert.ok(apart(now, await joint(page, 'hand_L')) < 1e-6 * diagonal, 'done again');
		await next(page, () => page.getByRole('button', { name: 'Clear them' }).click());
		assert.ok(apart(was, await joint(page, 'hand_L')) < 1e-6 * diagonal, 'cleared');
		await page.keyboard.press('Escape');
		assert.deepEqual(page.faults, []);
	},

	'a landmark far from the body is refused and changes nothing': async (kit) => {
		const page = await open(kit), before = await state(page);
		const result = await page.evaluate(() => window.ossa.app.plans.set_point('chin', [100, 100, 100]).then(() => document.querySelector('.notice.bad')?.textContent));
		assert.match(result, /chin/);
		assert.equal((await state(page)).revision, before.revision);
		assert.deepEqual((await state(page)).history, before.history);
		page.faults.length = 0;
	},
};
