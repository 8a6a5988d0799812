/**
 * The input's frames and the errors of frames, fetched when they are first shown and cached within
 * a limit.
 */

const ROOM = 96 * 1024 * 1024;

class Kept {
	#parts = new Map();
	#bytes = 0;

	get(key) {
		const part = this.#parts.get(key);
		if (part) { this.#parts.delete(key); this.#parts.set(key, part); }
		return part;
	}

	set(key, part) {
		this.#parts.set(key, part);
		this.#bytes += part.byteLength;
		for (const [old, { byteLength }] of this.#parts) {
			if (this.#bytes <= ROOM || old === key) break;
			this.#parts.delete(old);
			this.#bytes -= byteLength;
		}
	}

	clear() {
		this.#parts.clear();
		this.#bytes = 0;
	}
}

export class Frames {
	#inputs = new Kept();
	#errors = new Kept();
	#asked = new Map();

	constructor(session) {
		this.session = session;
		this.key = null;
		session.on('rig', () => {
			this.#errors.clear();
			this.#asked.clear();
			if (session.surface_key !== this.key) this.#inputs.clear();
			this.key = session.surface_key;
		});
	}

	/** the input's vertices in a frame, in the mesh's units */
	input(frame) {
		return this.#get(this.#inputs, `frames?from=${frame}&count=1`);
	}

	/** the distance of every vertex to the input in a frame */
	errors(frame) {
		return this.#get(this.#errors, `errors?frame=${frame}`);
	}

	/** one request at a time for one thing */
	#get(kept, path) {
		const there = kept.get(path);
		if (there) return Promise.resolve(there);
		if (!this.#asked.has(path)) {
			const { rig } = this.session, asked = this.session.api.bytes(path).then(({ bytes }) => {
				const numbers = new Float32Array(bytes);
				// of another rig by now: returned, but not cached
				if (rig === this.session.rig) kept.set(path, numbers);
				return numbers;
			}).finally(() => { if (this.#asked.get(path) === asked) this.#asked.delete(path); });
			this.#asked.set(path, asked);
		}
		return this.#asked.get(path);
	}
}
