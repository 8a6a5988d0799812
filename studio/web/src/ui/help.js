/** All keys and what they do, made from the table that the keyboard uses. */
import { make } from '../base/dom.js';
import { open_dialog } from './dialog.js';

const NAMES = { escape: 'Esc', home: 'Home', space: 'Space', delete: 'Del', arrowleft: '←', arrowright: '→', arrowup: '↑', arrowdown: '↓', enter: 'Enter' };

const part_words = (part) => NAMES[part] ?? (/^num./.test(part) ? `pad ${part.slice(3)}` : /^(.|f[0-9]+)$/.test(part) ? part.toUpperCase() : part);
const key_words = (keys) => keys.map((key) => (key === '+' ? '+' : key.split('+').map(part_words).join(' ')));

const MOUSE = [['middle, or alt left', 'orbit'], ['shift middle', 'pan'], ['wheel, or alt right', 'zoom'], ['click, shift click', 'choose a bone, one more'], ['left drag on nothing', 'orbit']];

export function show_help(entries) {
	const groups = new Map();
	for (const entry of entries) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
	const list = (title, rows) => make('section', {}, make('h3', {}, title), make('dl', {}, rows.map(([keys, what]) => make('div', {}, make('dt', {}, [].concat(keys).map((key) => make('kbd', {}, key))), make('dd', {}, what)))));
	return open_dialog('Keys', make('div', { class: 'keys' }, [...groups].map(([title, rows]) => list(title, rows.map(({ keys, what }) => [key_words(keys), what]))), list('Mouse', MOUSE)), { class: 'wide' });
}
