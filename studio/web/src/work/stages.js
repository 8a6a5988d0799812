/**
 * The stages of the contraction as published: made by the server when they are first shown, and
 * which of them is shown. Topic: "stage" (its number).
 * In order: the mesh graph, the graph after each step, the control points, the curve.
 */
import { Signal } from '../base/signal.js';
import { count_words, number_words } from '../ui/fields.js';
import { read_stages } from '../rig/stages.js';

export class Stages extends Signal {
	#key = null;
	#asked = null; // a promise of the stages of #key

	constructor(session) {
		super();
		this.session = session;
		this.made = null;
		this.at = 0;
	}

	/**
	 * the stages of what is open; null where they could not be made, and the session has said why
	 */
	get() {
		const { session } = this, key = `${session.api.session} ${session.surface_key}`;
		if (this.#key === key) return this.#asked;
		this.#key = key;
		this.made = null;
		this.#asked = this.#make(key);
		return this.#asked;
	}

	async #make(key) {
		let made = null;
		try {
			if (await this.session.run({ do: 'stages' })) made = read_stages((await this.session.api.bytes('stages')).bytes);
		} finally {
			if (this.#key === key) {
				this.made = made;
				if (!made) this.#key = null; // to be tried again
			}
		}
		if (this.made === made) this.show(0);
		return made;
	}

	/** how many there are */
	get count() { return this.made ? this.made.steps + 3 : 0; }

	/** which part of them is shown: 'graph', 'step', 'points' or 'curve' */
	get kind() {
		if (this.at === 0) return 'graph';
		if (!this.made || this.at <= this.made.steps) return 'step';
		return this.at === this.made.steps + 1 ? 'points' : 'curve';
	}

	get words() {
		const { made, at } = this;
		if (!made) return '';
		if (this.kind === 'graph') return `mesh graph: ${count_words(made.vertices)} vertices, ${made.joins.length / 2} edges that join, ${made.splits.length / 2} removed`;
		if (this.kind === 'step') return `after step ${at} of ${made.steps}: ${number_words(100 * Math.abs(made.volumes[at]))} % of the volume, W_L ${number_words(made.pulls[at])}`;
		if (this.kind === 'points') return `${made.points.length / 3} control points, and their regions`;
		return `curve: ${made.curve.length / 2} edges, ${made.cuts.length / 2} cut; points at the centers of their regions`;
	}

	show(at) {
		this.at = Math.max(0, Math.min(this.count - 1, at));
		this.emit('stage', this.at);
	}
}
