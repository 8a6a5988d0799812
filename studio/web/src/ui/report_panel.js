/** The panel Report: how good the rig is, in numbers with their meaning, by bone, and what was warned of with what to do. */
import { make, refill } from '../base/dom.js';
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
		const { state, rig } = this.app.session;
		if (!state.mesh) return refill(this.host, make('p', { class: 'empty inside' }, 'Nothing is open.'));
		const old = state.report && state.report.revision !== undefined && state.report.revision < state.revision && state.edits.done.length > 0;
		return refill(this.host, this.#warnings(state.warnings ?? []), section('Numbers',
			!state.report && make('p', { class: 'empty' }, state.rig ? 'Not measured yet.' : 'There is no rig yet.'), old && make('p', { class: 'empty' }, 'Measured before the last change.'),
			state.report && this.#metrics(state.report),
			state.rig && make('div', { class: 'buttons' }, button('Measure', () => this.app.session.run({ do: 'measure' })), state.report && make('a', { class: 'plain', href: this.app.api.url('report.html'), target: '_blank', rel: 'noopener' }, 'Whole report'))),
		rig && this.#bones(state));
	}

	#warnings(warnings) {
		return section(warnings.length ? `Warnings (${warnings.length})` : 'Warnings', warnings.length === 0 ? make('p', { class: 'empty' }, 'None.') : make('ul', { class: 'warnings' }, warnings.map((one) => make('li', {},
			make('p', {}, one.message), one.advice && one.advice !== 'nothing' && make('p', { class: 'advice' }, `What to do: ${one.advice}.`), make('p', { class: 'code' }, one.count > 1 ? `${one.code}, ${one.count.toLocaleString('en')} ${one.counted ?? ''}` : one.code)))));
	}

	#metrics(report) {
		const fields = this.about?.metrics ?? [], values = report.hierarchy ?? report.metrics ?? {};
		const rows = Object.entries(values).filter(([, value]) => typeof value === 'number').map(([name, value]) => {
			const field = fields.find((one) => one.name === name);
			return make('tr', { title: field?.help }, make('th', { scope: 'row' }, name.replaceAll('_', ' ').replace(' percent', '')), make('td', { class: 'mono' }, number_words(value, 4)), make('td', { class: 'unit' }, short_unit(field?.unit ?? (name.endsWith('percent') ? '%' : ''))));
		});
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
