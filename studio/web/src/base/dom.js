/**
 * Elements in one call: `make('button', { class: 'plain', onclick: f }, 'Save')`. Styles are
 * classes alone: the page's policy allows no style written into the document.
 */

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
	for (const [name, value] of Object.entries(attributes ?? {})) {
		if (value === undefined || value === null || value === false) continue;
		if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
		else if (name === 'value' || name === 'checked' || name === 'disabled') element[name] = value;
		else element.setAttribute(name, value === true ? '' : value);
	}
	element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
	return element;
}

/** An element of HTML with attributes, listeners (`on…`) and children. */
export const make = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);

/** The same of SVG. */
export const draw = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

/**
 * A text of the library, which names options and what is typed in backquotes, as children of an
 * element: those are set as code.
 */
export const with_code = (text) => String(text).split('`').map((part, i) => (i % 2 ? make('code', {}, part) : part));

/** The same where there are no elements, as in a tooltip: in quotation marks. */
export const in_quotes = (text) => text?.replace(/`([^`]*)`/g, '“$1”');

/** Puts other children into an element. */
export function refill(element, ...children) {
	element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
}

/** Whether keys typed now go into a field. */
export function is_typing(target) {
	if (!(target instanceof HTMLElement)) return false;
	if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
	return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range', 'file'].includes(target.type);
}
