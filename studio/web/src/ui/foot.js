/** The status line: the running job with its progress, hints, numbers of the rig. */
import { make } from '../base/dom.js';
import { button, count_words } from './fields.js';

export class Foot {
	constructor(app, host) {
		this.app = app;
		this.hints = make('span', { class: 'hint' });
		this.bar = make('progress', { max: '1', 'aria-label': 'Progress' });
		this.stage = make('span', { class: 'stage-name' });
		this.job = make('span', { class: 'job', hidden: true }, this.stage, this.bar, button('Cancel', () => app.acts.cancel(), { class: 'small', title: 'Esc' }));
		this.facts = make('span', { class: 'facts' });
		host.append(this.hints, make('span', { class: 'gap' }), this.job, this.facts);
		app.session.on('busy', (job) => this.#show_job(job));
		for (const topic of ['rig', 'clip']) app.session.on(topic, () => this.#show_facts());
		this.#show_facts();
		this.#show_job(app.session.busy);
		this.hint(null);
	}

	hint(text) {
		this.hints.textContent = text ?? this.app.mode.hint;
	}

	#show_job(job) {
		this.job.hidden = !job;
		if (!job) return;
		this.stage.textContent = `${job.do}${job.stage ? `: ${job.stage}` : ''}`;
		if (job.fraction > 0) this.bar.value = job.fraction;
		else this.bar.removeAttribute('value');
	}

	#show_facts() {
		const { rig } = this.app.session;
		this.facts.textContent = rig ? [`${count_words(rig.surface.own)} vertices`, rig.bone_count && `${rig.bone_count} bones`, rig.weights && `${rig.weights.influences} influences`,
			rig.clip && `${rig.clip.times.length} frames`].filter(Boolean).join('  ·  ') : '';
	}
}
