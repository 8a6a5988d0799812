/**
 * Display settings: stored by the browser between visits. Topics: "look" (the name that changed).
 */
import { Signal } from '../base/signal.js';

const STORE = 'ossa-studio-look';
const FIRST = {
	coloring: 'materials', dual: false, wire: false, xray: false, bones: true, in_front: true, axes: false, ranges: true, flat: false,
	grid: true, beside: 'none', overlay: false, solve_at_once: true, speed: 1, loop: true, theme: 'system', keep_limits: true, chain: 3, panel: 'bone', size: 0.05,
};

export class Look extends Signal {
	constructor() {
		super();
		this.values = { ...FIRST };
		try {
			const kept = JSON.parse(localStorage.getItem(STORE) ?? '{}');
			for (const name of Object.keys(FIRST)) if (typeof kept[name] === typeof FIRST[name]) this.values[name] = kept[name];
		} catch { /* a browser without storage */ }
		// what another session showed beside the rig may not exist in this one
		Object.assign(this.values, { beside: 'none', overlay: false });
		if (this.values.coloring === 'error') this.values.coloring = 'materials';
	}

	get(name) { return this.values[name]; }

	set(name, value) {
		if (this.values[name] === value) return;
		this.values[name] = value;
		try { localStorage.setItem(STORE, JSON.stringify(this.values)); } catch { /* as above */ }
		this.emit('look', name);
	}

	toggle(name) { this.set(name, !this.values[name]); }
}
