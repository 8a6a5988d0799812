// Starts ossa's studio and a browser, makes samples to open, and gives tests what they need: pages whose errors are noted.
import { spawn, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const root = resolve(import.meta.dirname, '../..');
export const ossa = process.env.OSSA ?? join(root, 'build/ossa');
export const work = process.env.OSSA_STUDIO_WORK ?? join(root, 'build/studio-test');
let count = 0;
const SIZE = { width: 1366, height: 768 };

/** Runs the command; gives what it prints. */
export const run = (...words) => execFileSync(ossa, words.map(String), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

export function prepare() {
	rmSync(work, { recursive: true, force: true });
	mkdirSync(work, { recursive: true });
}

/** The files of a sample: rest first. Made once. */
export function sample(kind, faces, frames) {
	const folder = join(work, `${kind}-${faces}-${frames}`);
	if (!existsSync(folder)) run('sample', kind, '--faces', faces, '--frames', frames, '-o', folder, '--quiet');
	const number = (name) => Number(name.match(/\d+/)?.[0] ?? -1);
	return readdirSync(folder).filter((name) => name.endsWith('.obj')).sort((a, b) => number(a) - number(b)).map((name) => join(folder, name));
}

/** A rig of a sample, as a file. */
export function rig_of(kind, faces, frames, ...options) {
	const path = join(work, `${kind}-${faces}-${frames}.glb`);
	if (!existsSync(path)) run('rig', ...sample(kind, faces, frames), '-o', path, '--quiet', ...options);
	return path;
}

/** The same rig with its one animation under several names, as a file. */
export function with_clips(path, names) {
	const data = readFileSync(path), size = data.readUInt32LE(12), document = JSON.parse(data.subarray(20, 20 + size).toString());
	document.animations = names.map((name) => ({ ...document.animations[0], name }));
	const text = Buffer.from(JSON.stringify(document)), head = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]), rest = data.subarray(20 + size), begin = Buffer.from(data.subarray(0, 20));
	begin.writeUInt32LE(20 + head.length + rest.length, 8);
	begin.writeUInt32LE(head.length, 12);
	const out = path.replace(/\.glb$/, `-${names.join('-')}.glb`);
	writeFileSync(out, Buffer.concat([begin, head, rest]));
	return out;
}

/** ossa studio, listening; {address, pid, end(), kill()}. file_kb: no file can grow larger, as on a full disk */
export async function start_studio(files = [], { folder = join(work, `sessions-${count++}`), port = 0, words = [], file_kb = 'unlimited' } = {}) {
	const command = [ossa, 'studio', ...files, '--no-browser', '--folder', folder, '--port', String(port), ...words];
	const child = spawn('bash', ['-c', 'ulimit -f "$0"; exec "$@"', String(file_kb), ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
	let text = '';
	const address = await new Promise((done, failed) => {
		const look = (data) => {
			text += data;
			const found = text.match(/http:\/\/\S+/);
			if (found) done(found[0]);
		};
		child.stdout.on('data', look);
		child.stderr.on('data', look);
		child.on('exit', (code) => failed(new Error(`ossa studio ended with ${code}: ${text}`)));
	});
	const ended = new Promise((done) => child.on('exit', done));
	return {
		address, port: Number(new URL(address).port), pid: child.pid,
		end: () => { child.kill('SIGINT'); return ended; },
		kill: () => { child.kill('SIGKILL'); return ended; },
		pause: () => child.kill('SIGSTOP'), resume: () => child.kill('SIGCONT'),
	};
}

export async function start_browser() {
	const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
	return chromium.launch({ executablePath, headless: true, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
}

/** A page whose errors are kept in `faults`; those that a test expects it takes out itself. */
export async function open_page(browser, address, { scheme = 'light', size = SIZE } = {}) {
	const context = await browser.newContext({ viewport: size, colorScheme: scheme, acceptDownloads: true });
	const page = await context.newPage();
	page.faults = [];
	page.on('pageerror', (error) => page.faults.push(error.stack ?? String(error)));
	page.on('console', (message) => ['error', 'warning'].includes(message.type()) && !/GPU stall|GL Driver|swiftshader/i.test(message.text()) && page.faults.push(message.text()));
	await page.goto(address);
	await page.waitForFunction(() => window.ossa !== undefined);
	return page;
}

export const ready = (page, wanted = 'mesh') => page.waitForFunction((what) => {
	const { session, viewport, display } = window.ossa.app;
	return !session.busy && display.view && viewport.drawn > 0 && (what === 'mesh' || session.rig?.bone_count > 0);
}, wanted, { timeout: 180000 });

/** Waits until nothing goes on. */
export const idle = (page) => page.waitForFunction(() => !window.ossa.app.session.busy, null, { timeout: 180000 });

/** Lets files fall onto the page. */
export async function drop(page, paths) {
	await page.setInputFiles('input[type=file]', paths);
}
