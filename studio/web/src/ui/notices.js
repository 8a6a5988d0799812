/** Short messages in the corner: errors and results. Errors stay until they are closed. */
import { make, with_code } from '../base/dom.js';

export class Notices {
	constructor(host) {
		this.host = host;
		this.lasting = new Map();
	}

	/** kind: 'good', 'bad' or 'plain'; key: a notice that replaces the one before */
	show(kind, text, { key = null, stays = kind === 'bad', act = null } = {}) {
		if (key) this.close(key);
		const box = make('div', { class: `notice ${kind}`, role: kind === 'bad' ? 'alert' : null },
			make('p', {}, with_code(text)), act && make('button', { type: 'button', onclick: act.act }, act.label),
			make('button', { type: 'button', class: 'close', 'aria-label': 'Close', onclick: () => box.remove() }, '×'));
		this.host.append(box);
		if (key) this.lasting.set(key, box);
		if (!stays) setTimeout(() => box.remove(), 5000);
		while (this.host.children.length > 4) this.host.firstChild.remove();
	}

	close(key) {
		this.lasting.get(key)?.remove();
		this.lasting.delete(key);
	}
}
