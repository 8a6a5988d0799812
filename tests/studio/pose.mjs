// Posing: what the page shows is what the library computes; by keys, by the gizmo, by IK; back again.
import assert from 'node:assert/strict';
import { scene_pixels } from './first.mjs';
import { open_page, ready, rig_of, start_studio } from './studio.mjs';

const tolerance = 1e-5; // of the diagonal

async function open(kit, path = rig_of('biped', 5000, 12)) {
	const studio = await start_studio([path]);
	kit.after(studio.end);
	const page = await open_page(kit.browser, studio.address);
	await ready(page, 'rig');
	return page;
}

export const choose = (page, ...names) => page.evaluate((list) => { const { selection, session } = window.ossa.app; selection.set(list.map((name) => session.rig.index.get(name))); }, names);
export const angles = (page, name) => page.evaluate((one) => { const { posing } = window.ossa.app; return posing.pose.angles(posing.rig, posing.rig.index.get(one)); }, name);
/** a bone with a parent and a child, the same in every run */
export const some_bone = (page) => page.evaluate(() => { const { rig } = window.ossa.app.session; return rig.bones.find((bone, b) => bone.parent > 0 && rig.children[b].length === 1).name; });

/** the largest distance between the shader's vertices and the library's, in diagonals */
async function worst_difference(page, blend, poses) {
	return page.evaluate(async ([kind, count]) => {
		const { app, readPositions, pose, random_pose } = window.ossa, { posing, session, look } = app;
		look.set('dual', kind === 'dual');
		look.set('keep_limits', false);
		let worst = 0, seed = 7;
		const random = () => { seed = (seed * 48271) % 2147483647; return seed / 2147483647; };
		for (let i = 0; i < count; i++) {
			const next = random_pose(posing.rig, 1, 70, random);
			next.root = next.root.map((x) => x + (random() - 0.5) * session.surface.diagonal);
			posing.set(next);
			const here = readPositions(), there = new Float32Array(await (await app.api.post('positions', { blend: kind, ...pose() })).arrayBuffer());
			if (here.length !== there.length) return Infinity;
			for (let k = 0; k < here.length; k += 3) worst = Math.max(worst, Math.hypot(here[k] - there[k], here[k + 1] - there[k + 1], here[k + 2] - there[k + 2]) / session.surface.diagonal);
		}
		return worst;
	}, [blend, poses]);
}

async function drives_alike(kit, rig, count) {
	const page = await open(kit, rig);
	const told = await page.evaluate(async () => {
		const { app, Pose, reach, random_pose } = window.ossa, { rig, surface } = app.session, { posing } = app, out = { lines: [], chains: [] };
		const degrees = (pose, b) => pose.hinge_angle(rig, b), turned = (one, from, to) => {
			const off = degrees(to, one.bone) - degrees(from, one.bone) - one.ratio * (to.driver_angle(rig, one, from.driver_angle(rig, one)) - from.driver_angle(rig, one));
			return Math.abs(off - 360 * Math.round(off / 360));
		};
		const rest = Pose.rest(rig);
		let seed = 5;
		const random = () => { seed = (seed * 48271) % 2147483647; return seed / 2147483647; };
		for (const one of rig.dependencies) {
			const pose = rest.copy(), { driver } = one;
			posing.reset();
			pose.rotations[driver] = Pose.of_names(rig, { turns: { [rig.bones[driver].name]: random_pose(rig, 0.5, 30, random).by_name(rig).turns[rig.bones[driver].name] }, moved: [0, 0, 0] }).rotations[driver];
			posing.change(pose, [driver]);
			out.lines.push({ off: turned(one, rest, posing.pose), by: Math.abs(posing.pose.driver_angle(rig, one)) });
			posing.undo();
			out.lines.push({ off: Math.abs(degrees(posing.pose, one.bone)), by: 1 });
		}
		for (let i = 0; i < 12; i++) {
			const one = rig.dependencies[i % rig.dependencies.length], leaf = rig.below(one.bone).at(-1), from = random_pose(rig, 0.6, 30, random);
			const target = Pose.tail(rig, from.world(rig), leaf).map((x) => x + 0.1 * surface.diagonal * (random() - 0.5)), here = reach(rig, from, leaf, target, 4, true);
			const there = await (await app.api.post('ik', { bone: leaf, target, chain: 4, rotations: from.rotations, root: from.root })).json();
			const turn = Math.max(...here.rotations.map((q, k) => 1 - Math.abs(q.reduce((sum, x, c) => sum + x * there.rotations[k][c], 0))));
			out.chains.push({ turn, off: Math.max(...rig.dependencies.map((line) => turned(line, from, here))) });
		}
		return out;
	});
	assert.ok(told.lines.length === 2 * count && told.lines.every(({ off, by }) => off < 1e-6 && by > 0.1), JSON.stringify(told.lines));
	assert.ok(told.chains.every(({ turn, off }) => turn < 1e-9 && off < 1e-6), JSON.stringify(told.chains));
	assert.deepEqual(page.faults, []);
}

