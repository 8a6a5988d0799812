/**
 * The keyboard: a table of what each key does, from which help is made too. A current drag gets the
 * keys first; in a text field only keys with ctrl are handled.
 */
import { is_typing } from '../base/dom.js';

const PRESSED = 'button, input, select, textarea, summary, a', WALKED = 'select, [role=tree], [role=tablist], [role=radiogroup], [role=slider], input[type=radio], input[type=range]';

/** whether the focused element needs the key itself */
function wants(target, key) {
	if (!(target instanceof Element)) return false;
	if (key === ' ' || key === 'Enter') return target.closest(PRESSED) !== null;
	return /^(Arrow.*|Home|End|Page.*)$/.test(key) && target.closest(WALKED) !== null;
}

/** "ctrl+shift+z" of an event */
export function name_of(event) {
	const parts = [];
	if (event.ctrlKey || event.metaKey) parts.push('ctrl');
	if (event.altKey) parts.push('alt');
	const key = event.key === ' ' ? 'space' : event.key.toLowerCase();
	// punctuation implies shift
	if (event.shiftKey && (key.length > 1 || /[a-z]/.test(key))) parts.push('shift');
	parts.push(event.code?.startsWith('Numpad') && /^[0-9.]$/.test(event.key) ? `num${event.key}` : key);
	return parts.join('+');
}

export class Keys {
	/**
	 * entries: {keys: ["r"], group, what, act(event), when()?, everywhere?}; grab(): the current
	 * drag, or null
	 */
	constructor(grab) {
		this.entries = [];
		this.grab = grab;
		this.clicked = null; // what was pressed by the pointer last: it keeps the focus, but the space bar plays
		window.addEventListener('pointerdown', (event) => { this.clicked = event.target instanceof Element ? event.target.closest(PRESSED) : null; }, { capture: true });
		window.addEventListener('change', ({ target }) => { if (target === this.clicked && target instanceof HTMLSelectElement) target.blur(); });
		window.addEventListener('keydown', (event) => this.#press(event));
	}

	add(...entries) { this.entries.push(...entries); }

	#press(event) {
		if (document.querySelector('dialog[open]') && event.key !== '?') return;
		const drag = this.grab();
		if (drag && drag(event)) {
			event.preventDefault();
			event.stopPropagation();
			return;
		}
		const plays = event.key === ' ' && event.target === this.clicked && !is_typing(event.target);
		if (!event.ctrlKey && !event.altKey && !plays && wants(event.target, event.key)) return;
		const name = name_of(event), typing = is_typing(event.target);
		const entry = this.entries.find((one) => one.keys.includes(name) && (!typing || one.everywhere) && (one.when?.(event) ?? true));
		if (!entry) return;
		event.preventDefault();
		// else some browsers press the button when the key goes up
		if (event.key === ' ' && event.target instanceof HTMLButtonElement) event.target.blur();
		entry.act(event);
	}
}
