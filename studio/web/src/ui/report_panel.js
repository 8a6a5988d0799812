/** The panel Report: how good the rig is, in numbers with their meaning, by bone, and what was warned of with what to do. */
import { make, refill } from '../base/dom.js';
import { button, number_words, section } from './fields.js';
import { bar_list } from './plot.js';

// names of metrics in words; what is not here keeps its own
const WORDS = {
	rms_percent: 'RMS error', max_percent: 'Largest error', max_vertex: 'at vertex', max_frame: 'in frame', normal_rms: 'Shading, RMS', accu_percent: 'Mean error (ACCU)',
	weight_sum_error: 'Weights off 1', max_influences: 'Bones on a vertex', disconnected_supports: 'Scattered weights', joints_inside: 'Joints inside', compression: 'Smaller than its frames',
};

export class ReportPanel {
	constructor(app, host) {
		this.app = app;
		this.host = host;
		app.session.on('state', () => this.fill());
		app.about.then((about) => { this.about = about; this.fill(); });
		this.fill();
	}

	fill() {
		if (this.host.hidden) return undefined;
		const { state, rig } = this.app.session;
		if (!state.mesh) return refill(this.host, make('p', { class: 'empty inside' }, 'Nothing is open.'));
		const old = state.report && state.report.revision !== undefined && state.report.revision < state.revision && state.edits.done.length > 0;
		return refill(this.host, this.#warnings(state.warnings ?? []), section('Numbers',
			!state.report && make('p', { class: 'empty' }, state.rig ? 'Not measured yet.' : 'There is no rig yet.'), old && make('p', { class: 'warn' }, 'Measured before the last change: these numbers are of the rig as it was. Measure tells them anew.'),
			state.report && this.#metrics(state.report),
			state.rig && make('div', { class: 'buttons' }, button('Measure', () => this.app.session.run({ do: 'measure' }), { class: old ? 'first' : '' }), button('Whole report', () => this.#whole(), { title: 'a page with pictures and plots, in a tab of its own' }))),
		rig && this.#bones(state));
	}

	#warnings(warnings) {
		return section(warnings.length ? `Warnings (${warnings.length})` : 'Warnings', warnings.length === 0 ? make('p', { class: 'empty' }, 'None.') : make('ul', { class: 'warnings' }, warnings.map((one) => make('li', {},
			make('p', {}, one.message), one.advice && one.advice !== 'nothing' && make('p', { class: 'advice' }, `What to do: ${one.advice}.`), make('p', { class: 'code' }, one.count > 1 ? `${one.code}, ${one.count.toLocaleString('en')} ${one.counted ?? ''}` : one.code)))));
	}

	/** made for the rig as it is now, then shown */
	async #whole() {
		const { session, api, notices } = this.app, address = api.url('report.html');
		if (!await session.run({ do: 'report' })) return;
		// a browser lets a tab be opened a few seconds after the click, not later
		if (!window.open(address)) notices.show('good', 'The report is made.', { key: 'report', stays: true, act: { label: 'Open', act: () => window.open(address) } });
	}

	/** a row of the table; the worst frame leads there */
	#metric(name, value) {
		const field = (this.about?.metrics ?? []).find((one) => one.name === name), unit = field?.unit ?? (name.endsWith('percent') ? '%' : '');
		const { player, look } = this.app, words = WORDS[name] ?? name.replaceAll('_', ' ').replace(' percent', '');
		const shown = {
			// counted as the timeline does
			max_frame: () => [button(String(value + 1), () => { player.stop(); player.go(value); look.set('coloring', 'error'); }, { class: 'link', title: 'show it' }), ''],
			max_vertex: () => [String(value), ''],
			joints_inside: () => [number_words(100 * value), '%'],
			compression: () => [number_words(value), '×'],
		}[name]?.() ?? [number_words(value, 4), short_unit(unit)];
		return make('tr', { title: field?.help }, make('th', { scope: 'row' }, words), make('td', { class: 'mono' }, shown[0]), make('td', { class: 'unit' }, shown[1]));
	}

	#metrics(report) {
		const values = report.hierarchy ?? report.metrics ?? {};
		const rows = Object.entries(values).filter(([name, value]) => typeof value === 'number' && !(name.startsWith('max_') && value < 0)).map(([name, value]) => this.#metric(name, value));
		return rows.length === 0 ? make('p', { class: 'empty' }, 'A rig without motion has no error.') : make('table', { class: 'numbers' }, make('tbody', {}, rows));
	}

	#bones(state) {
		const rows = (state.rig?.bones ?? []).filter(({ error }) => Number.isFinite(error)).map(({ name, error }) => [name, error]).sort((a, b) => b[1] - a[1]);
		if (rows.length === 0) return null;
		const { selection, session, look, display } = this.app;
		return section('Error by bone', bar_list(rows, '%', (name) => {
			selection.set([session.rig.index.get(name)]);
			look.set('coloring', 'error');
			display.frame_chosen();
		}, 'Error by bone'));
	}
}

const short_unit = (unit) => (unit.startsWith('%') ? '%' : unit.startsWith('from') ? '' : unit);
