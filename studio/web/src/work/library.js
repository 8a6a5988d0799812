/**
 * Poses that are saved in the session, by the server as one document of the page. Topics: "poses".
 */
import { Signal } from '../base/signal.js';

export class Library extends Signal {
	constructor({ api, session, notices }) {
		super();
		Object.assign(this, { api, notices });
		this.poses = [];
		this.session = null;
		session.on('state', () => { if (this.session !== api.session) this.#load(); });
	}

	async #load() {
		this.session = this.api.session;
		try {
			const { poses } = await this.api.get('page');
			this.poses = Array.isArray(poses) ? poses.filter((pose) => typeof pose?.name === 'string' && typeof pose.turns === 'object') : [];
		} catch {
			this.poses = [];
		}
		this.emit('poses');
	}

	async #save() {
		this.emit('poses');
		try {
			await this.api.put('page', JSON.stringify({ poses: this.poses }));
		} catch (error) {
			this.notices.show('bad', `The poses could not be kept: ${error.message}`, { key: 'poses' });
		}
	}

	add(pose) { this.poses = [...this.poses.filter(({ name }) => name !== pose.name), pose]; return this.#save(); }

	rename(index, name) { this.poses = this.poses.map((pose, i) => (i === index ? { ...pose, name } : pose)); return this.#save(); }

	remove(index) { this.poses = this.poses.filter((_, i) => i !== index); return this.#save(); }
}
