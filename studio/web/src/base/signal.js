/**
 * Topics that modules listen to: `signal.on('pose', f)`, `signal.emit('pose', value)`. Decouples
 * the parts of the page.
 */
export class Signal {
	#listeners = new Map();

	/** Calls `listener` for every `topic`; returns a function that ends it. */
	on(topic, listener) {
		if (!this.#listeners.has(topic)) this.#listeners.set(topic, new Set());
		this.#listeners.get(topic).add(listener);
		return () => this.#listeners.get(topic).delete(listener);
	}

	emit(topic, value) {
		for (const listener of this.#listeners.get(topic) ?? []) listener(value);
	}
}