/** the page's inverse kinematics against the server's, in a rig with joints of this kind */
async function reaches_alike(kit, path, kind) {
	const page = await open(kit, path);
	const told = await page.evaluate(async () => {
		const { app, Pose, reach, random_pose } = window.ossa, { rig, surface } = app.session, out = [];
		let seed = 11;
		const random = () => { seed = (seed * 48271) % 2147483647; return seed / 2147483647; };
		const leaves = rig.bones.map((_, b) => b).filter((b) => rig.children[b].length === 0 && rig.chain(b).length > 1);
		for (const [i, b] of [...leaves, ...leaves, ...leaves].entries()) {
			// from within limits; targets near and far, also beyond what the chain can reach
			const from = random_pose(rig, 0.5, 30, random), size = surface.diagonal * [0.03, 0.1, 0.6][i % 3], count = 1 + (i % 4);
			const target = Pose.tail(rig, from.world(rig), b).map((x) => x + size * (random() - 0.5)), here = reach(rig, from, b, target, count, true);
			const there = await (await app.api.post('ik', { bone: b, target, chain: count, rotations: from.rotations, root: from.root })).json();
			const far = Math.hypot(...Pose.tail(rig, here.world(rig), b).map((x, k) => x - target[k]));
			const turn = Math.max(...here.rotations.map((q, k) => 1 - Math.abs(q.reduce((sum, x, c) => sum + x * there.rotations[k][c], 0))));
			const beyond = Math.max(0, ...rig.chain(b).slice(0, count).filter((k) => rig.bones[k].limits && !['hinge', 'universal'].includes(rig.bones[k].kind)).flatMap((k) => here.angles(rig, k).map((angle, a) => Math.max(rig.bones[k].limits[a][0] - angle, angle - rig.bones[k].limits[a][1]))));
			// hinges turn about their axis alone: against the rest, in the joint's own frame
			const hinges = rig.chain(b).slice(0, count).filter((k) => rig.bones[k].kind === 'hinge'), universals = rig.chain(b).slice(0, count).filter((k) => rig.bones[k].kind === 'universal');
			const product = ([ax, ay, az, aw], [bx, by, bz, bw]) => [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz];
			const aside = Math.max(0, ...hinges.map((k) => {
				const { rest, orientation: [ox, oy, oz, ow], axis } = rig.bones[k], [rx, ry, rz, rw] = rest.rotation;
				const [x, y, z] = product([-rx, -ry, -rz, rw], here.rotations[k]), [hx, hy, hz] = product(product([-ox, -oy, -oz, ow], [...axis, 0]), [ox, oy, oz, ow]);
				return Math.hypot(y * hz - z * hy, z * hx - x * hz, x * hy - y * hx);
			}));
			out.push({ far: far / surface.diagonal, there: there.distance / surface.diagonal, turn, beyond, reached: there.reached, hinge: hinges.length, universal: universals.length, aside });
		}
		return out;
	});
	const difference = Math.max(...told.map(({ far, there }) => Math.abs(far - there)));
	kit.tell(`${told.length} chains, ${told.filter(({ reached }) => reached).length} reach: the ends differ by ${difference.toExponential(1)} of the diagonal, turns by ${(Math.acos(1 - Math.max(...told.map(({ turn }) => turn))) * 360 / Math.PI).toExponential(1)} degrees`);
	assert.ok(told.length > 2 && told.some(({ reached }) => reached) && told.some(({ reached }) => !reached), JSON.stringify(told));
	assert.ok(difference < tolerance, JSON.stringify(told));
	assert.ok(told.every(({ turn }) => turn < 1e-6), JSON.stringify(told));
	assert.ok(told.every(({ beyond }) => beyond < 1e-4), JSON.stringify(told));
	assert.ok(told.some((one) => one[kind] > 0) && told.every(({ aside }) => aside < 1e-6), JSON.stringify(told));
	assert.deepEqual(page.faults, []);
}

