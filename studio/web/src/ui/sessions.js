/**
 * The window of sessions: each is a folder on this machine, the one that was changed last first.
 * Below are those that were removed, as long as the studio keeps them.
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

const by = (key) => (a, b) => b[key] - a[key];

export async function show_sessions(app) {
	const { api, acts, session, notices } = app, list = make('ul', { class: 'list sessions' }), gone = make('div'), tell = (error) => acts.tell_problem(error);
	const { limits } = await app.about;
	const post = async (body) => (await api.ask('api/sessions', { method: 'POST', body: JSON.stringify(body) })).json();
	const drop = (place, id) => api.ask(`api/${place}/${encodeURIComponent(id)}`, { method: 'DELETE' });
	const fill = async () => {
		const { sessions, removed = [] } = await api.json('api/sessions');
		refill(list, sessions.sort(by('changed')).map((one) => line(one)));
		refill(gone, removed.length > 0 && gone_part(removed.sort(by('removed'))));
	};
	const facts = (time, bytes) => make('span', { class: 'count' }, `${time_words(time)}  ·  ${size_words(bytes)}`);
	const line = ({ id, title, changed, bytes }) => make('li', { class: id === api.session ? 'now' : '' },
		make('button', { type: 'button', class: 'line', 'aria-current': id === api.session ? 'true' : null, onclick: () => { box.close(); acts.go_to(id); } }, title || 'empty'), facts(changed, bytes),
		id === api.session ? button('Rename', () => name_it(title).catch(tell), { class: 'small' }) : button('Remove', () => remove(id, title).catch(tell), { class: 'small danger' }));
	const gone_part = (removed) => make('details', { class: 'removed', open: gone.firstChild?.open }, make('summary', {}, `Removed (${removed.length})`),
		make('p', { class: 'empty' }, `They are kept for ${limits.removed_days} days, and up to ${Math.round(limits.removed_bytes / 2 ** 30)} GB of them; then the oldest go for good.`),
		make('ul', { class: 'list' }, removed.map(({ id, title, removed: then, bytes }) => make('li', {}, make('span', { class: 'line' }, title || 'empty'), facts(then, bytes),
			button('Bring back', () => bring_back(id).catch(tell), { class: 'small' }), button('Delete for good', () => drop('removed', id).then(fill).catch(tell), { class: 'small danger' })))));
	const bring_back = async (id) => {
		notices.close('removed');
		await post({ restore: id });
		await fill();
	};
	const remove = async (id, title) => {
		await drop('sessions', id);
		await fill();
		notices.show('plain', `"${title || 'empty'}" was removed.`, { key: 'removed', stays: true, act: { label: 'Undo', act: () => bring_back(id).catch(tell) } });
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
		await acts.go_to(await api.make_session());
	};
	const box = open_dialog('Sessions', [make('div', {}, list), gone, make('div', { class: 'buttons end' }, button('New session', () => fresh().catch(tell), { class: 'first' }))], { class: 'medium' });
	box.addEventListener('close', () => document.body.append(notices.host));
	await fill().catch((error) => { box.close(); tell(error); });
}
