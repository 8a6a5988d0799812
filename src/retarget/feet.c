/* retarget/feet.c: see feet.h. */
#include "retarget/feet.h"

#include "retarget/align.h"
#include "retarget/two_bones.h"

/* of a leg's length: how far it stretches; straight legs have no plane to bend in */
static const double most_reach = 0.9995;
/* of the height: how deep feet may be in the ground where the source's are; most files have some */
static const double deepest = 0.005;
/* A knee that is bent by an angle b brings the foot nearer by sin(b/2) / 2 of the leg's length for a
   radian more: this at the 25 degrees of walking. */
static const double knee_lift = 0.1;

/* ---- goals ---- */

/* Where a joint of the foot belongs: as far from the pelvis' start as the source's, times the
   scale, and as high above where it stands. */
static ossai_vec3 place_of_joint(const ossai_legs *legs, const ossai_leg_pair *pair, ossai_vec3 source_joint,
	double source_level, double own_level, ossai_quat turn)
{
	const ossai_actor *target = legs->target;
	const ossai_quat about = ossai_heading_of(target, turn);
	const ossai_mat3 heading = ossai_quat_matrix(about);
	const ossai_vec3 path = ossai_scale(
		ossai_level(target, ossai_carry_vector(legs->target, legs->source, ossai_sub(source_joint, legs->source->pelvis))),
		legs->stride);
	const ossai_vec3 place = ossai_add(
		ossai_add(ossai_level(target, target->pelvis), path), ossai_mat3_mul_v(&heading, pair->stance));
	return ossai_madd(
		place, own_level + legs->scale * (ossai_height_of(legs->source, source_joint) - source_level), target->frame.up);
}

/* Where the ankle belongs, and how much that counts against where directions put it. */
static ossai_vec3 ankle_goal(
	const ossai_legs *legs, const ossai_leg_pair *pair, const ossai_moved *moved, const double *worlds, double *weight)
{
	const ossai_actor *target = legs->target;
	const uint32_t end = pair->own->limb.end, tip = pair->own->limb.tip;
	const ossai_vec3 ankle = ossai_world_joint(worlds, pair->other->limb.end);
	const double by_ankle = ossai_stands(legs->source, ankle, pair->ankle_level);
	ossai_vec3 goal = place_of_joint(legs, pair, ankle, pair->ankle_level, target->ground + pair->own->ankle, moved->turn[end]);
	*weight = by_ankle;
	if (!pair->has_toes) return goal;
	const ossai_vec3 toes = ossai_world_joint(worlds, pair->other->limb.tip);
	const double by_toes = ossai_stands(legs->source, toes, pair->toe_level);
	const ossai_vec3 foot = ossai_sub(ossai_rest_joint(target, tip), ossai_rest_joint(target, end));
	const ossai_mat3 turn = ossai_quat_matrix(moved->turn[end]),
					 heading = ossai_quat_matrix(ossai_heading_of(target, moved->turn[end]));
	const ossai_vec3 source_foot = ossai_carry_vector(target, legs->source,
		ossai_sub(
			ossai_rest_joint(legs->source, pair->other->limb.tip), ossai_rest_joint(legs->source, pair->other->limb.end)));
	/* feet of other lengths: the ankles stand above each other at rest, not the toes */
	const ossai_vec3 longer = ossai_level(target, ossai_madd(foot, -legs->stride, source_foot));
	ossai_vec3 by_tip = place_of_joint(
		legs, pair, toes, pair->toe_level, ossai_height_of(target, ossai_rest_joint(target, tip)), moved->turn[end]);
	by_tip = ossai_sub(ossai_add(by_tip, ossai_mat3_mul_v(&heading, longer)), ossai_mat3_mul_v(&turn, foot));
	*weight = fmax(by_ankle, by_toes);
	return by_ankle + by_toes > 0 ? ossai_lerp(goal, by_tip, by_toes / (by_ankle + by_toes)) : goal;
}

/* ---- the ground ---- */

/* How deep the target's foot may be in the ground: as deep as the source's is, but not deeper than
   anybody sees. */
static double source_depth(const ossai_legs *legs, const ossai_leg_pair *pair, const double *worlds)
{
	const ossai_actor *source = legs->source;
	double low = INFINITY;
	if (!source->has_ground) return 0;
	for (size_t i = 0; i < pair->other->sole_count; i++) {
		const ossai_sole_point *point = &pair->other->sole[i];
		const ossai_rigid world = ossai_rigid_of(worlds + 12 * (size_t)point->bone);
		low = fmin(low, ossai_height_of(source, ossai_rigid_point(&world, point->local)));
	}
	return fmin(deepest * legs->target->height, legs->scale * fmax(0, source->ground - low));
}

