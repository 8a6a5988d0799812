/**
 * The server's session in the page: the state, the surface, weights and motion. Only what has
 * changed is requested. Topics: "taken" (another rig, before anything else is emitted about it),
 * "state" (the JSON), "rig" (bones, weights or clip have changed), "clip" (another of the rig's
 * motions plays), "busy" (a job runs), "problem" (an error to show), "aside" (files that were not
 * opened), "missing" (warnings of files that were not sent), "moved" (another session is shown:
 * "opened", "back", "forward", or undefined where it was chosen).
 */
import { Gone, Refused } from '../base/api.js';
import { Signal } from '../base/signal.js';
import { Rig, Surface } from '../rig/rig.js';
import { read_whole } from '../rig/whole.js';
import { choose_files, free_name, without_folders } from './opening.js';

const EMPTY = Object.freeze({ revision: -1, mesh: null, rig: null, input: null, files: [], edits: { done: [], undone: [], steps: [], stale: false }, history: { past: [], future: [] }, motions: [], animations: [], constraints: [], warnings: [], exports: [], report: null });

const weights_of = ({ bones, weights }, influences) => ({ influences, bones, values: weights });

const clip_of = ({ turns, roots, slides = null }, { name, times }) => ({ name, times, rotations: turns, roots, slides });

/** of the answer of `clip?number=`: turns, roots, slides, times behind each other */
function read_clip(buffer, { name, frames, slides }, bone_count) {
	const numbers = new Float32Array(buffer), turns = 4 * frames * bone_count, roots = turns + 3 * frames, end = numbers.length - frames;
	return { name, times: Array.from(numbers.subarray(end)), rotations: numbers.subarray(0, turns), roots: numbers.subarray(turns, roots), slides: slides ? numbers.subarray(roots, end) : null };
}

// jobs that replace everything: queued edits of the old rig make no sense after them
const SLOW = new Set(['open', 'rig', 'motion']);
// warnings of files that others name, and that were not sent
const MISSING = new Set(['library-missing', 'image-missing']);
// after them nothing can be redone
const BRANCHING = new Set([...SLOW, 'edit']);

export class Session extends Signal {
	#again = null; // what else to fetch: a revision, true for any, null for none
	#loading = null;
	#line = Promise.resolve(); // queue of jobs: one begins when those before it have ended
	#moving = null; // while another session is being taken
	#onward = new Map(); // from a session to the one that was opened from it, after going back

	constructor(api) {
		super();
		this.api = api;
		this.state = EMPTY;
		this.surface = null;
		this.surface_key = this.rig_key = null;
		this.rig = null;
		this.busy = null;
		this.first = null; // what was fetched before the session was shown
		this.clip = 0; // the number of the motion that plays
		this.clips = new Map(); // those of the rig that were fetched, by their numbers
		api.on('state', ({ revision = true }) => this.refresh(revision));
		api.on('job', (job) => this.#set_busy(job.state === 'running' ? job : null));
		api.on('missed', ({ do: what, error }) => ['open', 'rig'].includes(what) && this.emit('problem', new Refused(0, error?.code, error?.message ?? 'It failed.')));
		api.on('link', (is_there) => {
			if (!is_there) return;
			// addresses in the panels have the token of the last run
			this.emit('state', this.state);
			this.refresh();
			if (this.busy) api.look_after(this.busy);
		});
	}

	/** Opens the session of the page's address, the one changed last, or a new one. */
	async start() {
		const asked = decodeURIComponent(location.hash.slice(1)), whole = asked && await this.#found(asked);
		if (whole) return this.take(asked, { whole });
		const { sessions } = await this.api.json('api/sessions'), [last] = [...sessions].sort((a, b) => b.changed - a.changed);
		return this.take(last?.id ?? await this.api.make_session());
	}

	/** what the session holds, or null where it is none; requested before the page was made */
	async #found(id) {
		try {
			return await this.#ask('whole', id);
		} catch (error) {
			if (error.status === 404) return null;
			throw error;
		}
	}

	#ask = async (path, session) => read_whole((await this.api.bytes(path, session)).bytes);

	/**
	 * Shows another session once everything of it has arrived; an error before that changes
	 * nothing. Edits that wait are done first: they are this session's.
	 */
	take(id, { whole = null, how } = {}) {
		this.#moving ??= this.#take(id, whole, how).finally(() => { this.#moving = null; });
		return this.#moving;
	}

