#!/usr/bin/env node
// Random acts in two tabs of the studio while its server is killed at any moment: no edit, pose or stroke may be lost, and none may
// appear that nobody made.
//
// usage: CHAOS_SECONDS=3600 CHAOS_SEED=1 node tests/studio/chaos.mjs     (after `tests/studio/run NOTHING` once: it builds and installs)
//
// The model knows for every session its edits, the steps of its history, its poses; for every tab its session and the pose on its
// screen. Acts come in rounds. In a round of work both tabs edit, paint and keep poses at once; in a round of history one of them
// undoes, rigs anew, opens files, goes to other sessions, removes one, loads the page again. In many rounds the server is killed, and
// started again a moment later. After each round, when the tabs have nothing left to send:
// - an edit that was acknowledged is there once, one whose answer was lost at most once; each tab's edits are in their order
// - every stroke and every pose is there, also those that were made while the server was away
// - undo, redo, rig and open have been done as a whole, or where the server was killed perhaps not at all
// - both tabs show what the server has, and the pose on a screen is as it was left
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { idle, open_page, prepare, ready, rig_of, sample, start_browser, start_studio, work } from './studio.mjs';

const MOST_BONES = 45, MOST_SESSIONS = 6, KILL_SHARE = 0.35, HISTORY_SHARE = 0.4, WAIT = 40000;

/** numbers below `count`, the same for the same seed */
function random_of(seed) {
	let at = (seed * 2654435761 + 1) % 2147483647;
	return (count) => { at = (at * 48271) % 2147483647; return Math.floor(at / 2147483647 * count); };
}

/** what undo and redo bring back: the edits, the bones, the steps */
const picture_of = ({ edits, rig, history, step, files }) => ({ done: edits.done, undone: edits.undone, bones: rig?.bones.map(({ name }) => name) ?? [], past: history?.past.length ?? 0, future: history?.future.length ?? 0, step, files });

class Chaos {
	constructor(browser, { seed, seconds, tell }) {
		Object.assign(this, { browser, seconds, tell, random: random_of(seed), folder: join(work, `sessions-chaos-${seed}-${process.pid}`) });
		this.number = 0; // of every act: names, faces and places are made of it
		this.kills = this.rounds = 0;
		this.counts = {};
		this.sessions = new Map(); // id: {picture, poses: Set of names}
		this.removed = new Set();
	}

	pick = (list) => list[this.random(list.length)];

	async begin() {
		this.studio = await start_studio([rig_of('biped', 3000, 8)], { folder: this.folder });
		this.port = this.studio.port;
		const id = new URL(this.studio.address).hash.slice(1);
		this.tabs = [];
		for (let i = 0; i < 2; i++) {
			const page = await open_page(this.browser, this.studio.address);
			await ready(page, 'rig');
			await page.waitForFunction(() => window.ossa.app.api.key);
			await page.evaluate(() => window.ossa.app.look.set('solve_at_once', false));
			this.tabs.push({ page, session: id, poses: new Map(), screens: new Map(), faults: [] });
			page.on('pageerror', (error) => this.tabs[i].faults.push(error.stack ?? String(error)));
			page.on('console', (message) => message.type() === 'error' && /Error: /.test(message.text()) && this.tabs[i].faults.push(message.text()));
		}
		this.sessions.set(id, { picture: picture_of(await this.ask(id, 'state')), poses: new Set() });
	}

	async ask(id, path) {
		const response = await fetch(`${this.studio.address.split('#')[0]}api/sessions/${id}/${path}`);
		assert.equal(response.status, 200, `${path} of ${id}`);
		return response.json();
	}

	count(what) { this.counts[what] = (this.counts[what] ?? 0) + 1; }

	// ---- acts of work: each gives {lines, stroke, is_kept: a promise} ----

