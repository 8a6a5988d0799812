/**
 * The server's interface (docs/studio-api.md): requests of one session, jobs that are awaited,
 * events. If the server does not answer, the topic "link" says so and requests are retried until it
 * does, as far as they are idempotent; nothing is sent until the studio has proved itself. Topics:
 * "link", "removed" (of the session that is shown), and the events.
 */
import { find_token } from './proof.js';
import { Signal } from './signal.js';

const RETRY = [250, 800, 1500, 3000], PATIENCE = 1200; // milliseconds

// A studio that ends closes the stream of events, which the page hears of some milliseconds later.
// What it sends meanwhile could reach another program, so a proof is good for no longer than this.
const PROOF_HOLDS = 50; // milliseconds

/** A refusal of the server, with its message. */
export class Refused extends Error {
	constructor(status, code, message) {
		super(message);
		this.status = status;
		this.code = code;
	}
}

/** The server did not answer. */
export class Gone extends Error {}

export class Api extends Signal {
	/**
	 * base: the page's own address with the token, ending in a slash; early: requests that were
	 * sent already
	 */
	constructor(base, early = new Map()) {
		super();
		this.base = base;
		this.early = early;
		this.session = null;
		this.is_there = true;
		this.key = null; // by which the studio proves itself
		this.proved = -Infinity; // when it did
		this.proving = null; // the question under way
		this.jobs = new Map(); // that are waited for
		this.ended = new Map(); // those known to have ended, the last ones
		this.sending = null;
		this.events = null;
	}

	/** One request; returns the response of a status below 400. */
	async ask(path, options = {}) {
		let response = await this.#fetch(path, options);
		// a studio that was started again before the page saw that it was away did nothing of it
		if (response.status === 403) response = await this.#fetch(path, options);
		if (response.ok) return response;
		let fault = {};
		try { fault = (await response.json()).error ?? {}; } catch { /* not in words */ }
		throw new Refused(response.status, fault.code ?? 'unknown', fault.message ?? `The studio answered ${response.status}.`);
	}

	async #fetch(path, options) {
		await this.#wait_for_proof();
		const { base } = this;
		try {
			const response = await (this.#taken(path, options) ?? fetch(base + path, { cache: 'no-store', ...options }));
			if (response.status === 403 && base === this.base) this.#lost();
			return response;
		} catch (error) {
			if (error.name === 'AbortError') throw error;
			this.#lost();
			throw new Gone('The studio does not answer.');
		}
	}

