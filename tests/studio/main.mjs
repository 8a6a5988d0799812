// Runs the tests that are named, or all, one after the other; each has a browser's page and, unless it asks for its own, a studio of its own.
// With --clock, for a machine that does nothing else, waiting times are held to what they are to be, not only told.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, start_browser, work } from './studio.mjs';

const words = process.argv.slice(2).filter((word) => !word.startsWith('--')), with_pictures = process.argv.includes('--pictures'), holds_clock = process.argv.includes('--clock');
const files = ['first.mjs', 'pose.mjs', 'edit.mjs', 'rig.mjs', 'body.mjs', 'keyboard.mjs', 'people.mjs', 'walk.mjs', 'motion.mjs', 'looks.mjs', 'keeping.mjs', 'restarts.mjs', 'chaos.mjs', 'trouble.mjs', 'speed.mjs', ...(with_pictures ? ['pictures.mjs'] : [])];

prepare();
const browser = await start_browser(), results = [];
for (const file of files) {
	const { tests } = await import(`./${file}`);
	for (const [name, test] of Object.entries(tests)) {
		if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
		const began = Date.now(), ends = [], told = [];
		const kit = { browser, holds_clock, after: (end) => ends.unshift(end), tell: (text) => told.push(text) };
		let failed = null;
		try {
			await test(kit);
		} catch (error) {
			failed = error;
			mkdirSync(join(work, 'failed'), { recursive: true });
			for (const context of browser.contexts()) {
				for (const page of context.pages()) await page.screenshot({ path: join(work, 'failed', `${name.replaceAll(' ', '-')}.png`) }).catch(() => {});
			}
		}
		for (const end of ends) await end().catch?.(() => {});
		for (const context of browser.contexts()) await context.close();
		results.push({ name, failed });
		console.log(`${failed ? 'FAILED' : 'passed'}  ${name}  (${((Date.now() - began) / 1000).toFixed(1)} s)${told.map((text) => `\n        ${text}`).join('')}${failed ? `\n${failed.stack}` : ''}`);
	}
}
await browser.close();
const bad = results.filter(({ failed }) => failed);
writeFileSync(join(work, 'results.json'), JSON.stringify(results.map(({ name, failed }) => ({ name, failed: failed && String(failed) })), null, '\t'));
console.log(bad.length === 0 && results.length > 0 ? `studio: all ${results.length} passed` : `studio: ${bad.length} of ${results.length} FAILED: ${bad.map(({ name }) => name).join(', ')}`);
process.exit(bad.length === 0 && results.length > 0 ? 0 : 1);
