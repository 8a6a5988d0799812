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

// as src/report/roles.c: hues by the side (left warm, right cool, the middle green), lightness and hue within these by the part
const SIDE_HUE = { 1: 0.13, '-1': 0.70, 0: 0.40 }, SPREAD = 0.11, LIGHTNESS = [0.64, 0.75, 0.86], CHROMA = 0.12;

const encoded = (light) => Math.max(0, Math.min(1, light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055));

/** sRGB of OKLab */
function of_lab(lightness, a, b) {
	const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3, m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3, s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
	return [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s, -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s].map(encoded);
}

/** of a bone's role, or none: by part and side of a body */
export function role_color(role) {
	if (!role) return of_lab(0.72, 0, 0);
	const share = (0.61803398874989485 * role.part_number) % 1, angle = 2 * Math.PI * (SIDE_HUE[role.side] + SPREAD * (2 * share - 1));
	return of_lab(LIGHTNESS[(role.part_number + role.number) % 3], CHROMA * Math.cos(angle), CHROMA * Math.sin(angle));
}

/** of a bone by the coloring of the look; twist bones belong to the part that they twist */
export const color_in = (coloring, bone, b, bones) => (coloring === 'roles' ? role_color(bone.role ?? (bone.name.includes('_twist_') ? bones[bone.parent].role : null)) : bone_color(b));
