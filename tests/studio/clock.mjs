// What time a piece of a test took: of processors, its own and others', so that the clock is held where nothing else ran.
import { readFileSync, readdirSync } from 'node:fs';
import { cpus } from 'node:os';

/** milliseconds of processor time that this process' children, and theirs, have used: the browser and its parts, the studio */
function used_time() {
	const parents = new Map(), times = new Map();
	for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
		try {
			const words = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');
			parents.set(Number(pid), Number(words[1]));
			times.set(Number(pid), 10 * (Number(words[11]) + Number(words[12])));
		} catch { /* it has just ended */ }
	}
	const is_ours = (pid) => { for (let at = parents.get(pid); at > 1; at = parents.get(at)) if (at === process.pid) return true; return false; };
	return [...times].filter(([pid]) => is_ours(pid)).reduce((sum, [, time]) => sum + time, 0);
}

/** milliseconds of processor time that anything on this machine has used, and that it was kept from by others that share the hardware */
function machine_time() {
	const [user, nice, system, , , irq, soft, stolen] = readFileSync('/proc/stat', 'utf8').split('\n')[0].split(/ +/).slice(1).map((ticks) => 10 * Number(ticks));
	return user + nice + system + irq + soft + stolen;
}

/** From here to the call of what it gives: {wall, used, others} in milliseconds. */
export function watch() {
	const used = used_time(), machine = machine_time(), began = performance.now();
	return () => {
		const mine = used_time() - used;
		return { wall: performance.now() - began, used: mine, others: Math.max(0, machine_time() - machine - mine) };
	};
}

export const is_quiet = ({ wall, others }) => others < 0.15 * wall * cpus().length;