	/** in the page; `give` returns lines for its rig, or null */
	edit(tab) {
		const n = ++this.number, kind = this.random(10), a = this.random(1000);
		this.count('edit');
		const told = tab.page.evaluate(async ([number, which, at]) => {
			const { edits, session } = window.ossa.app, bones = session.state.rig?.bones ?? [];
			if (bones.length < 2) return null;
			const bone = bones[1 + at % (bones.length - 1)], [x, y, z] = bone.joint;
			const line = which < 4 ? `split ${bone.name} 0.5 e${number}` : which < 6 ? `rename ${bone.name} n${number}` : which < 8 ? `move ${bone.name} ${x} ${y} ${Number((z + 1e-6 * number).toPrecision(7))}` : which < 9 ? `limits ${bone.name} -${(number % 80) + 1} 10 0 0 0 ${(number % 97) / 8 + 1}` : `add ${bone.name} ${Number((x + 0.1).toPrecision(7))} ${y} ${z} a${number}`;
			return { line, is_kept: await edits.do([line]) !== undefined };
		}, [n, kind, a]);
		return told.then((made) => made && { tab, ...made, kind: 'edit', renames: kind >= 4 && kind < 6 });
	}

	/** painted, and kept as a person would: by Enter, another bone, another mode */
	stroke(tab) {
		const n = ++this.number, how = this.random(3), a = this.random(1000);
		this.count('stroke');
		return tab.page.evaluate(([number, way, at]) => {
			const { mode, painting, selection, session } = window.ossa.app, bones = session.state.rig?.bones ?? [];
			if (bones.length < 3) return null;
			const bone = 1 + at % (bones.length - 1), face = number % session.state.mesh.faces;
			mode.set('paint');
			selection.set([bone]);
			Object.assign(painting, { faces: new Set([face]), bone: bones[bone].name, mesh: session.surface_key, place: session.api.session });
			if (way === 0) painting.keep();
			else if (way === 1) selection.set([bone > 1 ? bone - 1 : bone + 1]);
			mode.set('pose');
			return face;
		}, [n, how, a]).then((face) => face !== null && { tab, face, kind: 'stroke' });
	}

	pose(tab) {
		const n = ++this.number, mine = [...tab.poses].filter(([, session]) => session === tab.session).map(([name]) => name), model = this.sessions.get(tab.session);
		const what = mine.length > 2 ? this.pick(['add', 'add', 'rename', 'remove']) : 'add', name = what === 'add' ? `pose ${n}` : this.pick(mine), next = `again ${n}`;
		this.count(`pose, ${what}`);
		const change = (old, now) => {
			if (old) { model.poses.delete(old); tab.poses.delete(old); }
			if (now) { model.poses.add(now); tab.poses.set(now, tab.session); }
		};
		return tab.page.evaluate(([act, one, other]) => {
			const { library, posing } = window.ossa.app, at = library.poses.findIndex((pose) => pose.name === one);
			if (act === 'add') library.add({ name: one, ...posing.pose.by_name(posing.rig) });
			else if (at < 0) return false;
			else if (act === 'rename') library.rename(at, other);
			else library.remove(at);
			return true;
		}, [what, name, next]).then((is_done) => { if (is_done) change(what === 'add' ? null : name, what === 'add' ? name : what === 'rename' ? next : null); });
	}

	/** the pose on the screen is the page's alone */
	turn(tab) {
		const n = ++this.number;
		this.count('turn');
		return tab.page.evaluate((number) => {
			const { posing } = window.ossa.app, { rig } = posing;
			if (!rig?.bone_count || posing.held) return null;
			const pose = posing.pose.copy();
			pose.set_angles(rig, number % rig.bone_count, [number % 50, number % 7, 0]);
			posing.change(pose);
			return posing.pose.by_name(rig);
		}, n).then((named) => { if (named) tab.screens.set(tab.session, named); });
	}

	// ---- acts of history: each gives the pictures that may be there afterwards ----

	/** what edits.undo does by the state before it */
	expect_undo({ edits, history, from }, picture) {
		const { done, undone, steps, first = 0 } = edits;
		if (done.length > first) {
			const left = Math.max(first, ...steps.filter((count) => count < done.length));
			return { ...picture, done: done.slice(0, left), undone: [...done.slice(left), ...undone], bones: null };
		}
		if (history.past.length > 0) return this.left.get(this.key_of(picture, -1)) ?? 'any';
		return from ? 'back' : picture;
	}

	expect_redo({ edits, history }, picture) {
		const { done, undone, steps } = edits, all = done.length + undone.length;
		if (undone.length > 0) {
			const left = Math.min(all, ...steps.filter((count) => count > done.length));
			return { ...picture, done: [...done, ...undone].slice(0, left), undone: [...done, ...undone].slice(left), bones: null };
		}
		return history.future.length > 0 ? this.left.get(this.key_of(picture, 1)) ?? 'any' : 'forward';
	}

