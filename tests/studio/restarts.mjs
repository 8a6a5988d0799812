// The port of a studio that ended is taken by another program, again and again: it hears the page's question, and never a token or the
// key, whatever it answers. The page's own code asks (studio/web/src/base/proof.js), and in some runs the page itself, in the browser.
// RESTARTS: how often (40); a thousand take about three minutes.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { find_token } from '../../studio/web/src/base/proof.js';
import { open_page, ready, rig_of, start_studio, work } from './studio.mjs';

const COUNT = Number(process.env.RESTARTS ?? 40), BY_PAGE = 3, PROOF_HOLDS = 50; // milliseconds, as docs/studio-api.md says

const answer_of = (text) => `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`;
const hello = async (port, nonce) => (await fetch(`http://127.0.0.1:${port}/hello/${nonce}`)).text();

/** What the listener answers to a question, by what it knows; null: nothing at all. */
const DISGUISES = {
	silent: () => null,
	'no json': () => 'hello',
	invented: () => JSON.stringify({ run: '0'.repeat(32), proof: '0'.repeat(64) }),
	'what the studio said before': ({ said }) => said,
	'what another studio says': async ({ nonce, stranger }) => hello(stranger, nonce),
	'what the studio says, on another port': async ({ nonce, moved }) => hello(moved, nonce),
	'the same to another question': async ({ stranger }) => hello(stranger, '0'.repeat(32)),
};

/** A program on the port; heard: all that it was sent. */
async function listen(port, disguise) {
	const heard = [], server = createServer((wire) => {
		wire.on('error', () => {}).on('data', async (data) => {
			heard.push(data.toString());
			const [, nonce = ''] = data.toString().match(/^GET \/hello\/(\w+)/) ?? [], text = await disguise({ nonce });
			if (text === null) wire.destroy();
			else wire.end(answer_of(text));
		});
	});
	await new Promise((done, failed) => { server.once('error', failed).listen(port, '127.0.0.1', done); });
	return { heard, end: () => new Promise((done) => { server.close(done); }) };
}

const token_of = ({ address }) => new URL(address).pathname.split('/')[1];
const key_of = async ({ address }) => (await (await fetch(`${address.split('#')[0]}api/key`)).json()).key;

/** only questions, and in none of them a secret */
function check_heard(heard, secrets) {
	assert.ok(heard.length > 0, 'it is asked who it is');
	for (const text of heard) {
		assert.match(text, /^GET \/hello\/[0-9a-f]{32} /);
		for (const secret of secrets) assert.ok(!text.includes(secret), `a secret: ${text}`);
	}
}

export const tests = {
	'who takes the old port gets no token, whatever it answers': async ({ after, tell }) => {
		const folder = join(work, `sessions-restarts-${process.pid}`), stranger = await start_studio([]), secrets = new Set([token_of(stranger), await key_of(stranger)]), names = Object.keys(DISGUISES);
		after(stranger.end);
		let studio = await start_studio([], { folder }), refused = 0;
		const { port } = studio, key = await key_of(studio), there = { origin: `http://127.0.0.1:${port}`, port: String(port) };
		secrets.add(key);
		for (let i = 0; i < COUNT; i++) {
			const name = names[i % names.length], token = token_of(studio);
			assert.ok(!secrets.has(token), 'a token is used twice');
			secrets.add(token);
			assert.equal(await find_token(key, there), token, 'the page finds the studio itself');
			const said = await hello(port, '0123456789abcdef'.repeat(2));
			await studio.kill();
			const facts = { said, stranger: stranger.port, moved: 0 }, listener = await listen(port, (more) => DISGUISES[name]({ ...facts, ...more }));
			// the studio begins on another port, as this one is taken
			const moved = name.endsWith('another port') ? await start_studio([], { folder }) : null;
			if (moved) facts.moved = moved.port;
			if (moved) secrets.add(token_of(moved));
			assert.equal(await find_token(key, there).catch(() => null), null, name);
			refused++;
			check_heard(listener.heard, secrets);
			await listener.end();
			await moved?.end();
			studio = await start_studio([], { folder, port });
			assert.equal(studio.port, port);
		}
		await studio.end();
		tell(`${refused} programs in ${names.length} disguises, ${secrets.size - 3} tokens`);
	},

	'the page itself tells nobody its token': async (kit) => {
		const folder = join(work, `sessions-listened-${process.pid}`), secrets = new Set();
		let studio = await start_studio([rig_of('biped', 3000, 8)], { folder });
		const page = await open_page(kit.browser, studio.address), { port } = studio;
		await ready(page, 'rig');
		for (let i = 0; i < BY_PAGE; i++) {
			await page.waitForFunction(() => window.ossa.app.api.key && window.ossa.app.api.events?.readyState === 1);
			for (const secret of await page.evaluate(() => [window.ossa.app.api.key, window.ossa.app.api.base.split('/')[3]])) secrets.add(secret);
			const said = await hello(port, '0123456789abcdef'.repeat(2));
			const address = studio.address.split('#')[0];
			await studio.kill();
			// what is sent sooner may be heard, with a token that is worth nothing any more
			await page.waitForFunction((span) => performance.now() - window.ossa.app.api.proved > span, PROOF_HOLDS);
			const listener = await listen(port, (more) => DISGUISES[['invented', 'what the studio said before', 'silent'][i % 3]]({ ...more, said }));
			// work goes on meanwhile, and waits
			await page.evaluate((n) => { window.ossa.app.session.edit('solve'); window.ossa.app.library.add({ name: `x${n}`, turns: {}, moved: [0, 0, 0] }); }, i);
			for (let waited = 0; listener.heard.length < 2 && waited < 100; waited++) await page.waitForTimeout(100);
			await listener.end();
			check_heard(listener.heard, secrets);
			studio = await start_studio([], { folder, port });
			assert.equal((await fetch(`${address}api/sessions`)).status, 403, 'the token of a studio that ended opens nothing');
			await page.waitForFunction(() => window.ossa.app.api.is_there && window.ossa.app.api.events?.readyState === 1 && !window.ossa.app.library.is_unsent, null, { timeout: 20000 });
			assert.ok(!secrets.has(new URL(page.url()).pathname.split('/')[1]), 'a new token');
		}
		kit.after(studio.end);
		assert.equal(secrets.size, BY_PAGE + 1);
		assert.equal(await page.evaluate(async () => (await window.ossa.app.api.get('page')).poses.length), BY_PAGE, 'what waited is there');
		// a page that is loaded again finds it too
		await page.reload();
		await page.waitForFunction(() => window.ossa !== undefined);
		await ready(page, 'rig');
	},
};
