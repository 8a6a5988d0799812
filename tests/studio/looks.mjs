// Materials in the view: textures where they belong, also on a bent rig; the switch; images that are missing or broken.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { drop, open_page, ready, run, sample, start_studio, work } from './studio.mjs';

/** a PNG: the left half red, the right half green */
function png(side = 16) {
	const part = (name, data) => {
		const bytes = Buffer.concat([Buffer.from(name), data]), out = Buffer.alloc(bytes.length + 8);
		out.writeUInt32BE(data.length, 0);
		bytes.copy(out, 4);
		out.writeUInt32BE(crc32(bytes), bytes.length + 4);
		return out;
	};
	const head = Buffer.alloc(13), row = Buffer.concat([Buffer.alloc(1), ...Array.from({ length: side }, (_, x) => Buffer.from(x < side / 2 ? [220, 20, 20] : [20, 180, 20]))]);
	head.writeUInt32BE(side, 0);
	head.writeUInt32BE(side, 4);
	head.set([8, 2, 0, 0, 0], 8);
	return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), part('IHDR', head), part('IDAT', deflateSync(Buffer.concat(Array(side).fill(row)))), part('IEND', Buffer.alloc(0))]);
}

/** a biped with texture coordinates from the front, every face with some of its own, as a rig; image: its bytes */
function textured(name, image) {
	const folder = join(work, `looks-${name}`), [rest] = sample('biped', 3000, 2), lines = readFileSync(rest, 'utf8').split('\n');
	mkdirSync(folder, { recursive: true });
	const points = lines.filter((line) => line.startsWith('v ')).map((line) => line.split(' ').slice(1).map(Number));
	const reach = Math.max(...points.map(([x]) => Math.abs(x))), high = Math.max(...points.map(([, y]) => y));
	const out = ['mtllib rest.mtl', ...lines.filter((line) => line.startsWith('v ')), 'usemtl skin'];
	let count = 0;
	for (const line of lines.filter((one) => one.startsWith('f '))) {
		const corners = line.split(' ').slice(1).map((word) => Number.parseInt(word, 10));
		// one image further on the right: there is a seam in the middle, and the image repeats
		const more = corners.reduce((sum, v) => sum + points[v - 1][0], 0) > 0 ? 1 : 0;
		for (const v of corners) out.push(`vt ${more + 0.5 + 0.5 * points[v - 1][0] / reach} ${points[v - 1][1] / high}`);
		out.push(`f ${corners.map((v) => `${v}/${++count}`).join(' ')}`);
	}
	writeFileSync(join(folder, 'rest.obj'), out.join('\n'));
	writeFileSync(join(folder, 'rest.mtl'), 'newmtl skin\nKd 1 1 1\nmap_Kd skin.png\n');
	writeFileSync(join(folder, 'skin.png'), image);
	const path = join(folder, `${name}.glb`);
	run('rig', join(folder, 'rest.obj'), '-o', path, '--quiet', '--bones', 12);
	return path;
}

/** the same file whose texture is by a second set of coordinates; the first is zeros */
function with_second_set(path) {
	const data = readFileSync(path), size = data.readUInt32LE(12), document = JSON.parse(data.subarray(20, 20 + size).toString()), binary = data.subarray(28 + size);
	const { attributes } = document.meshes[0].primitives[0], own = document.accessors[attributes.TEXCOORD_0], zeros = Buffer.alloc(8 * own.count);
	document.bufferViews.push({ buffer: 0, byteOffset: binary.length, byteLength: zeros.length });
	document.accessors.push({ bufferView: document.bufferViews.length - 1, componentType: 5126, count: own.count, type: 'VEC2' });
	Object.assign(attributes, { TEXCOORD_1: attributes.TEXCOORD_0, TEXCOORD_0: document.accessors.length - 1 });
	document.materials[0].pbrMetallicRoughness.baseColorTexture.texCoord = 1;
	document.buffers[0].byteLength = binary.length + zeros.length;
	const words = Buffer.from(JSON.stringify(document)), text = Buffer.concat([words, Buffer.alloc((4 - (words.length % 4)) % 4, ' ')]), head = Buffer.from(data.subarray(0, 20)), between = Buffer.from(data.subarray(20 + size, 28 + size));
	head.writeUInt32LE(28 + text.length + binary.length + zeros.length, 8);
	head.writeUInt32LE(text.length, 12);
	between.writeUInt32LE(binary.length + zeros.length, 0);
	const out = path.replace('.glb', '-second.glb');
	writeFileSync(out, Buffer.concat([head, text, between, binary, zeros]));
	return out;
}