	left = new Map(); // pictures of steps as they were left: by session and number

	key_of = (picture, more = 0) => `${this.at} ${picture.past + more}`;

	/** one act of history in a tab; throws where its result is another one */
	async history(tab, is_killed) {
		const { page } = tab, model = this.sessions.get(tab.session), shown = await this.ask(tab.session, 'state'), bones = shown.rig?.bones.length ?? 0;
		const what = bones > MOST_BONES || bones === 0 ? 'rig' : this.pick(['undo', 'undo', 'undo', 'redo', 'redo', 'rig', 'open', 'go', 'go', 'remove', 'reload']);
		this.count(what);
		this.at = tab.session;
		this.left.set(this.key_of(model.picture), { ...model.picture, future: null });
		if (is_killed) this.kill();
		if (what === 'open') return this.open(tab);
		if (what === 'go') return this.go(tab, this.pick([...this.sessions.keys()]));
		if (what === 'remove') return this.remove();
		if (what === 'reload') return this.reload(tab);
		for (const other of this.tabs) other.screens.delete(tab.session);
		const wanted = what === 'undo' ? this.expect_undo(shown, model.picture) : what === 'redo' ? this.expect_redo(shown, model.picture) : 'rig';
		if (what === 'rig') await page.evaluate((bone_count) => window.ossa.app.session.run({ do: 'rig', method: window.ossa.app.session.state.input ? 'examples' : 'volume', options: window.ossa.app.session.state.input ? { bones: String(bone_count) } : {} }), 5 + this.random(6));
		else await page.evaluate((act) => window.ossa.app.edits[act](), what);
		if (wanted === 'back' || wanted === 'forward') return this.arrive(tab);
		await this.quiet();
		const now = picture_of(await this.ask(tab.session, 'state'));
		if (wanted === 'rig') assert.ok((now.past === model.picture.past + 1 && now.done.length === 0 && now.step.do === 'rig') || (is_killed && same(now, model.picture)), told('rig', model.picture, now));
		else if (wanted !== 'any') assert.ok(same(now, wanted) || (is_killed && same(now, model.picture)), told(what, wanted, now));
		model.picture = now;
		return undefined;
	}

	/** the session of the tab may be another one now, which must be known */
	async arrive(tab) {
		await this.quiet();
		const id = await tab.page.evaluate(() => window.ossa.app.api.session);
		assert.ok(this.sessions.has(id), `a session that nobody made: ${id}`);
		tab.session = id;
	}

	async open(tab) {
		if (this.sessions.size + this.removed.size >= MOST_SESSIONS) return this.go(tab, this.pick([...this.sessions.keys()]));
		const path = this.pick([rig_of('biped', 3000, 8), sample('quadruped', 3000, 8)[0]]), before = tab.session;
		await tab.page.setInputFiles('input[type=file]', [path]);
		await tab.page.waitForFunction(() => window.ossa.app.session.busy, null, { timeout: 3000 }).catch(() => {});
		await this.quiet();
		tab.session = await tab.page.evaluate(() => window.ossa.app.api.session);
		if (tab.session === before) return undefined;
		const state = await this.ask(tab.session, 'state');
		assert.ok(state.mesh && state.from === before, `opened, and ${JSON.stringify([state.files, state.from])}`);
		this.sessions.set(tab.session, { picture: picture_of(state), poses: new Set() });
		return undefined;
	}

	async go(tab, id) {
		await tab.page.evaluate((one) => window.ossa.app.acts.go_to(one), id);
		return this.arrive(tab);
	}

	/** one that is not on a screen is removed, or one that was comes back */
	async remove() {
		const base = this.studio.address.split('#')[0], free = [...this.sessions.keys()].filter((id) => this.tabs.every(({ session }) => session !== id));
		const id = this.removed.size > 0 && this.random(2) === 0 ? this.pick([...this.removed.keys()]) : this.pick(free);
		if (!id) return;
		const is_back = this.removed.has(id);
		const gone = await fetch(is_back ? `${base}api/sessions` : `${base}api/sessions/${id}`, is_back ? { method: 'POST', body: JSON.stringify({ restore: id }) } : { method: 'DELETE' }).catch(() => null);
		await this.up();
		const { sessions } = await (await fetch(`${this.studio.address.split('#')[0]}api/sessions`)).json(), is_there = sessions.some((one) => one.id === id);
		assert.ok(!gone?.ok || is_there === is_back, `${id}: ${is_back ? 'taken back' : 'removed'}, and ${is_there ? 'there' : 'not there'}`);
		if (is_there === is_back) {
			if (is_back) this.removed.delete(id);
			else this.removed.add(id);
		}
	}

