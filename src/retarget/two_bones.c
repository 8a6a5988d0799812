/* retarget/two_bones.c: see two_bones.h. */
#include "retarget/two_bones.h"

/* the angle between two sides of a triangle of which the third is `opposite` */
static double angle_between(double side, double other, double opposite)
{
	const double cosine = (side * side + other * other - opposite * opposite) / (2 * side * other);
	return acos(fmax(-1, fmin(1, cosine)));
}

void ossai_reach(ossai_moved *moved, const ossai_actor_limb *limb, ossai_vec3 goal, double most_reach, ossai_vec3 ahead)
{
	const ossai_vec3 first = moved->joint[limb->upper], end = moved->joint[limb->end];
	const ossai_vec3 upper = ossai_sub(moved->joint[limb->lower], first), whole = ossai_sub(end, first);
	const double a = ossai_length(upper), b = ossai_distance(moved->joint[limb->lower], end), now = ossai_length(whole);
	const double distance = ossai_distance(goal, first), closest = fabs(a - b) + 1e-9 * (a + b);
	const double wanted = fmax(closest, fmin(fmax(now, most_reach * (a + b)), distance));
	if (!(a > 0 && b > 0 && now > 0 && distance > 0)) return;
	const ossai_vec3 along = ossai_unit(whole, whole);
	const ossai_mat3 turn = ossai_quat_matrix(moved->turn[limb->upper]);
	const ossai_vec3 aside = ossai_cross(along, ossai_mat3_mul_v(&turn, ahead));
	const ossai_vec3 axis = ossai_unit(ossai_cross(along, upper), ossai_unit(aside, moved->actor->frame.left));
	const double at_first = angle_between(a, wanted, b) - angle_between(a, now, b);
	const double at_end = angle_between(b, wanted, a) - angle_between(b, now, a);
	const ossai_quat aim = ossai_quat_between(along, ossai_unit(ossai_sub(goal, first), along));
	ossai_moved_turn_part(moved, limb->part[0], limb->side, ossai_quat_mul(aim, ossai_quat_axis_angle(axis, at_first)));
	ossai_moved_turn_part(moved, limb->part[1], limb->side, ossai_quat_mul(aim, ossai_quat_axis_angle(axis, -at_end)));
}