async function open(kit, files) {
	const studio = await start_studio(files);
	kit.after(studio.end);
	const page = await open_page(kit.browser, studio.address);
	if (files.length > 0) await ready(page);
	return page;
}

/** how many pixels of the scene are red, green, and of any surface; without the skeleton */
const count = (page) => page.evaluate(() => {
	const { viewport, look } = window.ossa.app, gl = viewport.renderer.getContext(), { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
	for (const name of ['bones', 'grid']) look.set(name, false);
	viewport.draw();
	const pixels = new Uint8Array(4 * width * height), out = { red: 0, green: 0, surface: 0, red_x: 0, green_x: 0 };
	gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
	for (let i = 0; i < width * height; i++) {
		const [r, g, b] = pixels.subarray(4 * i, 4 * i + 3);
		out.surface += Math.abs(r - pixels[0]) + Math.abs(g - pixels[1]) + Math.abs(b - pixels[2]) > 12;
		if (r > 2 * g && r > 2 * b) { out.red++; out.red_x += i % width; }
		if (g > 1.6 * r && g > 1.6 * b) { out.green++; out.green_x += i % width; }
	}
	return { ...out, red_x: out.red_x / out.red, green_x: out.green_x / out.green };
});

const shown = (page) => page.waitForFunction(() => window.ossa.app.looks.are_there, null, { timeout: 60000 });
const choose = (page, name) => page.getByRole('radio', { name, exact: true }).click();

export const tests = {
	'materials are shown, and the switch leaves them out': async (kit) => {
		const page = await open(kit, [textured('good', png())]);
		await shown(page);
		await page.evaluate(() => { const { orbit } = window.ossa.app.viewport; orbit.look(0, 0); window.ossa.app.display.frame_all(); });
		const first = await count(page);
		kit.tell(`${first.red} pixels red, ${first.green} green, of ${first.surface}`);
		assert.ok(first.red > 2000 && first.green > 2000 && first.red + first.green > 0.8 * first.surface, JSON.stringify(first));
		assert.ok(first.red_x < first.green_x, 'u runs to the right');
		assert.equal(await page.getByRole('radio', { name: 'Materials' }).getAttribute('aria-checked'), 'true');
		await choose(page, 'Plain');
		const plain = await count(page);
		assert.equal(plain.red + plain.green, 0);
		assert.ok(Math.abs(plain.surface - first.surface) < 0.01 * first.surface, `${plain.surface}, ${first.surface}`);
		await choose(page, 'Materials');
		assert.equal((await count(page)).red, first.red);
		// x-ray and edges go with it
		await page.evaluate(() => { const { look } = window.ossa.app; look.set('wire', true); look.set('xray', true); });
		await count(page);
		assert.deepEqual(page.faults, []);
	},

	'a texture has the set of coordinates that it names': async (kit) => {
		const page = await open(kit, [with_second_set(textured('good', png()))]);
		await shown(page);
		const seen = await count(page);
		assert.ok(seen.red > 2000 && seen.green > 2000, JSON.stringify(seen));
		assert.deepEqual(page.faults, []);
	},

	'materials follow the pose, linearly and by dual quaternions': async (kit) => {
		const page = await open(kit, [textured('good', png())]);
		await shown(page);
		for (const dual of [false, true]) {
			await page.evaluate((is_dual) => {
				const { app, random_pose } = window.ossa;
				app.look.set('dual', is_dual);
				let turn = 1;
				app.posing.set(random_pose(app.posing.rig, () => { turn = (turn * 16807) % 2147483647; return turn / 2147483647; }), app.posing.rig.bones.map((_, b) => b));
			}, dual);
			const seen = {};
			for (const coloring of ['materials', 'plain']) {
				await page.evaluate((name) => window.ossa.app.look.set('coloring', name), coloring);
				seen[coloring] = await count(page);
			}
			assert.ok(seen.materials.red > 500 && seen.materials.green > 500, JSON.stringify(seen));
			assert.ok(Math.abs(seen.materials.surface - seen.plain.surface) < 0.01 * seen.plain.surface, JSON.stringify(seen));
			await page.evaluate(() => window.ossa.app.look.set('coloring', 'materials'));
		}
		assert.deepEqual(page.faults, []);
	},

	'materials stay after an edit and its undoing, and faces are picked and painted on them': async (kit) => {
		const page = await open(kit, [textured('good', png())]);
		await shown(page);
		const before = await count(page), bones = () => page.evaluate(() => window.ossa.app.session.rig.bone_count), many = await bones();
		const changed = (act) => page.evaluate(async (name) => {
			const { session, acts, edits } = window.ossa.app, revision = session.state.revision, leaf = session.rig.bones.findIndex((_, b) => b > 0 && session.rig.children[b].length === 0);
			if (name === 'undo') await acts.undo();
			else await session.run({ do: 'edit', lines: [`remove ${session.rig.bones[leaf].name}`] });
			return [revision, session.state.revision, Boolean(edits)];
		}, act);
		await changed('edit');
		await page.waitForFunction((count_before) => window.ossa.app.session.rig.bone_count < count_before, many);
		assert.ok(await page.evaluate(() => window.ossa.app.looks.are_there && window.ossa.app.display.view.surface.looks !== null));
		const after = await count(page);
		assert.ok(Math.abs(after.red - before.red) < 0.02 * before.red, `${after.red}, ${before.red}`);
		await changed('undo');
		await page.waitForFunction((count_before) => window.ossa.app.session.rig.bone_count === count_before, many);
		assert.ok(Math.abs((await count(page)).red - before.red) < 0.02 * before.red);
		// the rig from before beside it has the same faces
		await page.getByRole('radio', { name: 'Before' }).click();
		await page.waitForFunction(() => window.ossa.app.viewport.beside?.surface.looks);
		assert.ok((await count(page)).red > 1000);
		await page.getByRole('radio', { name: 'Rig alone' }).click();
		// the mesh's own vertices are what everything else works on
		const { own, drawn } = await page.evaluate(() => { const { surface } = window.ossa.app.display.view; return { own: surface.rig.surface.count, drawn: surface.looks.geometry.getAttribute('position').count }; });
		assert.ok(drawn > own, `${drawn} vertices with seams, ${own} without`);
		await page.evaluate(() => { const { surface } = window.ossa.app.display.view; surface.mark_faces(Array.from({ length: surface.rig.surface.indices.length / 3 }, (_, f) => f)); });
		assert.ok((await count(page)).red < 0.5 * before.red, 'painted faces are marked over the materials');
		assert.deepEqual(page.faults, []);
	},

	'a broken image is named, and the rest is there': async (kit) => {
		const bytes = png();
		const page = await open(kit, [textured('broken', bytes.subarray(0, bytes.length - 40))]);
		await page.getByText('cannot be shown').waitFor();
		await shown(page);
		const seen = await count(page);
		assert.ok(seen.surface > 5000 && seen.red + seen.green === 0, JSON.stringify(seen));
		assert.deepEqual(page.faults, []);
	},

	'a missing image is named, and the rest is there': async (kit) => {
		textured('missing', png());
		const folder = join(work, 'looks-missing'), page = await open(kit, []);
		await drop(page, ['rest.obj', 'rest.mtl'].map((name) => join(folder, name)));
		await ready(page);
		await page.getByText('skin.png').first().waitFor();
		assert.ok((await count(page)).surface > 5000);
		// with it, the same files show it
		await drop(page, ['rest.obj', 'rest.mtl', 'skin.png'].map((name) => join(folder, name)));
		await shown(page);
		assert.ok((await count(page)).red > 2000);
		assert.deepEqual(page.faults, []);
	},

	'files without looks have no choice of materials': async (kit) => {
		const page = await open(kit, sample('biped', 3000, 2).slice(0, 1));
		assert.ok(!await page.getByRole('radio', { name: 'Materials' }).isVisible());
		assert.equal(await page.getByRole('radio', { name: 'Plain', exact: true }).getAttribute('aria-checked'), 'true');
		assert.deepEqual(page.faults, []);
	},
};