	async #take(id, whole, how) {
		if (!SLOW.has(this.busy?.do)) await this.#line;
		this.first = whole ?? await this.#ask('whole', id);
		this.api.leave();
		this.api.session = id;
		history.replaceState(null, '', `#${encodeURIComponent(id)}`);
		this.state = EMPTY;
		this.surface = this.surface_key = this.rig_key = this.rig = null;
		this.clip = 0;
		this.#set_busy(null);
		await this.refresh();
		this.api.early.clear();
		this.api.listen();
		this.emit('moved', how);
	}

	/** Goes back to the session that was shown when this one's file was opened: undoes that. */
	async back() {
		const { from } = this.state, here = this.api.session;
		if (!from || this.#moving) return;
		try {
			await this.take(from, { how: 'back' });
			this.#onward.set(from, here);
			this.emit('state', this.state);
		} catch (error) {
			this.emit('problem', error.status === 404 ? new Refused(404, 'input', 'The session from which this one was opened was removed: the list of sessions brings it back.') : error);
		}
	}

	/** Redoes that. */
	async forward() {
		const { onward } = this;
		if (!onward || this.#moving) return;
		await this.take(onward, { how: 'forward' }).catch((error) => this.emit('problem', error));
	}

	/** the session to which `forward` goes, or undefined */
	get onward() { return this.#onward.get(this.api.session); }

	#set_busy(job) {
		this.busy = job;
		this.emit('busy', job);
	}

	/**
	 * Fetches the current state, unless the page has this revision. If it is requested during a
	 * fetch, it is fetched once more.
	 */
	refresh(revision = true) {
		this.#again = this.#again === true ? true : revision;
		this.#loading ??= this.#load_all().finally(() => { this.#loading = null; });
		return this.#loading;
	}

	async #load_all() {
		try {
			while (this.#again !== null && this.#again !== this.state.revision) {
				this.#again = null;
				await this.#load();
			}
		} catch (error) {
			this.emit('problem', error);
		}
		this.#again = null;
	}

	async #load() {
		const known = this.surface ? `?mesh=${encodeURIComponent(this.surface_key)}&rig=${encodeURIComponent(this.rig_key)}` : '';
		const { session } = this.api, { state, mesh, rig, arrays } = this.first ?? await this.#ask(`whole${known}`);
		// another one is shown meanwhile
		if (session !== this.api.session) { this.#again = true; return undefined; }
		this.first = null;
		if (state.revision === this.state.revision) return undefined;
		// exports and measurements change the JSON alone
		if (rig === this.rig_key && mesh === this.surface_key) return this.#tell_state(state);
		const played = this.surface_key === mesh ? this.state.rig?.clips?.[this.clip]?.name : undefined;
		const surface = arrays.positions ? new Surface({ count: arrays.positions.length / 3, own: arrays.positions.length / 3, origin: null, positions: arrays.positions, normals: null, indices: arrays.faces }, state.mesh) : mesh === '' ? null : this.surface;
		const made = surface && new Rig(surface, state.rig?.bones ?? [], arrays.weights ? weights_of(arrays, state.rig.influences) : null, arrays.turns ? clip_of(arrays, state.rig.clip) : null, state.rig?.dependencies ?? []);
		const clips = new Map(made?.clip ? [[0, made.clip]] : []), clip = await this.#find_clip(state, { rig: made, clips }, played);
		if (session !== this.api.session) { this.#again = true; return undefined; }
		// the rig, its names and the state are of one revision for all that looks between two events
		Object.assign(this, { surface, surface_key: mesh, rig: made, rig_key: rig, clips, clip, state });
		// the selection and the pose are of this rig before anything is drawn
		this.emit('taken', made);
		this.#tell_state(state);
		this.emit('rig', made);
		return undefined;
	}

	/** the number of the motion of that name, which goes on after the rig has changed, else 0 */
	async #find_clip(state, made, name) {
		const number = Math.max(0, name === undefined ? 0 : state.rig?.clips?.findIndex((one) => one.name === name) ?? 0);
		if (number === 0) return 0;
		try {
			made.rig.clip = await this.#fetch_clip(state, number, made);
			return number;
		} catch {
			return 0;
		}
	}

	async #fetch_clip(state, number, { rig, clips } = this) {
		if (!clips.has(number)) {
			const { bytes } = await this.api.bytes(`clip?number=${number}`);
			clips.set(number, read_clip(bytes, state.rig.clips[number], rig.bone_count));
		}
		return clips.get(number);
	}

	/** Another of the rig's motions plays: of this page alone. */
	async choose_clip(number) {
		const { rig, state } = this;
		if (number === this.clip || !state.rig?.clips?.[number]) return;
		try {
			const clip = await this.#fetch_clip(state, number);
			if (rig !== this.rig) return;
			this.clip = number;
			rig.clip = clip;
			this.emit('clip', clip);
		} catch (error) {
			this.emit('problem', error);
		}
	}

	/** the motion that was carried onto the rig and plays now: {motion, number, clip} or null */
	get carried() {
		const motions = this.state.motions ?? [], at = motions.findIndex(({ first, count }) => this.clip >= first && this.clip < first + count);
		return at < 0 ? null : { motion: motions[at], number: at + 1, clip: this.clip - motions[at].first };
	}

	#tell_state(state) {
		this.state = state;
		this.emit('state', state);
	}

	/**
	 * Runs a job and shows its error; returns its result, or undefined after an error. Further jobs
	 * are queued, but not after one that replaces everything. body may be a function that is called
	 * when its turn comes; it returns null for nothing to do.
	 */
	run(body) {
		if (SLOW.has(this.busy?.do) && !SLOW.has(body.do)) {
			this.emit('problem', new Refused(409, 'busy', `Wait until this is done, or cancel it: ${this.busy.do}.`));
			return Promise.resolve(undefined);
		}
		const { session } = this.api;
		this.#line = this.#line.then(() => (this.api.session === session ? this.#run_now(typeof body === 'function' ? body() : body) : undefined));
		return this.#line;
	}

	async #run_now(body) {
		if (body === null) return undefined;
		if (BRANCHING.has(body.do)) this.#onward.delete(this.api.session);
		try {
			const result = await this.#job(body);
			await this.refresh();
			return result ?? {};
		} catch (error) {
			this.emit('problem', error);
			return undefined;
		}
	}

	/** another tab's job ends soon, if it is a short one */
	async #job(body) {
		for (let left = 25; ; left--) {
			try {
				return await this.api.job(body);
			} catch (error) {
				if (!(error.status === 409 && left > 0) || SLOW.has(this.busy?.do)) throw error;
				await new Promise((done) => { setTimeout(done, 200); });
			}
		}
	}

	edit = (...lines) => this.run({ do: 'edit', lines });

	undo = () => this.run({ do: 'undo' });

	redo = () => this.run({ do: 'redo' });

	/** the steps before the current one and behind it */
	get history() { return this.state.history ?? EMPTY.history; }

	/**
	 * Sends files and opens those that can be opened: in this session where it is empty, else in
	 * one of their own. Files that are not opened are removed.
	 */
	async open(files) {
		const list = [...files], here = this.api.session, is_apart = this.state.mesh !== null;
		const place = is_apart ? await this.api.make_session({ from: here }).catch((error) => this.emit('problem', error)) : here;
		if (!place) return undefined;
		try {
			const described = await this.#send_all(list, place), { open, aside } = choose_files(described);
			const is_motion = open.length === 1 && described.some(({ name, holds }) => name === open[0] && holds.length > 0 && !holds.includes('mesh'));
			if (is_motion && this.state.rig) {
				await this.#forget_session(place);
				return await this.carry(list.find(({ name }) => name === open[0]));
			}
			const result = is_apart ? await this.#open_apart(open, place) : await this.run({ do: 'open', files: open });
			if (result && aside.length > 0) this.emit('aside', aside);
			const missing = this.state.warnings.filter(({ from, code }) => from === 'open' && MISSING.has(code));
			if (result && missing.length > 0) this.emit('missing', missing);
			return result;
		} catch (error) {
			this.#set_busy(null);
			// another session is shown meanwhile, and this one opens its files
			if (error instanceof Gone && this.api.session !== here) return undefined;
			if (is_apart) await this.#forget_session(place);
			this.emit('problem', error);
			return undefined;
		} finally {
			if (!is_apart && this.api.session === here) await this.#forget(list.map(({ name }) => name));
		}
	}

	/** one whose files could not be opened; when the studio is back, where it is away */
	async #forget_session(id) {
		try {
			await this.api.forget_session(id);
		} catch (error) {
			if (!(error instanceof Gone)) return;
			const end = this.api.on('link', (is_there) => {
				if (!is_there) return;
				end();
				this.#forget_session(id);
			});
		}
	}

	/** how the server describes what it was sent */
	async #send_all(list, place) {
		for (const [i, file] of list.entries()) {
			const stage = `sending ${file.name}`, tell = (share) => this.#set_busy({ id: null, do: 'open', state: 'running', stage, fraction: (i + share) / list.length });
			tell(0);
			await this.api.send_file(await without_folders(file), { moved: tell, session: place });
		}
		const names = new Set(list.map(({ name }) => name));
		return (await this.api.get('files', place)).files.filter(({ name }) => names.has(name));
	}

	/** the session that is shown stays until the other one can be shown */
	async #open_apart(files, place) {
		const result = await this.api.job({ do: 'open', files }, place);
		await this.take(place, { how: 'opened' });
		return result ?? {};
	}

	async #carry(file, options = {}, map = null) {
		if (this.state.edits.stale) await this.edit('solve');
		const result = await this.run({ do: 'motion', file, options, ...(map ? { map } : {}) });
		if (result) {
			await this.choose_clip(result.first);
			this.emit('carried', result);
		}
		return result;
	}

	/**
	 * Sends a file whose motions are carried onto the rig; map: which bones are which, where that
	 * is found wrongly (docs/motion.md), or null.
	 */
	async carry(file, options = {}, map = null) {
		const tell = (fraction) => this.#set_busy({ id: null, do: 'motion', state: 'running', stage: `sending ${file.name}`, fraction });
		tell(0);
		try {
			const name = free_name(file.name, (await this.api.get('files')).files.map((one) => one.name));
			await this.api.send_file(file, { moved: tell, name });
			return await this.#carry(name, options, map);
		} catch (error) {
			this.#set_busy(null);
			this.emit('problem', error);
			return undefined;
		}
	}

	/** files that are not open, after a failed open */
	async #forget(names) {
		const { files, motions = [] } = this.state;
		if (names.some((name) => files.includes(name) || motions.some(({ file }) => file === name))) return;
		await Promise.all(names.map((name) => this.api.remove(`files/${encodeURIComponent(name)}`).catch(() => {})));
	}
}
