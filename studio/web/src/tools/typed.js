/** Numbers typed while something is dragged: digits, one point, minus turns the sign. */
export class Typed {
	text = '';

	/** whether the key belonged to a number */
	take(key) {
		if (/^[0-9]$/.test(key)) this.text += key;
		else if ((key === '.' || key === ',') && !this.text.includes('.')) this.text += '.';
		else if (key === '-') this.text = this.text.startsWith('-') ? this.text.slice(1) : `-${this.text}`;
		else if (key === 'Backspace' && this.text !== '') this.text = this.text.slice(0, -1);
		else return false;
		return true;
	}

	/** the number, or null where none is typed */
	get value() {
		const value = Number.parseFloat(this.text);
		return Number.isFinite(value) ? value : null;
	}
}