/* the lowest point of a foot over its ankle, where the foot has turned by `turn` on top of its pose */
static double sole_over_ankle(const ossai_legs *legs, const ossai_leg_pair *pair, const ossai_moved *moved, ossai_quat turn)
{
	const ossai_actor *target = legs->target;
	const ossai_actor_leg *leg = pair->own;
	const ossai_mat3 more = ossai_quat_matrix(turn);
	const ossai_vec3 above = ossai_mat3_tmul_v(&more, target->frame.up);
	uint32_t bone = OSSA_NONE;
	ossai_vec3 up = {0, 0, 0}, from = {0, 0, 0};
	double low = 0, height = 0;
	for (size_t i = 0; i < leg->sole_count; i++) {
		const ossai_sole_point *point = &leg->sole[i];
		if (point->bone != bone) {
			const ossai_mat3 turned = ossai_quat_matrix(moved->turn[point->bone]);
			bone = point->bone;
			up = ossai_mat3_tmul_v(&turned, above);
			from = ossai_rest_joint(target, bone);
			height = ossai_dot(above, ossai_sub(moved->joint[bone], moved->joint[leg->limb.end]));
		}
		low = fmin(low, height + ossai_dot(up, ossai_sub(point->position, from)));
	}
	return low;
}

/* how much lower than the ground allows the sole is with the ankle at the goal; <= 0: it is not */
static double depth_at(
	const ossai_legs *legs, const ossai_leg_pair *pair, const ossai_moved *moved, const double *worlds, ossai_vec3 goal)
{
	const double floor = legs->target->ground - source_depth(legs, pair, worlds) - ossai_height_of(legs->target, goal);
	return floor - sole_over_ankle(legs, pair, moved, ossai_quat_identity());
}

/* How much farther a foot that turns about an axis is from the source's direction: half the change of
   the squared distance of both unit vectors by radian, an angle where they are near each other. */
static double departure(
	const ossai_legs *legs, const ossai_leg_pair *pair, const ossai_moved *moved, const double *worlds, ossai_vec3 axis)
{
	const ossai_actor_limb *own = &pair->own->limb, *other = &pair->other->limb;
	const ossai_vec3 none = {0, 0, 0};
	if (!pair->has_toes) return 0;
	const ossai_vec3 now = ossai_unit(ossai_sub(moved->joint[own->tip], moved->joint[own->end]), none);
	const ossai_vec3 wanted = ossai_unit(
		ossai_sub(ossai_world_joint(worlds, other->tip), ossai_world_joint(worlds, other->end)), none);
	return ossai_dot(ossai_sub(now, ossai_carry_vector(legs->target, legs->source, wanted)), ossai_cross(axis, now));
}

/* Where the sole would be below the ground with the ankle at the goal, the foot turns towards level
   and the ankle is raised by the rest: the least squares of the angles by which foot and knee depart
   from the source's, for small ones. Returns the foot's rotation vector. */
static ossai_vec3 level_turn(
	const ossai_legs *legs, const ossai_leg_pair *pair, const ossai_moved *moved, const double *worlds, ossai_vec3 goal)
{
	const double small = 1e-3;
	const ossai_vec3 none = {0, 0, 0};
	const double depth = depth_at(legs, pair, moved, worlds, goal);
	if (!(depth > 0)) return none;
	const ossai_quat now = moved->turn[pair->own->limb.end];
	const ossai_quat to_level = ossai_quat_mul(ossai_heading_of(legs->target, now), ossai_quat_conjugate(now));
	const ossai_vec3 vector = ossai_scale(ossai_v3(to_level.x, to_level.y, to_level.z), to_level.w < 0 ? -1 : 1);
	const ossai_vec3 axis = ossai_unit(vector, none);
	const double more = sole_over_ankle(legs, pair, moved, ossai_quat_axis_angle(axis, small));
	const double per_radian = (more - sole_over_ankle(legs, pair, moved, ossai_quat_identity())) / small;
	const double knee = knee_lift * pair->own->limb.length;
	if (!(per_radian > 0)) return none;
	const double more_off = fmax(0, departure(legs, pair, moved, worlds, axis));
	const double share = (depth * per_radian - knee * knee * more_off) / (per_radian * per_radian + knee * knee);
	return ossai_scale(axis, fmin(fmax(0, share), ossai_quat_angle(to_level)));
}

/* ---- legs ---- */

/* where the middle of a leg points when it bends: knees of people ahead, however they are modelled;
   those of animals as at rest */
static ossai_vec3 ahead_of(const ossai_actor *a, const ossai_actor_limb *limb)
{
	const ossai_vec3 upper = ossai_rest_joint(a, limb->upper), end = ossai_rest_joint(a, limb->end);
	if (limb->part[0] == OSSA_PART_UPPER_LEG) return a->frame.front;
	const ossai_vec3 along = ossai_unit(ossai_sub(end, upper), a->frame.up),
					 middle = ossai_sub(ossai_rest_joint(a, limb->lower), upper);
	return ossai_unit(ossai_madd(middle, -ossai_dot(middle, along), along), a->frame.front);
}

