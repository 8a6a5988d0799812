/**
 * Colors of bones: well distinguishable, of similar lightness, always the same for the same number.
 */

function of_hue(hue, saturation, lightness) {
	const k = (n) => (n + hue * 12) % 12, a = saturation * Math.min(lightness, 1 - lightness);
	const f = (n) => lightness - a * Math.max(-1, Math.min(k(n) - 3, 9 - k(n), 1));
	return [f(0), f(8), f(4)];
}

/** red, green, blue from 0 to 1: hues by the golden section, three lightnesses */
export const bone_color = (b) => of_hue((0.08 + b * 0.61803398875) % 1, [0.52, 0.44, 0.6][b % 3], [0.62, 0.54, 0.7][(b >> 1) % 3]);
