/**
 * Poses that are saved in the session, by the server as one document of the page. A change is made
 * to the document that is there then, so that two tabs lose nothing of one another, and is sent
 * when the studio is there again. Topics: "poses".
 */
import { Gone } from '../base/api.js';
import { Signal } from '../base/signal.js';

const id_of = (pose) => pose.id ?? pose.name;
const is_pose = (pose) => typeof pose?.name === 'string' && typeof pose.turns === 'object';
const new_id = () => Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export class Library extends Signal {
	#line = Promise.resolve(); // changes are sent one after the other
	#waiting = 0;
	#is_late = false; // what is shown is not the last document
	#loading = null;

	constructor({ api, session, notices, posing }) {
		super();
		Object.assign(this, { api, notices, posing });
		this.poses = [];
		this.session = null;
		session.on('state', () => { if (this.session !== api.session) this.#load(); });
		api.on('page', () => this.#load());
		posing.on('renamed', (names) => this.#follow(names));
	}

	/** {poses, mark}: the document, and a number that is another one after every change */
	async #fetch(session) {
		const response = await this.api.ask(`api/sessions/${encodeURIComponent(session)}/page`), { poses } = await response.json();
		return { poses: Array.isArray(poses) ? poses.filter(is_pose) : [], mark: response.headers.get('X-Ossa-Revision') ?? '0' };
	}

	/** One after the other: the last answer is of the last document. */
	#load() {
		this.#is_late = true;
		this.#loading ??= this.#load_all().finally(() => {
			this.#loading = null;
			if (this.#is_late && this.#waiting === 0) this.#load();
		});
	}

	async #load_all() {
		while (this.#is_late && this.#waiting === 0) {
			this.#is_late = false;
			await this.#load_one();
		}
	}

	/** of the session that is shown; asked for again when the link is back */
	async #load_one() {
		const { session } = this.api;
		if (this.session !== session) this.poses = [];
		this.session = session;
		try {
			const { poses } = await this.#fetch(session);
			if (session !== this.api.session || this.#waiting > 0) this.#is_late = true;
			else this.poses = poses;
		} catch { /* those that are shown stay */ }
		this.emit('poses');
	}

	/** whether a change is not yet the studio's */
	get is_unsent() { return this.#waiting > 0; }

	/** act: poses -> poses; shown at once */
	#change(act) {
		const { session } = this;
		this.poses = act(this.poses);
		this.emit('poses');
		this.#waiting++;
		this.#line = this.#line.then(() => this.#send(act, session)).finally(() => { if (--this.#waiting === 0 && this.#is_late) this.#load(); });
		return this.#line;
	}

	/** into the session in which it was made, also where another one is shown by now */
	async #send(act, session) {
		for (;;) {
			try {
				const { poses, mark } = await this.#fetch(session), changed = act(poses);
				await this.api.put(`page?was=${mark}`, JSON.stringify({ poses: changed }), session);
				if (this.#waiting === 1 && this.api.session === session) this.poses = changed;
				this.emit('poses');
				return;
			} catch (error) {
				if (error instanceof Gone) await this.#until_back();
				else if (error.status !== 409) {
					this.notices.show('bad', `The poses could not be kept: ${error.message}`, { key: 'poses' });
					return;
				}
			}
		}
	}

	#until_back() {
		return new Promise((done) => {
			const end = this.api.on('link', (is_there) => { if (is_there) { end(); done(); } });
			if (this.api.is_there) { end(); setTimeout(done, 500); }
		});
	}

	/** a name that no pose has */
	get free_name() {
		const names = new Set(this.poses.map(({ name }) => name));
		let number = this.poses.length + 1;
		while (names.has(`pose ${number}`)) number++;
		return `pose ${number}`;
	}

	#put = (pose, at = Infinity) => this.#change((poses) => [...poses.filter((one) => id_of(one) !== id_of(pose)).slice(0, at), pose, ...poses.filter((one) => id_of(one) !== id_of(pose)).slice(at)]);

	#take = (id) => this.#change((poses) => poses.filter((one) => id_of(one) !== id));

	/** A pose is kept; ctrl Z takes it out again. */
	add(pose) {
		const kept = { ...pose, id: new_id() };
		this.posing.note(() => this.#take(kept.id), () => this.#put(kept));
		return this.#put(kept);
	}

	rename(index, name) {
		const id = id_of(this.poses[index]), before = this.poses[index].name, to = (word) => () => this.#change((poses) => poses.map((pose) => (id_of(pose) === id ? { ...pose, name: word } : pose)));
		this.posing.note(to(before), to(name));
		return to(name)();
	}

	remove(index) {
		const pose = this.poses[index];
		this.posing.note(() => this.#put(pose, index), () => this.#take(id_of(pose)));
		return this.#take(id_of(pose));
	}

	/** bones have other names: a Map of old to new */
	#follow(names) {
		if (!this.poses.some(({ turns }) => [...names.keys()].some((name) => turns[name]))) return;
		const follow = (turns) => Object.fromEntries(Object.entries(turns).map(([name, turn]) => [names.get(name) ?? name, turn]));
		this.#change((poses) => poses.map((pose) => ({ ...pose, turns: follow(pose.turns) })));
	}
}