/* how much lower the hip has to be for the leg to reach the goal */
static double too_high(const ossai_actor *a, const ossai_actor_limb *limb, ossai_vec3 hip, ossai_vec3 goal)
{
	const double length = most_reach * limb->length, up = ossai_height_of(a, ossai_sub(hip, goal));
	const double aside = ossai_length(ossai_level(a, ossai_sub(hip, goal)));
	return aside >= length ? 0 : fmax(0, up - sqrt(length * length - aside * aside));
}

/* How much higher the body has to be for its legs to keep their directions with the feet at their
   goals: the mean over the feet that stand. */
static double shift_to_goals(const ossai_legs *legs, const ossai_moved *moved, const ossai_vec3 *goal, const double *weight)
{
	double sum = 0, total = 0, most = 0;
	for (size_t i = 0; i < legs->count; i++) {
		const ossai_vec3 ankle = moved->joint[legs->pair[i].own->limb.end];
		sum += weight[i] * ossai_height_of(legs->target, ossai_sub(goal[i], ankle));
		total += weight[i];
		most = fmax(most, weight[i]);
	}
	return total > 0 ? sum * most / total : 0;
}

/* the goal, raised to where the sole is not below the ground */
static ossai_vec3 on_ground(
	const ossai_legs *legs, const ossai_leg_pair *pair, const ossai_moved *moved, const double *worlds, ossai_vec3 goal)
{
	return ossai_madd(goal, fmax(0, depth_at(legs, pair, moved, worlds, goal)), legs->target->frame.up);
}

/* Moves the body up or down for its feet, and fills where the ankles belong and how much that counts
   against their directions. Soles of feet that stand are raised above the ground with the body,
   which turns neither feet nor knees. */
static void find_goals(const ossai_legs *legs, ossai_moved *moved, const double *worlds, ossai_vec3 *goal, double *weight)
{
	for (size_t i = 0; i < legs->count; i++) {
		goal[i] = ankle_goal(legs, &legs->pair[i], moved, worlds, &weight[i]);
		goal[i] = on_ground(legs, &legs->pair[i], moved, worlds, goal[i]);
	}
	const double shift = shift_to_goals(legs, moved, goal, weight);
	ossai_moved_place(moved, ossai_madd(moved->joint[moved->hips], shift, legs->target->frame.up));
	for (size_t i = 0; i < legs->count; i++)
		goal[i] = ossai_lerp(moved->joint[legs->pair[i].own->limb.end], goal[i], weight[i]);
}

void ossai_level_feet(const ossai_legs *legs, ossai_moved *moved, const double *worlds, ossai_vec3 *turns)
{
	ossai_vec3 goal[OSSAI_ACTOR_LEGS];
	double weight[OSSAI_ACTOR_LEGS];
	find_goals(legs, moved, worlds, goal, weight);
	for (size_t i = 0; i < legs->count; i++) turns[i] = level_turn(legs, &legs->pair[i], moved, worlds, goal[i]);
}

void ossai_place_feet(const ossai_legs *legs, ossai_moved *moved, const double *worlds, const ossai_vec3 *turns)
{
	const ossai_actor *target = legs->target;
	ossai_vec3 goal[OSSAI_ACTOR_LEGS];
	double weight[OSSAI_ACTOR_LEGS], drop = 0;
	for (size_t i = 0; i < legs->count; i++) {
		const ossai_actor_limb *limb = &legs->pair[i].own->limb;
		ossai_moved_turn_part(moved, limb->part[2], limb->side, ossai_quat_exp(turns[i]));
		ossai_moved_turn_part(moved, limb->part[3], limb->side, ossai_quat_exp(turns[i]));
	}
	ossai_moved_place(moved, moved->joint[moved->hips]);
	find_goals(legs, moved, worlds, goal, weight);
	for (size_t i = 0; i < legs->count; i++) {
		const ossai_actor_limb *limb = &legs->pair[i].own->limb;
		goal[i] = on_ground(legs, &legs->pair[i], moved, worlds, goal[i]);
		drop = fmax(drop, weight[i] * too_high(target, limb, moved->joint[limb->upper], goal[i]));
	}
	if (drop > 0) ossai_moved_place(moved, ossai_madd(moved->joint[moved->hips], -drop, target->frame.up));
	/* what does not stand goes down with the body */
	for (size_t i = 0; i < legs->count && drop > 0; i++) {
		goal[i] = ossai_madd(goal[i], -(1 - weight[i]) * drop, target->frame.up);
		goal[i] = on_ground(legs, &legs->pair[i], moved, worlds, goal[i]);
	}
	for (size_t i = 0; i < legs->count; i++)
		ossai_reach(moved, &legs->pair[i].own->limb, goal[i], most_reach, ahead_of(target, &legs->pair[i].own->limb), true);
	ossai_moved_place(moved, moved->joint[moved->hips]);
}