	async reload(tab) {
		await this.quiet();
		await tab.page.goto(`${this.studio.address.split('#')[0]}#${tab.session}`);
		await tab.page.reload();
		await tab.page.waitForFunction(() => window.ossa !== undefined, null, { timeout: WAIT });
		await tab.page.waitForFunction(() => window.ossa.app.api.key, null, { timeout: WAIT });
		tab.screens.clear();
	}

	// ---- the server ----

	/** killed after some time, and started again after some more */
	kill() {
		const wait = (most) => new Promise((done) => { setTimeout(done, this.random(most)); });
		this.kills++;
		this.restarting = wait(500).then(() => this.studio.kill()).then(() => wait(700)).then(() => start_studio([], { folder: this.folder, port: this.port })).then((studio) => { this.studio = studio; });
		return this.restarting;
	}

	up = () => this.restarting;

	/** until both tabs have nothing left to send */
	async quiet() {
		await this.up();
		for (const { page } of this.tabs) {
			await page.waitForFunction(() => { const { api, library, painting, session } = window.ossa.app; return api.is_there && api.events?.readyState === 1 && !session.busy && !library.is_unsent && !painting.is_unsent; }, null, { timeout: WAIT }).catch(async () => {
				const facts = await page.evaluate(() => { const { api, library, painting, session } = window.ossa.app; return { link: api.is_there, events: api.events?.readyState, busy: session.busy, poses: library.is_unsent, here: api.session, strokes: [painting.bone, painting.faces.size, painting.waiting], notices: document.getElementById('notices').innerText }; });
				Object.assign(facts, { faults: this.tabs.flatMap(({ faults }) => faults) });
				assert.fail(`a tab does not come to rest: ${JSON.stringify(facts)}`);
			});
			await page.evaluate(() => window.ossa.app.session.refresh());
		}
	}

	// ---- rounds ----

	async work(is_killed) {
		const acts = [], begun = this.tabs.map(async (tab) => {
			const count = 1 + this.random(6);
			for (let i = 0; i < count; i++) {
				const made = this[this.pick(['edit', 'edit', 'stroke', 'stroke', 'pose', 'pose', 'turn'])](tab);
				// some wait for the one before, some do not
				acts.push(this.random(3) === 0 ? await made : made);
			}
		});
		await Promise.all([...begun, is_killed && this.kill()]);
		const made = (await Promise.all(acts)).filter(Boolean).map((act) => ({ ...act, line: plain(act.line ?? '') }));
		await this.quiet();
		for (const id of new Set(this.tabs.map(({ session }) => session))) await this.check_work(id, made.filter(({ tab }) => tab.session === id));
	}

	/** the session's edits: those from before, then those of this round */
	async check_work(id, made) {
		const model = this.sessions.get(id), now = picture_of(await this.ask(id, 'state')), before = model.picture, added = now.done.slice(before.done.length).map(plain);
		assert.deepEqual(now.done.slice(0, before.done.length), before.done, 'edits from before are as they were');
		const strokes = added.filter((line) => line.startsWith('paint ')).map((line) => Number(line.split(' ')[2])), edits = added.filter((line) => !line.startsWith('paint '));
		for (const act of made) {
			const times = act.kind === 'stroke' ? strokes.filter((face) => face === act.face).length : edits.filter((line) => line === act.line).length;
			// a stroke whose answer was lost is sent again
			if (act.kind === 'stroke') assert.ok(times >= 1, `a stroke is lost: ${act.face}; ${added.join('; ')}`);
			else assert.ok(times <= 1 && (times === 1 || !act.is_kept), `${times} times, ${act.is_kept ? 'acknowledged' : 'not acknowledged'}: ${act.line}`);
		}
		assert.deepEqual(edits.filter((line) => !made.some((act) => act.line === line)), [], 'edits that nobody made');
		assert.deepEqual(strokes.filter((face) => !made.some((act) => act.face === face)), [], 'strokes that nobody made');
		for (const tab of this.tabs) {
			const order = made.filter((act) => act.tab === tab && act.is_kept).map((act) => edits.indexOf(act.line));
			assert.deepEqual(order, [...order].sort((a, b) => a - b), 'in the order of the tab');
		}
		// bones have other names, or stand elsewhere: poses on screens are others then
		if (edits.length > 0) for (const tab of this.tabs) tab.screens.delete(id);
		model.picture = now;
	}

