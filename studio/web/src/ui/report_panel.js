/**
 * The panel Report: how good the rig is, in numbers with their meaning, by bone, and warnings with
 * what to do.
 */
import { in_quotes, make, refill, with_code } from '../base/dom.js';
import { button, number_words, section } from './fields.js';
import { bar_list } from './plot.js';

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
			!state.report && make('p', { class: 'empty' }, state.rig ? 'Not measured yet.' : 'There is no rig yet.'), old && make('p', { class: 'warn' }, 'Measured before the last change: Measure updates these numbers.'),
			state.report && this.#metrics(state.report),
			state.rig && make('div', { class: 'buttons' }, button('Measure', () => this.app.session.run({ do: 'measure' }), { class: old ? 'first' : '' }), button('Whole report', () => this.#whole(), { title: 'a page with pictures and plots, in a tab of its own' }))),
		rig && this.#bones(state));
	}

	#warnings(warnings) {
		return section(warnings.length ? `Warnings (${warnings.length})` : 'Warnings', warnings.length === 0 ? make('p', { class: 'empty' }, 'None.') : make('ul', { class: 'warnings' }, warnings.map((one) => make('li', {},
			make('p', {}, with_code(one.message)), one.advice && one.advice !== 'nothing' && make('p', { class: 'advice' }, with_code(`What to do: ${one.advice}.`)), make('p', { class: 'code' }, one.count > 1 ? `${one.code}, ${one.count.toLocaleString('en')} ${one.counted ?? ''}` : one.code)))));
	}

	/** made for the current rig, then shown */
	async #whole() {
		const { session, api, notices } = this.app, address = api.url('report.html');
		if (!await session.run({ do: 'report' })) return;
		// a browser lets a tab be opened a few seconds after the click, not later
		if (!window.open(address)) notices.show('good', 'The report is made.', { key: 'report', stays: true, act: { label: 'Open', act: () => window.open(address) } });
	}

	/** a row of the table, from the library's table of metrics; the worst frame is a link */
	#metric(field, value) {
		const { player, look } = this.app;
		const shown = field.name === 'max_frame'
			? button(String(value + field.first), () => { player.stop(); player.go(value); look.set('coloring', 'error'); }, { class: 'link', title: 'show it' })
			: number_words(field.share ? 100 * value : value + field.first, 4);
		return make('tr', { title: in_quotes(field.help), class: field.detail_of ? 'detail' : '' }, make('th', { scope: 'row' }, field.title), make('td', { class: 'mono' }, shown), make('td', { class: 'unit' }, short_unit(field.unit)));
	}

	/** indices below 0 and null: the metric does not apply */
	#metrics(report) {
		const values = report.hierarchy ?? {}, fields = (this.about?.metrics ?? []).filter(({ name }) => typeof values[name] === 'number' && values[name] >= 0);
		return fields.length === 0 ? make('p', { class: 'empty' }, 'A rig without motion has no error.') : make('table', { class: 'numbers' }, make('tbody', {}, fields.map((field) => this.#metric(field, values[field.name]))));
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

const short_unit = (unit) => (unit.startsWith('%') ? '%' : unit === 'times' ? '×' : unit);
