/**
 * Small parts that panels are made of: sections, rows, fields of numbers, switches, groups of
 * choices.
 */
import { make } from '../base/dom.js';

export const section = (title, ...children) => make('section', { class: 'part' }, make('h3', {}, title), ...children);

export const row = (label, ...children) => make('div', { class: 'row' }, make('span', { class: 'label' }, label), ...children);

export const button = (label, act, attributes = {}) => make('button', { type: 'button', onclick: act, ...attributes }, label);

/**
 * A field of a number: Enter or leaving confirms, arrows step, Esc restores the old value.
 * settled(value)
 */
export function number_field(label, value, settled, { step = 1, digits = 2, unit = '', disabled = false, minimum = -Infinity, maximum = Infinity, name = label } = {}) {
	const words = (x) => String(Number(x.toFixed(digits)));
	let old = value;
	const field = make('input', { type: 'text', inputmode: 'decimal', class: 'number', 'aria-label': name, value: words(value), disabled, autocomplete: 'off', spellcheck: 'false' });
	const take = () => {
		const next = Number.parseFloat(field.value.replace(',', '.'));
		if (!Number.isFinite(next) || field.value === words(old)) { field.value = words(old); return; }
		old = Math.max(minimum, Math.min(maximum, next));
		field.value = words(old);
		settled(old);
	};
	field.addEventListener('focus', () => field.select());
	field.addEventListener('blur', take);
	field.addEventListener('keydown', (event) => {
		if (event.key === 'Enter') { take(); field.select(); }
		if (event.key === 'Escape') { field.value = words(old); field.select(); }
		const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
		if (direction) {
			event.preventDefault();
			field.value = words((Number.parseFloat(field.value) || 0) + direction * step * (event.shiftKey ? 10 : 1));
			take();
			field.select();
		}
	});
	const box = make('label', { class: 'field' }, make('span', { class: 'name', 'aria-hidden': 'true' }, label), field, unit && make('span', { class: 'unit' }, unit));
	/** shows another value, unless one is being typed */
	box.show = (next, is_settled = false) => {
		old = next;
		if (is_settled || document.activeElement !== field) field.value = words(next);
	};
	return box;
}

/** A checkbox with a label. */
export function check(label, value, changed, attributes = {}) {
	const field = make('input', { type: 'checkbox', checked: value, onchange: () => changed(field.checked), ...attributes });
	const box = make('label', { class: 'check', title: attributes.title }, field, make('span', {}, label));
	box.show = (next) => { field.checked = next; };
	return box;
}

/** A choice, as buttons beside each other. choices: [value, words, tooltip] */
export function choose(label, choices, value, changed) {
	const group = make('div', { class: 'choose', role: 'radiogroup', 'aria-label': label });
	const buttons = choices.map(([one, words, title]) => make('button', { type: 'button', role: 'radio', title, 'data-value': one, onclick: () => changed(one) }, words));
	group.append(...buttons);
	group.addEventListener('keydown', (event) => {
		const direction = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key], shown = buttons.filter((one) => !one.hidden), at = shown.indexOf(document.activeElement);
		if (!direction || at < 0) return;
		event.preventDefault();
		const next = shown[(at + direction + shown.length) % shown.length];
		next.focus();
		next.click();
	});
	group.show = (next) => buttons.forEach((one) => {
		const is_it = one.dataset.value === next;
		one.setAttribute('aria-checked', String(is_it));
		one.tabIndex = is_it ? 0 : -1;
	});
	group.show(value);
	return group;
}

/** A button that stays down. */
export function toggle(label, value, changed, attributes = {}) {
	const one = make('button', { type: 'button', class: 'toggle', 'aria-pressed': String(value), ...attributes }, label);
	one.addEventListener('click', () => changed(one.getAttribute('aria-pressed') !== 'true'));
	one.show = (next) => one.setAttribute('aria-pressed', String(next));
	return one;
}

/** 12,345: the browser's own number formatting is slow at its first use */
export const count_words = (count) => String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');

export const number_words = (x, digits = 3) => (x === null || x === undefined || !Number.isFinite(x) ? '–' : Math.abs(x) >= 1000 ? count_words(x) : String(Number(x.toPrecision(digits))));