export const tests = {
	'the shader poses as the library does': async (kit) => {
		for (const [kind, faces, options] of [['biped', 5000, []], ['quadruped', 20000, ['--bones', 27, '--influences', 8]]]) {
			const page = await open(kit, rig_of(kind, faces, 12, ...options));
			for (const blend of ['linear', 'dual']) {
				const worst = await worst_difference(page, blend, 4);
				kit.tell(`${kind}, ${blend}: ${worst.toExponential(1)} of the diagonal`);
				assert.ok(worst < tolerance, `${kind} ${blend}: ${worst}`);
			}
			assert.deepEqual(page.faults, []);
		}
	},

	'frames of the clip are those of the library': async (kit) => {
		const page = await open(kit);
		const worst = await page.evaluate(async () => {
			const { app, readPositions, jointMatrices } = window.ossa, { session, player } = app;
			let most = 0;
			for (const frame of [0, 5, 11]) {
				player.go(frame);
				const { bytes } = await app.api.bytes(`frames?from=${frame}&count=1`), input = new Float32Array(bytes), here = readPositions();
				const { bytes: told } = await app.api.bytes(`errors?frame=${frame}`), errors = new Float32Array(told);
				for (let i = 0; i < errors.length; i++) {
					const far = Math.hypot(here[3 * i] - input[3 * i], here[3 * i + 1] - input[3 * i + 1], here[3 * i + 2] - input[3 * i + 2]);
					most = Math.max(most, Math.abs(far - errors[i]) / session.surface.diagonal);
				}
				if (jointMatrices().length !== session.rig.bone_count) most = Infinity;
			}
			return most;
		});
		assert.ok(worst < tolerance, String(worst));
	},

	'turn by keys and numbers, undo, reset': async (kit) => {
		const page = await open(kit), name = await some_bone(page), before = await scene_pixels(page);
		await choose(page, name);
		await page.keyboard.press('r');
		for (const key of ['x', 'x', '3', '5', 'Enter']) await page.keyboard.press(key);
		assert.ok(Math.abs((await angles(page, name))[0] - 35) < 1e-6, String(await angles(page, name)));
		const after = await scene_pixels(page);
		assert.notEqual(after.sum, before.sum, 'the picture has changed');
		assert.ok(after.orange > 20, 'the chosen bone is marked');
		// the joint's matrix is turned by as much against its parent
		const turned = await page.evaluate((one) => {
			const { app, jointMatrices } = window.ossa, { rig } = app.session, b = rig.index.get(one), { parent } = rig.bones[b], now = jointMatrices();
			app.posing.reset();
			const rest = jointMatrices(), at = (m, r, c) => m[4 * r + c], local = (list) => [0, 1, 2].map((r) => [0, 1, 2].map((c) => [0, 1, 2].reduce((s, k) => s + at(list[parent], k, r) * at(list[b], k, c), 0)));
			const a = local(rest), z = local(now), trace = [0, 1, 2].reduce((s, r) => s + [0, 1, 2].reduce((t, k) => t + a[k][r] * z[k][r], 0), 0);
			app.posing.undo();
			return Math.acos((trace - 1) / 2) * 180 / Math.PI;
		}, name);
		assert.ok(Math.abs(turned - 35) < 1e-4, String(turned));
		await page.keyboard.press('Control+z');
		assert.ok(Math.abs((await angles(page, name))[0]) < 1e-6);
		await page.keyboard.press('Control+Shift+z');
		assert.ok(Math.abs((await angles(page, name))[0] - 35) < 1e-6);
		await page.keyboard.press('Alt+r');
		assert.ok(Math.abs((await angles(page, name))[0]) < 1e-6);
		await page.keyboard.press('r');
		await page.keyboard.type('50');
		await page.keyboard.press('Escape');
		assert.ok((await angles(page, name)).every((x) => Math.abs(x) < 1e-6), 'Esc takes it back');
		assert.deepEqual(page.faults, []);
	},

	'turn by the gizmo': async (kit) => {
		const page = await open(kit), name = await some_bone(page);
		await choose(page, name);
		const box = await page.evaluate(() => { const { viewport, display, selection } = window.ossa.app, p = viewport.project(display.view.bones.joints[selection.active]), b = viewport.pane.getBoundingClientRect(); return { x: b.left + p.x, y: b.top + p.y }; });
		// along a line away from the joint one of the rings is met
		let hit = null;
		for (let r = 20; r < 110 && !hit; r += 2) {
			await page.mouse.move(box.x + r, box.y + r / 3);
			if (await page.evaluate(() => window.ossa.app.display.gizmo.is_wanted)) hit = r;
		}
		assert.ok(hit, 'a ring is under the pointer');
		await page.mouse.down();
		await page.mouse.move(box.x + hit + 10, box.y + hit / 3 + 60, { steps: 6 });
		await page.mouse.up();
		assert.ok((await angles(page, name)).some((x) => Math.abs(x) > 3), String(await angles(page, name)));
		await page.keyboard.press('Control+z');
		assert.ok((await angles(page, name)).every((x) => Math.abs(x) < 1e-6));
	},

	'pull a chain': async (kit) => {
		const page = await open(kit);
		const far = await page.evaluate(async () => {
			const { app, Pose, reach } = window.ossa, { rig } = app.session;
			// a leaf with two bones above it; a target that a pose of the chain reaches
			const leaf = rig.bones.findIndex((_, b) => rig.children[b].length === 0 && rig.chain(b).length > 3), chain = rig.chain(leaf).slice(0, 3), wanted = Pose.rest(rig);
			chain.forEach((b, i) => wanted.set_angles(rig, b, [12 + 9 * i, 5, -14]));
			const target = Pose.tail(rig, wanted.world(rig), leaf), got = reach(rig, Pose.rest(rig), leaf, target, 3, false), end = Pose.tail(rig, got.world(rig), leaf);
			const moved = rig.bones.filter((_, b) => Math.abs(Math.abs(got.rotations[b].reduce((s, x, k) => s + x * Pose.rest(rig).rotations[b][k], 0)) - 1) > 1e-12).length;
			return { far: Math.hypot(...end.map((x, k) => x - target[k])) / app.session.surface.diagonal, moved };
		});
		assert.ok(far.far < 1e-4 && far.moved <= 3, JSON.stringify(far));
	},

	'a chain reaches as the library does': async (kit) => reaches_alike(kit, rig_of('quadruped', 20000, 12, '--bones', 27), 'hinge'),
	'joints of two axes reach as the library does': async (kit) => reaches_alike(kit, rig_of('gimbals', 5000, 24), 'universal'),

	'dependent bones turn with their drivers': async (kit) => drives_alike(kit, rig_of('machine', 4000, 24), 4),
	'twist bones turn with the twist of their drivers': async (kit) => drives_alike(kit, rig_of('arms', 4000, 24), 4),

	'click chooses the bone that is seen there': async (kit) => {
		const page = await open(kit);
		const spots = await page.evaluate(() => {
			const { viewport, display } = window.ossa.app, b = viewport.pane.getBoundingClientRect();
			return display.view.rig.bones.map((bone, i) => { const p = viewport.project(display.view.bones.joints[i].clone().lerp(display.view.bones.tails[i], 0.5)); return { name: bone.name, x: b.left + p.x, y: b.top + p.y }; });
		});
		let right = 0;
		for (const spot of spots) {
			// the rings of the bone before lie over its neighbours, as soon as they are drawn
			await page.evaluate(() => window.ossa.app.selection.set([]));
			await page.mouse.click(spot.x, spot.y);
			if ((await page.evaluate(() => window.ossa.app.selection.active_bone?.name)) === spot.name) right++;
		}
		assert.ok(right >= spots.length - 1, `${right} of ${spots.length}`);
	},

	'poses are kept with the session': async (kit) => {
		const page = await open(kit), name = await some_bone(page);
		await choose(page, name);
		for (const key of ['r', 'y', 'y', '2', '0', 'Enter', 'k']) await page.keyboard.press(key);
		await page.getByRole('dialog').getByRole('textbox').fill('waving');
		await page.keyboard.press('Enter');
		await page.getByRole('tab', { name: 'Poses' }).click();
		await page.getByRole('button', { name: 'waving', exact: true }).waitFor();
		// it is shown before the studio has it; a person is asked before leaving, this page is not
		await page.waitForFunction(() => !window.ossa.app.library.is_unsent);
		await page.reload();
		await ready(page, 'rig');
		await page.getByRole('tab', { name: 'Poses' }).click();
		await page.getByRole('button', { name: 'waving', exact: true }).click();
		assert.ok(Math.abs((await angles(page, name))[1] - 20) < 1e-6);
		assert.deepEqual(page.faults, []);
	},
};
