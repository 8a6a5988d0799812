/**
 * Plots as SVG: values over frames as columns, with the current one marked. Clicking, dragging and
 * arrows seek.
 */
import { draw, make } from '../base/dom.js';

export class FramePlot {
	/** go(frame) */
	constructor(go) {
		this.go = go;
		this.count = 0;
		this.bars = draw('path', { class: 'bars' });
		this.peaks = draw('path', { class: 'peaks' });
		this.ticks = draw('g', { class: 'ticks' });
		this.now = draw('line', { class: 'now', y1: '0', y2: '100' });
		this.svg = draw('svg', { viewBox: '0 0 1000 100', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, this.peaks, this.bars, this.now);
		this.most = make('span', { class: 'most' });
		this.element = make('div', { class: 'plot', role: 'slider', tabindex: '0', 'aria-label': 'Frame', 'aria-valuemin': '1' }, this.svg, this.most);
		const at = (event) => {
			const box = this.svg.getBoundingClientRect();
			this.go(Math.max(0, Math.min(this.count - 1, Math.round(((event.clientX - box.left) / box.width) * this.count - 0.5))));
		};
		this.element.addEventListener('pointerdown', (event) => { this.element.setPointerCapture(event.pointerId); at(event); });
		this.element.addEventListener('pointermove', (event) => event.buttons === 1 && at(event));
		this.element.addEventListener('keydown', (event) => this.#key(event));
		this.frame = 0;
	}

	#key(event) {
		const direction = { ArrowRight: 1, ArrowLeft: -1, PageUp: 10, PageDown: -10, Home: -this.count, End: this.count }[event.key];
		if (!direction) return;
		event.preventDefault();
		event.stopPropagation();
		this.go(Math.max(0, Math.min(this.count - 1, Math.round(this.frame) + direction)));
	}

	/**
	 * values: RMS of the frames, as columns; peaks: their largest, as a line on a scale of its own;
	 * both may be empty
	 */
	set_values(count, values, peaks, unit) {
		this.count = count;
		this.element.setAttribute('aria-valuemax', String(count));
		const top = (list) => Math.max(1e-12, ...list.filter(Number.isFinite)), most = top(values), worst = top(peaks), round = (x) => Number(x.toPrecision(2));
		this.bars.setAttribute('d', values.map((value, i) => (Number.isFinite(value) ? `M${(1000 * (i + 0.06)) / count} 100v${(-70 * value) / most}h${880 / count}V100z` : '')).join(''));
		this.peaks.setAttribute('d', peaks.map((value, i) => `${i === 0 ? 'M' : 'L'}${(1000 * (i + 0.5)) / count} ${100 - (70 * (Number.isFinite(value) ? value : 0)) / worst}`).join(''));
		this.most.textContent = values.length ? `columns: RMS, up to ${round(most)} ${unit}${peaks.length ? `  ·  line: worst vertex, up to ${round(worst)} ${unit}` : ''}` : 'no error to show: nothing to compare with';
	}

	set_frame(frame) {
		this.frame = frame;
		const x = String((1000 * (frame + 0.5)) / Math.max(1, this.count));
		this.now.setAttribute('x1', x);
		this.now.setAttribute('x2', x);
		this.element.setAttribute('aria-valuenow', String(Math.round(frame) + 1));
		this.element.setAttribute('aria-valuetext', `frame ${Math.round(frame) + 1} of ${this.count}`);
	}
}

/** Bars beside names: [name, value]; go(name) when one is clicked. */
export function bar_list(rows, unit, go, title) {
	const top = Math.max(1e-12, ...rows.map(([, value]) => value));
	return make('ul', { class: 'bars', 'aria-label': title }, rows.map(([name, value]) => make('li', {}, make('button', { type: 'button', class: 'line', onclick: () => go(name) }, make('span', { class: 'word' }, name),
		draw('svg', { viewBox: '0 0 100 8', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, draw('rect', { width: Math.max(0.5, (100 * value) / top), height: 8 })), make('span', { class: 'mono' }, `${Number(value.toPrecision(2))} ${unit}`)))));
}
