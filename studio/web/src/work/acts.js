/** What can be done, by whatever key or button it is asked for. */
import { Refused, Gone } from '../base/api.js';
import { Turning } from '../tools/turning.js';

export class Acts {
	constructor(app) {
		this.app = app;
		app.session.on('problem', (error) => this.#tell_problem(error));
		app.api.on('link', (is_there) => this.#tell_link(is_there));
		const stop = (event) => event.preventDefault();
		window.addEventListener('dragover', stop);
		window.addEventListener('drop', (event) => { stop(event); if (event.dataTransfer?.files.length) this.open([...event.dataTransfer.files]); });
	}

	#tell_problem(error) {
		if (error instanceof Gone) return;
		if (error instanceof Refused && error.code === 'cancelled') return this.app.notices.show('plain', error.message);
		this.app.notices.show('bad', error.message);
	}

	#tell_link(is_there) {
		const { notices } = this.app;
		notices.close('link');
		document.body.classList.toggle('gone', !is_there);
		if (is_there) notices.show('good', 'The studio is there again: everything is as its last finished job left it.', { key: 'link' });
		else notices.show('bad', 'The studio does not answer. Posing goes on here; what is saved stays saved. Start "ossa studio" again with the same address, this page comes back by itself.', { key: 'link' });
	}

	choose_files() { this.app.bar.file.click(); }

	open(files) { return this.app.session.open(files); }

	cancel() {
		const { busy } = this.app.session;
		if (busy?.id) this.app.api.cancel(busy.id).catch((error) => this.#tell_problem(error));
	}

	turn() {
		const { app } = this;
		if (Turning.can_begin(app)) app.hand.begin(new Turning({ ...app, view: app.display.view }, app.hand.pointer));
	}

	rename() {}

	help() {}

	set_limits() {}

	set_limit() {}
}
