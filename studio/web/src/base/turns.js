/**
 * Turns: quaternions x y z w and their angles about the axes of a joint, as in the library (rest Rz
 * Ry Rx). Plain arrays of doubles in, new arrays out.
 */

export const NO_TURN = Object.freeze([0, 0, 0, 1]);
export const DEGREE = Math.PI / 180;

/** a after b */
export function multiply(a, b) {
	const [ax, ay, az, aw] = a, [bx, by, bz, bw] = b;
	return [
		aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
		aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz,
	];
}

export const inverse = ([x, y, z, w]) => [-x, -y, -z, w];

export function unit(q) {
	const length = Math.hypot(...q);
	return length > 0 ? q.map((x) => x / length) : [...NO_TURN];
}

/** the vector v turned by q */
export function turn([x, y, z, w], [a, b, c]) {
	const tx = 2 * (y * c - z * b), ty = 2 * (z * a - x * c), tz = 2 * (x * b - y * a);
	return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
}

/** about a unit axis, by radians */
export function about(axis, angle) {
	const s = Math.sin(angle / 2);
	return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)];
}

/** the shortest rotation of one unit vector onto another */
export function between(from, to) {
	const cross = [from[1] * to[2] - from[2] * to[1], from[2] * to[0] - from[0] * to[2], from[0] * to[1] - from[1] * to[0]];
	const dot = from[0] * to[0] + from[1] * to[1] + from[2] * to[2];
	if (dot < -1 + 1e-12) return about(across(from), Math.PI);
	return unit([...cross, 1 + dot]);
}

/** some unit vector perpendicular to a unit vector */
export function across([x, y, z]) {
	const other = Math.abs(x) < 0.6 ? [0, z, -y] : [-z, 0, x];
	const length = Math.hypot(...other);
	return other.map((v) => v / length);
}

/** on the shorter arc from a to b */
export function mix(a, b, share) {
	let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
	const sign = dot < 0 ? -1 : 1;
	dot *= sign;
	const angle = Math.acos(Math.min(1, dot)), sine = Math.sin(angle);
	const s = sine < 1e-6 ? 1 - share : Math.sin((1 - share) * angle) / sine;
	const t = sign * (sine < 1e-6 ? share : Math.sin(share * angle) / sine);
	return unit([0, 1, 2, 3].map((k) => s * a[k] + t * b[k]));
}

/** degrees about x, y, z of a turn Rz Ry Rx; y from -90 to 90 */
export function angles_of(q) {
	const [x, y, z, w] = q;
	const sine = Math.max(-1, Math.min(1, 2 * (w * y - z * x)));
	const flat = Math.abs(sine) > 1 - 1e-9;
	const ax = flat ? 2 * Math.atan2(x, w) : Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
	const az = flat ? 0 : Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
	const wrap = (a) => (a > Math.PI ? a - 2 * Math.PI : a < -Math.PI ? a + 2 * Math.PI : a);
	return [wrap(ax) / DEGREE, Math.asin(sine) / DEGREE, az / DEGREE];
}

/** the turn Rz Ry Rx of degrees about x, y, z */
export function of_angles([x, y, z]) {
	return multiply(about([0, 0, 1], z * DEGREE), multiply(about([0, 1, 0], y * DEGREE), about([1, 0, 0], x * DEGREE)));
}

/**
 * of the angles about x, y, z that give a turn Rz Ry Rx, those nearest to others: degrees, beyond a
 * half turn where these are
 */
export function angles_near(q, near) {
	const [x, y, z] = angles_of(q), sum = (list) => list.reduce((all, angle, k) => all + (angle - near[k]) ** 2, 0);
	const unwrap = (list) => list.map((angle, k) => angle + 360 * Math.round((near[k] - angle) / 360));
	const one = unwrap([x, y, z]), other = unwrap([x + 180, 180 - y, z + 180]);
	return sum(other) < sum(one) ? other : one;
}
