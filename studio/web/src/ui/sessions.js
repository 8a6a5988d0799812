/**
 * The window of sessions: each is a folder on this machine, the one that was changed last first.
 * The one that was removed last can be taken back until the studio ends.
 */
import { make, refill } from '../base/dom.js';
import { ask_text, open_dialog } from './dialog.js';
import { button } from './fields.js';

const size_words = (bytes) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;

/** "today 14:02", else the date */
function time_words(changed) {
	const date = new Date(1000 * Number(changed));
	if (Number.isNaN(date.getTime())) return '';
	const clock = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
	return date.toDateString() === new Date().toDateString() ? `today ${clock}` : `${date.toLocaleDateString([], { year: 'numeric', month: 'short', day: 'numeric' })} ${clock}`;
}

export async function show_sessions(app) {
	const { api, acts, session, notices } = app, list = make('ul', { class: 'list sessions' }), tell = (error) => acts.tell_problem(error);
	const post = async (body) => (await api.ask('api/sessions', { method: 'POST', body: body && JSON.stringify(body) })).json();
	const fill = async () => {
		const { sessions } = await api.json('api/sessions');
		refill(list, [...sessions].sort((a, b) => b.changed - a.changed).map((one) => line(one)));
	};
	const line = ({ id, title, changed, bytes }) => make('li', { class: id === api.session ? 'now' : '' },
		make('button', { type: 'button', class: 'line', 'aria-current': id === api.session ? 'true' : null, onclick: () => { box.close(); if (id !== api.session) session.take(id).catch(tell); } }, title || 'empty'),
		make('span', { class: 'count' }, `${time_words(changed)}  ·  ${size_words(bytes)}`),
		id === api.session ? button('Rename', () => name_it(title).catch(tell), { class: 'small' }) : button('Remove', () => remove(id, title).catch(tell), { class: 'small danger' }));
	const remove = async (id, title) => {
		await api.ask(`api/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });
		await fill();
		const back = async () => { notices.close('removed'); await post({ restore: id }); await fill(); };
		notices.show('plain', `"${title || 'empty'}" was removed.`, { key: 'removed', stays: true, act: { label: 'Undo', act: () => back().catch(tell) } });
		// above the window, which covers the page
		box.append(notices.host);
	};
	const name_it = async (title) => {
		const name = await ask_text('Name of the session', 'Name', title);
		if (name && name !== title) await session.run({ do: 'name', name });
		await fill();
	};
	const fresh = async () => {
		box.close();
		await session.take((await post()).id);
	};
	const box = open_dialog('Sessions', [make('div', {}, list), make('div', { class: 'buttons end' }, button('New session', () => fresh().catch(tell), { class: 'first' }))], { class: 'medium' });
	box.addEventListener('close', () => document.body.append(notices.host));
	await fill().catch((error) => { box.close(); tell(error); });
}