	/** a restart may take a moment; without the studio nothing is sent */
	async #wait_for_link() {
		if (this.is_there) return;
		await new Promise((done) => {
			const end = this.on('link', done);
			setTimeout(() => { end(); done(); }, PATIENCE);
		});
		if (!this.is_there) throw new Gone('The studio does not answer.');
	}

	/** The link, and a studio that has just proved itself; requests at one time share a proof. */
	async #wait_for_proof() {
		await this.#wait_for_link();
		if (!this.key || performance.now() - this.proved < PROOF_HOLDS) return;
		this.proving ??= this.#prove().finally(() => { this.proving = null; });
		if (await this.proving) return;
		this.#lost();
		throw new Gone('The studio does not answer.');
	}

	/** false where another program answers, or none */
	async #prove() {
		const token = await find_token(this.key).catch(() => null);
		if (!token) return false;
		this.proved = performance.now();
		this.#move_to(token);
		return true;
	}

	/** the answer to what was asked before, once, or undefined */
	#taken(path, { method = 'GET' }) {
		const answer = method === 'GET' ? this.early.get(path) : undefined;
		this.early.delete(path);
		return answer;
	}

	json = async (path) => (await this.ask(path)).json();

	/** retried until there is an answer */
	async lasting(path) {
		for (;;) {
			try {
				return await this.json(path);
			} catch (error) {
				if (!(error instanceof Gone)) throw error;
				await new Promise((done) => { setTimeout(done, 1500); });
			}
		}
	}

	#path = (path, session = this.session) => `api/sessions/${encodeURIComponent(session)}/${path}`;

	get = (path, session) => this.json(this.#path(path, session));

	/** bytes, and the revision that they belong to */
	async bytes(path, session) {
		const response = await this.ask(this.#path(path, session));
		const revision = response.headers.get('X-Ossa-Revision');
		return { bytes: await response.arrayBuffer(), revision: revision === null ? null : Number(revision) };
	}

	post = (path, value, session) => this.ask(this.#path(path, session), {
		method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value),
	});

	put = (path, body, session) => this.ask(this.#path(path, session), { method: 'PUT', body });

	remove = (path, session) => this.ask(this.#path(path, session), { method: 'DELETE' });

	url = (path, session) => this.base + this.#path(path, session);

	/** A new session, its id; from: the one that is shown when a file is opened in the new one. */
	async make_session(body = {}) {
		return (await (await this.ask('api/sessions', { method: 'POST', body: JSON.stringify(body) })).json()).id;
	}

	/** Removes a session for good. */
	async forget_session(id) {
		await this.ask(`api/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });
		await this.ask(`api/removed/${encodeURIComponent(id)}`, { method: 'DELETE' });
	}

	/** Sends a file; `moved` gets the share that was sent. */
	async send_file(file, { moved, session, name = file.name } = {}) {
		await this.#wait_for_proof();
		return new Promise((resolve, reject) => {
			const request = new XMLHttpRequest();
			request.open('PUT', this.url(`files/${encodeURIComponent(name)}`, session));
			request.upload.onprogress = (event) => event.lengthComputable && moved?.(event.loaded / event.total);
			this.sending = request;
			request.onloadend = () => { this.sending = null; };
			request.onabort = () => reject(new Refused(0, 'cancelled', 'Cancelled: nothing has changed.'));
			request.onerror = () => { this.#lost(); reject(new Gone(`${file.name} could not be sent: the studio does not answer, or refused it.`)); };
			request.onload = () => {
				if (request.status < 400) return resolve();
				if (request.status === 403) this.#lost();
				let fault = {};
				// not every answer is JSON
				try { fault = JSON.parse(request.responseText).error ?? {}; } catch { /* empty */ }
				reject(new Refused(request.status, fault.code ?? 'unknown', fault.message ?? `${file.name}: the studio answered ${request.status}.`));
			};
			request.send(file);
		});
	}

	/**
	 * Begins a job and waits for its end; returns its result. Errors: Refused with the job's
	 * message.
	 */
	async job(body, session = this.session) {
		const { id } = await (await this.post('jobs', body, session)).json();
		const over = this.ended.get(id);
		return new Promise((resolve, reject) => {
			this.jobs.set(id, { resolve, reject, session });
			// the event of its end may come before the answer that names it
			if (over) return this.heard(over);
			this.emit('job', { id, do: body.do, state: 'running', stage: '', fraction: 0 });
			// polls where events do not arrive: they are of the session that is shown
			const is_told = session === this.session;
			const poll = async () => {
				if (!this.jobs.has(id)) return;
				try {
					const job = await this.get(`jobs/${id}`, session);
					if (this.jobs.has(id)) this.heard(job);
				} catch (error) {
					// a server that was started again, and did not come to note the job before
					if (error instanceof Refused) this.heard({ id, do: body.do, state: 'failed', error: { code: error.code,
						message: 'The studio was started again while it worked: do it again.' } });
				}
				if (this.jobs.has(id)) setTimeout(poll, is_told ? 1000 : 100);
			};
			setTimeout(poll, is_told && this.events?.readyState === 1 ? 1000 : 30);
			return undefined;
		});
	}

	/**
	 * What became of a job that the server may have forgotten: one of another tab, or one whose
	 * first answer was lost.
	 */
	async look_after({ id, do: what }) {
		if (!id || this.jobs.has(id)) return;
		try {
			this.heard(await this.get(`jobs/${id}`));
		} catch (error) {
			if (error instanceof Refused) this.emit('job', { id, do: what, state: 'failed', error: null });
		}
	}

	cancel = (id) => this.remove(`jobs/${id}`, this.jobs.get(id)?.session);

	stop_sending() { this.sending?.abort(); }

	/** Another session: jobs of this one run on. */
	leave() {
		this.events?.close();
		this.events = null;
		for (const id of [...this.jobs.keys()]) this.#end(id, (job) => job.reject(new Gone('Another session is open.')));
	}

	#end(id, how) {
		const job = this.jobs.get(id);
		this.jobs.delete(id);
		if (job) how(job);
	}

	/** The state of a job from events and answers. */
	heard(job) {
		const is_known = this.ended.has(job.id);
		// an answer that was sent before the job ended
		if (is_known && job.state === 'running') return;
		if (!is_known) this.emit('job', job);
		if (job.state === 'running') { this.is_new = false; return; }
		// failures before the page listened: files of the command line, jobs of a killed server
		if (job.state === 'failed' && !this.jobs.has(job.id) && !is_known && this.is_new) this.emit('missed', job);
		this.is_new = false;
		this.ended.set(job.id, job);
		if (this.ended.size > 32) this.ended.delete(this.ended.keys().next().value);
		this.#end(job.id, (waiting) => {
			if (job.state === 'done') return waiting.resolve(job.result);
			const cancelled = job.state === 'cancelled';
			waiting.reject(new Refused(0, cancelled ? 'cancelled' : job.error?.code ?? 'unknown',
				cancelled ? 'Cancelled: nothing has changed.' : job.error?.message ?? String(job.error ?? 'It failed.')));
		});
	}

	/** Listens to the session's events, and reconnects. */
	listen() {
		if (!this.key) this.#get_key();
		this.events?.close();
		const events = new EventSource(this.url('events'));
		this.events = events;
		this.is_new = true; // nothing was heard yet
		events.addEventListener('job', (event) => this.heard(JSON.parse(event.data)));
		events.addEventListener('page', () => this.emit('page'));
		events.addEventListener('state', (event) => this.emit('state', event.data ? JSON.parse(event.data) : {}));
		events.onopen = () => {
			this.#found();
			// what changed before the stream began; the state is its first event
			this.emit('page');
		};
		events.onerror = () => {
			if (events !== this.events) return;
			// it would connect again by itself, and send the token to any program that listens then
			events.close();
			this.#lost();
		};
	}

	/** whether the session is there to be listened to */
	async #has_session() {
		const { session } = this;
		try {
			await this.get('page', session);
		} catch (error) {
			if (error.status !== 404) return true;
			if (session === this.session) this.emit('removed', session);
			return false;
		}
		return true;
	}

	async #get_key() {
		try {
			this.key = (await this.json('api/key')).key;
		} catch { /* asked for again by the next `listen` */ }
	}

	#lost() {
		if (!this.is_there) return;
		this.is_there = false;
		this.emit('link', false);
		this.#knock(0);
	}

	#found() {
		if (this.is_there) return;
		this.is_there = true;
		this.emit('link', true);
	}

	#knock(count) {
		setTimeout(async () => {
			if (this.is_there) return;
			if (!this.key || !await this.#prove()) return void this.#knock(count + 1);
			this.#found();
			if (await this.#has_session()) this.listen();
		}, RETRY[Math.min(count, RETRY.length - 1)]);
	}

	/** the address of this run, also of the page itself, so that it can be loaded again */
	#move_to(token) {
		const { origin, hash } = window.location, base = `${origin}/${token}/`;
		if (base === this.base) return;
		this.base = base;
		history.replaceState(null, '', `${base}${hash}`);
	}
}