	/** everything that is known of all sessions, and what both tabs show */
	async check() {
		for (const [id, { picture, poses }] of this.sessions) {
			if (this.removed.has(id)) continue;
			const now = picture_of(await this.ask(id, 'state'));
			assert.ok(same(now, picture), told(`session ${id}`, picture, now));
			assert.deepEqual(((await this.ask(id, 'page')).poses ?? []).map(({ name }) => name).sort(), [...poses].sort(), `poses of ${id}`);
		}
		for (const { page, session, screens, faults } of this.tabs) {
			const seen = await page.evaluate(() => { const { api, library, posing, session: { state } } = window.ossa.app; return { id: api.session, state, poses: library.poses.map(({ name }) => name), pose: posing.pose?.by_name(posing.rig) }; });
			assert.equal(seen.id, session);
			assert.deepEqual(seen.state, await this.ask(session, 'state'), 'the tab shows what the server has');
			const wanted = [...this.sessions.get(session).poses].sort();
			// events come a moment later
			await page.waitForFunction((names) => window.ossa.app.library.poses.map(({ name }) => name).sort().join() === names, wanted.join(), { timeout: 5000 }).catch(() => assert.deepEqual(seen.poses.sort(), wanted, 'poses in the tab'));
			if (screens.has(session)) assert.deepEqual(rounded(seen.pose), rounded(screens.get(session)), 'the pose on the screen');
			assert.deepEqual(faults, []);
		}
	}

	async round() {
		const is_killed = this.random(100) < 100 * KILL_SHARE;
		this.rounds++;
		if (this.random(100) < 100 * HISTORY_SHARE) {
			await this.history(this.pick(this.tabs), is_killed);
			await this.quiet();
		} else await this.work(is_killed);
		await this.check();
	}

	async run() {
		await this.begin();
		const end = Date.now() + 1000 * this.seconds;
		let told_at = Date.now();
		while (Date.now() < end) {
			await this.round();
			if (Date.now() > told_at + 60000) { told_at = Date.now(); this.tell(this.summary()); }
		}
		for (const id of [...this.removed]) {
			await fetch(`${this.studio.address.split('#')[0]}api/sessions`, { method: 'POST', body: JSON.stringify({ restore: id }) });
			this.removed.delete(id);
		}
		await this.check();
		await this.studio.end();
		return this.summary();
	}

	summary = () => `${this.rounds} rounds, ${this.kills} kills, ${Object.entries(this.counts).sort().map(([what, count]) => `${count} ${what}`).join(', ')}; ${this.sessions.size} sessions`;
}

// numbers are written in several ways
const plain = (line) => line.split(' ').map((word) => (Number.isFinite(Number(word)) ? String(Number(Number(word).toPrecision(6))) : word)).join(' ');
const same = (a, b) => Object.keys(b).every((key) => b[key] === null || JSON.stringify(a[key]) === JSON.stringify(b[key]));
const told = (what, wanted, found) => `${what}: wanted ${JSON.stringify(wanted)}\nfound ${JSON.stringify(found)}`;
const rounded = (value) => JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'number' ? Math.round(1e6 * one) / 1e6 : one)));

export async function chaos(browser, { seed = 1, seconds = 20, tell = () => {} } = {}) {
	const one = new Chaos(browser, { seed, seconds, tell });
	try {
		return await one.run();
	} catch (error) {
		error.message = `seed ${seed}, round ${one.rounds}: ${error.message}`;
		throw error;
	} finally {
		await one.up()?.catch(() => {});
		await one.studio?.end();
	}
}

export const tests = {
	'random acts in two tabs and kills lose nothing': async ({ browser, tell }) => {
		tell(await chaos(browser, { seed: Number(process.env.CHAOS_SEED ?? 1), seconds: Number(process.env.CHAOS_SECONDS ?? 20) }));
	},
};

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
	prepare();
	const browser = await start_browser();
	console.log(await chaos(browser, { seed: Number(process.env.CHAOS_SEED ?? 1), seconds: Number(process.env.CHAOS_SECONDS ?? 60), tell: console.log }));
	await browser.close();
}
