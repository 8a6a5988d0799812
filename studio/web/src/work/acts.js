/** All actions of keys and buttons. */
import { Refused, Gone } from '../base/api.js';
import { Adding } from '../tools/adding.js';
import { Moving } from '../tools/moving.js';
import { Pulling } from '../tools/pulling.js';
import { Splitting } from '../tools/splitting.js';
import { Turning } from '../tools/turning.js';
import { dropped_files } from './opening.js';
import { ask_text } from '../ui/dialog.js';
import { show_help } from '../ui/help.js';
import { show_sessions } from '../ui/sessions.js';

const NAME = /^[A-Za-z0-9_-]{1,63}$/;

const size_words = (bytes) => (bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(1)} GB` : `${Math.ceil(bytes / 2 ** 20)} MB`);

export class Acts {
	constructor(app) {
		this.app = app;
		app.session.on('problem', (error) => this.tell_problem(error));
		app.session.on('aside', (names) => app.notices.show('plain', `Not opened: ${names.slice(0, 6).join(', ')}${names.length > 6 ? ` and ${names.length - 6} more` : ''}. Open them separately.`, { key: 'aside', stays: true }));
		app.session.on('missing', (warnings) => app.notices.show('plain', `${warnings.map(({ message }) => message).join('\n')}\nThe shape is complete. For its colours, open the file once more together with its .mtl and images: choose or drop them all, or their folder.`, { key: 'missing', stays: true }));
		app.session.on('carried', (motion) => this.#show_carried(motion));
		app.session.on('moved', (how) => this.#tell_moved(how));
		app.painting.on('lost', (bone) => app.notices.show('bad', `${bone} is gone, and so is what was painted for it: ctrl Z may bring the bone back.`, { key: 'lost' }));
		app.api.on('link', (is_there) => this.#tell_link(is_there));
		app.api.on('removed', (id) => this.#tell_removed(id));
		app.viewport.on('lost', (is_lost) => this.#tell_scene(is_lost));
		this.#take_drops();
	}

	#tell_scene(is_lost) {
		const { notices } = this.app;
		if (is_lost) notices.show('bad', 'The browser has taken the graphics away from this page. Nothing is lost; it usually gives them back by itself, else load the page again.', { key: 'scene' });
		else notices.show('good', 'The scene is there again.', { key: 'scene' });
	}

	#take_drops() {
		const carries_files = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');
		window.addEventListener('dragover', (event) => { event.preventDefault(); document.body.classList.toggle('dropping', carries_files(event)); });
		window.addEventListener('dragleave', (event) => { if (!event.relatedTarget) document.body.classList.remove('dropping'); });
		window.addEventListener('drop', (event) => {
			event.preventDefault();
			document.body.classList.remove('dropping');
			if (carries_files(event)) dropped_files(event.dataTransfer).then((files) => files.length > 0 && this.open(files)).catch((error) => this.tell_problem(error));
		});
	}

	/** the source beside the rig, and how well its motion came over */
	#show_carried({ file, count }) {
		const { look, panels, player, notices, session } = this.app, lost = session.state.constraints_lost ?? 0;
		look.set('beside', 'source');
		panels.show('motion');
		player.go(0);
		notices.show('good', `${file}: ${count === 1 ? 'its motion was' : `${count} motions were`} carried onto the rig.`);
		if (lost > 0) notices.show('plain', `${lost} of the constraints could not be set again, as their bones were changed: ctrl Z takes the motion back.`, { stays: true });
	}

	tell_problem(error) {
		// the link's own words are there already
		if (error instanceof Gone) return;
		// a fault of the page itself: the browser's console shows where
		if (!(error instanceof Refused)) console.error(error);
		if (error instanceof Refused && error.code === 'cancelled') this.app.notices.show('plain', error.message);
		// of equal notices the last one
		else this.app.notices.show('bad', error.message, { key: `bad ${error.message}` });
	}

	#tell_link(is_there) {
		const { notices } = this.app;
		document.body.classList.toggle('gone', !is_there);
		if (is_there) notices.show('good', 'The studio is there again: everything is as its last finished job left it.', { key: 'link' });
		else notices.show('bad', 'The studio does not answer. Posing goes on here, and nothing that was done is lost. This page tries again by itself; where it was stopped, start "ossa studio" again.', { key: 'link' });
	}

	#tell_moved(how) {
		const { notices, session } = this.app, title = session.state.title || 'empty';
		notices.close('removed here');
		if (how === 'opened') notices.show('plain', `"${title}" is a session of its own. Undo goes back to the one before; the name above lists all.`, { key: 'moved' });
		else if (how === 'back') notices.show('plain', `Back in "${title}". Redo returns to the session that was opened from it.`, { key: 'moved' });
		else if (how === 'forward') notices.show('plain', `"${title}" again.`, { key: 'moved' });
	}

	/** the session on the screen was removed by another tab */
	#tell_removed(id) {
		const { api, notices } = this.app;
		const back = async () => {
			await api.ask('api/sessions', { method: 'POST', body: JSON.stringify({ restore: id }) });
			notices.close('removed here');
			if (api.session === id) api.listen();
		};
		notices.show('bad', 'This session was removed in another tab. Nothing that is done here is kept.', { key: 'removed here', act: { label: 'Bring it back', act: () => back().catch((error) => this.tell_problem(error)) } });
	}

	/** Shows another session, once what was painted in this one is kept. */
	async go_to(id) {
		const { api, hand, painting, session } = this.app;
		if (id === api.session) return;
		try {
			hand.finish(false);
			await painting.keep();
			await session.take(id);
		} catch (error) {
			this.tell_problem(error);
		}
	}

	choose_files() { this.app.bar.file.click(); }

	/**
	 * Files that the studio would refuse are not sent: it would close the connection, and the page
	 * could not say why.
	 */
	async open(files) {
		const { limits } = await this.app.about, large = [...files].find(({ size }) => size > limits.upload_bytes);
		if (!large) return this.app.session.open(files);
		const here = size_words(large.size), most = size_words(limits.upload_bytes);
		this.app.notices.show('bad', `${large.name} has ${here}; the studio takes files of up to ${most}. Nothing was sent. Start it with a larger limit, "ossa studio --upload-limit ${Math.ceil(large.size / 2 ** 20)}", or name the file where you start it: "ossa studio ${large.name}".`);
		return undefined;
	}

	cancel() {
		const { busy } = this.app.session;
		if (busy?.id) this.app.api.cancel(busy.id).catch((error) => this.tell_problem(error));
		else this.app.api.stop_sending();
	}

	/** the running job is cancelled first */
	escape() {
		const { session, mode, selection } = this.app;
		if (session.busy) this.cancel();
		else if (['paint', 'landmarks'].includes(mode.name)) mode.set('pose');
		else selection.set([]);
	}

	help() {
		if (!document.querySelector('dialog[open]')) show_help(this.app.keys.entries);
	}

	sessions() { return show_sessions(this.app); }

	// ---- with the selection ----

	#begin(drag) { this.app.hand.begin(drag); }

	get #chosen() { return this.app.session.rig !== null && this.app.selection.active >= 0; }

	/** Begins a drag in its mode; `make` gets the parts and the pointer. */
	#in_mode(mode, make) {
		if (!this.#chosen) return;
		this.app.mode.set(mode);
		this.app.viewport.pane.focus({ preventScroll: true });
		this.#begin(make({ ...this.app, view: this.app.display.view }, this.app.hand.pointer));
	}

	turn() { this.#in_mode('pose', (parts, pointer) => new Turning(parts, pointer)); }

	pull() { this.#in_mode('pose', (parts, pointer) => new Pulling(parts, pointer)); }

	move(part) { this.#in_mode('edit', (parts, pointer) => new Moving(parts, pointer, part)); }

	split() { this.#in_mode('edit', (parts) => new Splitting(parts)); }

	add() { this.#in_mode('edit', (parts) => new Adding(parts)); }

	async rename() {
		const { selection, edits, session } = this.app, b = selection.active;
		if (!this.#chosen) return;
		const old = session.rig.bones[b].name;
		const name = await ask_text(`Rename ${old}`, 'Name', old, (text) => (!NAME.test(text) ? 'Letters, digits, _ and - only, at most 63.' : text !== old && session.rig.index.has(text) ? 'Another bone has this name.' : ''));
		if (name && name !== old) await edits.rename(b, name);
	}

	/** limits: three pairs of degrees, or null */
	set_limits(limits) { return this.app.edits.limits(this.app.selection.active, limits); }

	set_limit(axis, side, value) {
		const limits = this.app.selection.active_bone.limits.map((pair) => [...pair]);
		limits[axis][side] = value;
		return this.set_limits(limits);
	}

	async keep_paint() {
		await this.app.painting.keep();
	}

	/** a stroke of the brush that is not kept yet, else what was done last */
	undo() {
		const { mode, painting, posing } = this.app;
		if (mode.name !== 'paint' || !painting.undo_stroke()) posing.undo();
	}

	brush(factor) { this.app.look.set('size', Math.max(0.002, Math.min(0.5, this.app.look.get('size') * factor))); }

	/** the next or the one before in the tree's order, or a relative of the active bone */
	walk(direction) {
		const { selection, session } = this.app, { rig } = session, b = selection.active;
		if (!rig?.bone_count) return;
		if (b < 0) selection.set([0]);
		else if (direction === 'parent' && rig.bones[b].parent >= 0) selection.set([rig.bones[b].parent]);
		else if (direction === 'child' && rig.children[b].length > 0) selection.set([rig.children[b][0]]);
	}

	/** moves the focus to the next of the page's regions */
	region(direction) {
		const regions = [document.querySelector('#bar button'), this.app.tree.list, this.app.viewport.pane, document.querySelector('#panels [role=tab][aria-selected=true]'), this.app.timeline.plot.element].filter((one) => one.offsetParent !== null);
		const at = regions.findIndex((one) => one === document.activeElement || one.closest('header, section, aside')?.contains(document.activeElement));
		regions[(at + direction + regions.length) % regions.length].focus();
	}
}
