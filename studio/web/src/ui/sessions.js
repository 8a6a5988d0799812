/**
 * The window of sessions: each is a folder on this machine that nothing but its own button removes.
 */
import { make, refill } from '../base/dom.js';
import { open_dialog } from './dialog.js';
import { button } from './fields.js';

const size_words = (bytes) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
const time_words = (changed) => (Number.isFinite(Number(changed)) ? new Date(1000 * Number(changed)).toLocaleString() : String(changed));

export async function show_sessions(app) {
	const list = make('ul', { class: 'list sessions' });
	const fill = async () => {
		const { sessions } = await app.api.json('api/sessions');
		refill(list, sessions.map(({ id, title, changed, bytes }) => make('li', { class: id === app.api.session ? 'now' : '' },
			make('button', { type: 'button', class: 'line', onclick: () => { box.close(); app.session.take(id).catch((error) => app.acts.tell_problem(error)); } }, title || 'empty'),
			make('span', { class: 'count' }, `${time_words(changed)}  ·  ${size_words(bytes)}`),
			id !== app.api.session && button('Remove', () => remove(id, title), { class: 'small danger' }))));
	};
	const remove = async (id, title) => {
		if (!window.confirm(`Remove "${title || 'empty'}" with its files from this machine?`)) return;
		await app.api.ask(`api/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' }).catch((error) => app.acts.tell_problem(error));
		await fill();
	};
	const fresh = async () => {
		box.close();
		const { id } = await (await app.api.ask('api/sessions', { method: 'POST' })).json();
		await app.session.take(id);
	};
	const box = open_dialog('Sessions', [make('div', {}, list), make('div', { class: 'buttons end' }, button('New session', () => fresh().catch((error) => app.acts.tell_problem(error)), { class: 'first' }))], { class: 'medium' });
	await fill().catch((error) => { box.close(); app.acts.tell_problem(error); });
}
