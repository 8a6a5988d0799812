/**
 * Windows over the page: the browser's own dialogs, which keep the focus inside and end with Esc.
 */
import { make } from '../base/dom.js';
import { button } from './fields.js';

/** Shows a dialog with a title and children; returns it. */
export function open_dialog(title, children, attributes = {}) {
	const box = make('dialog', { 'aria-labelledby': 'dialog-title', ...attributes }, make('header', {}, make('h2', { id: 'dialog-title' }, title),
		button('×', () => box.close(), { class: 'close', 'aria-label': 'Close' })), children);
	box.addEventListener('close', () => box.remove());
	box.addEventListener('click', (event) => { if (event.target === box) box.close(); });
	document.body.append(box);
	box.showModal();
	return box;
}

/** Asks for one line of text; check(text) returns an error message, or ''. */
export function ask_text(title, label, first, check = () => '') {
	return new Promise((resolve) => {
		const field = make('input', { type: 'text', value: first, 'aria-label': label, spellcheck: 'false', autocomplete: 'off' }), wrong = make('p', { class: 'wrong', role: 'alert' });
		let given = null;
		const form = make('form', { method: 'dialog' }, make('label', { class: 'stack' }, label, field), wrong,
			make('div', { class: 'buttons end' }, button('Cancel', () => box.close()), make('button', { type: 'submit', class: 'first' }, 'OK')));
		const box = open_dialog(title, form, { class: 'small' });
		form.addEventListener('submit', (event) => {
			wrong.textContent = check(field.value.trim());
			if (wrong.textContent) event.preventDefault();
			else given = field.value.trim();
		});
		box.addEventListener('close', () => resolve(given));
		field.select();
	});
}
