/* math/turn_path.c: see turn_path.h. */
#include "math/turn_path.h"

#include "math/affine.h"

ossai_vec3 ossai_quat_log(ossai_quat turn)
{
	const ossai_vec3 v = {turn.x, turn.y, turn.z};
	const double sine = ossai_length(v);
	/* the shorter rotation: of q and -q the one whose w is not below 0 */
	const double side = turn.w < 0 ? -1 : 1;
	if (sine < 1e-12) return ossai_scale(v, 2 * side);
	return ossai_scale(v, side * 2 * atan2(sine, fabs(turn.w)) / sine);
}

ossai_quat ossai_quat_power(ossai_quat turn, double share) { return ossai_quat_exp(ossai_scale(ossai_quat_log(turn), share)); }

/* radians a second from key `i` to the next, in key i's own frame */
static ossai_vec3 velocity_to_next(const ossai_turn_key *keys, size_t i)
{
	const ossai_quat step = ossai_quat_mul(ossai_quat_conjugate(keys[i].turn), keys[i + 1].turn);
	return ossai_scale(ossai_quat_log(step), 1 / (keys[i + 1].time - keys[i].time));
}

/* at a key, in its own frame (a step's axis is the same in the frames of both its ends) */
static ossai_vec3 velocity_at(const ossai_turn_key *keys, size_t count, size_t i)
{
	const ossai_vec3 none = {0, 0, 0};
	if (i == 0 || i + 1 == count) return none;
	const ossai_vec3 before = velocity_to_next(keys, i - 1), after = velocity_to_next(keys, i);
	if (ossai_dot(before, after) <= 0) return none;
	const double come = keys[i].time - keys[i - 1].time, go = keys[i + 1].time - keys[i].time;
	const ossai_vec3 found = ossai_scale(ossai_add(ossai_scale(before, go), ossai_scale(after, come)), 1 / (come + go));
	/* no handle longer than its segment (Fritsch and Carlson 1980), which could else rotate by more
	   than half a turn */
	const double most = 3 * fmin(ossai_length(before), ossai_length(after)), speed = ossai_length(found);
	return speed > most ? ossai_scale(found, most / speed) : found;
}

/* a point of the cubic Bezier curve by three rounds of slerp */
static ossai_quat bezier(ossai_quat control[4], double s)
{
	for (int left = 3; left > 0; left--) {
		for (int i = 0; i < left; i++) control[i] = ossai_quat_slerp(control[i], control[i + 1], s);
	}
	return ossai_quat_unit(control[0]);
}

ossai_quat ossai_turn_path_at(const ossai_turn_key *keys, size_t count, double time)
{
	if (!(time > keys[0].time)) return keys[0].turn;
	if (time >= keys[count - 1].time) return keys[count - 1].turn;
	/* the key before */
	size_t i = 0, end = count - 1;
	while (end - i > 1) {
		const size_t middle = i + (end - i) / 2;
		if (keys[middle].time <= time) i = middle;
		else end = middle;
	}
	const double length = keys[i + 1].time - keys[i].time;
	const ossai_quat out = ossai_quat_exp(ossai_scale(velocity_at(keys, count, i), length / 3));
	const ossai_quat in = ossai_quat_exp(ossai_scale(velocity_at(keys, count, i + 1), -length / 3));
	ossai_quat control[4] = {
		keys[i].turn, ossai_quat_mul(keys[i].turn, out), ossai_quat_mul(keys[i + 1].turn, in), keys[i + 1].turn};
	return bezier(control, (time - keys[i].time) / length);
}
