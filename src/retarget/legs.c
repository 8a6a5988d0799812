/* retarget/legs.c: see legs.h. */
#include "retarget/legs.h"

#include "base/order.h"
#include "retarget/align.h"

#include <stdlib.h>

/* of the leg's length: a joint so high above where it stands still stands by a third */
static const double lift = 0.15;
/* Standard deviations: of a foot's place, of the leg's length; of strides by the scale. */
static const double step_noise = 0.02, stride_prior = 0.1;
/* share of frames in which the feet of a source without a mesh are below its ground */
static const double below_ground = 0.05;

/* the part of a turn about the vertical */
ossai_quat ossai_heading_of(const ossai_actor *a, ossai_quat turn)
{
	const ossai_vec3 axis = ossai_scale(a->frame.up, ossai_dot(ossai_v3(turn.x, turn.y, turn.z), a->frame.up));
	return ossai_quat_unit((ossai_quat){axis.x, axis.y, axis.z, turn.w});
}

double ossai_stands(const ossai_actor *source, ossai_vec3 joint, double level)
{
	const double high = (ossai_height_of(source, joint) - level) / (lift * source->leg_length);
	return high <= 0 ? 1 : exp(-high * high);
}

/* ---- what stays over all frames ---- */

/* By frame: how low the lowest of these bones is; then the height that it seldom is below. */
static ossa_status lowest_stand(
	ossai_arena *arena, const ossai_actor *a, const uint32_t *bones, size_t bone_count, double *found)
{
	const ossa_clip *clip = a->rig->clip;
	double *worlds = ossai_arena_new(arena, a->rig->skeleton.bone_count, 12 * sizeof *worlds);
	double *low = ossai_arena_new(arena, clip->frame_count, sizeof *low);
	if (!worlds || !low) return ossa_context_error(arena->context)->status;
	for (size_t f = 0; f < clip->frame_count; f++) {
		ossa_rig_joint_matrices(a->rig, clip, f, worlds);
		low[f] = INFINITY;
		for (size_t i = 0; i < bone_count; i++) low[f] = fmin(low[f], ossai_height_of(a, ossai_world_joint(worlds, bones[i])));
	}
	qsort(low, clip->frame_count, sizeof *low, ossai_compare_doubles);
	*found = low[(size_t)(below_ground * (double)clip->frame_count)];
	return OSSA_OK;
}

/* a mesh shows where the ground is at rest; else feet stand at the level of those that stand */
static ossa_status find_levels(ossai_arena *arena, ossai_legs *legs)
{
	const ossai_actor *source = legs->source;
	uint32_t ankles[OSSAI_ACTOR_LEGS], toes[OSSAI_ACTOR_LEGS];
	size_t toe_count = 0;
	double ankle = 0, toe = 0;
	for (size_t i = 0; i < legs->count; i++) {
		ossai_leg_pair *pair = &legs->pair[i];
		ankles[i] = pair->other->limb.end;
		pair->ankle_level = ossai_height_of(source, ossai_rest_joint(source, ankles[i]));
		if (!pair->has_toes) continue;
		toes[toe_count++] = pair->other->limb.tip;
		pair->toe_level = ossai_height_of(source, ossai_rest_joint(source, pair->other->limb.tip));
	}
	if (source->has_ground) return OSSA_OK;
	OSSAI_TRY(lowest_stand(arena, source, ankles, legs->count, &ankle));
	if (toe_count > 0) OSSAI_TRY(lowest_stand(arena, source, toes, toe_count, &toe));
	for (size_t i = 0; i < legs->count; i++) {
		legs->pair[i].ankle_level = ankle;
		legs->pair[i].toe_level = toe;
	}
	return OSSA_OK;
}

static const ossai_actor_leg *same_leg(const ossai_actor *a, const ossai_actor_limb *limb)
{
	for (size_t i = 0; i < a->leg_count; i++) {
		if (a->leg[i].limb.part[0] == limb->part[0] && a->leg[i].limb.side == limb->side) return &a->leg[i];
	}
	return NULL;
}

ossa_status ossai_find_legs(ossai_arena *arena, const ossai_actor *target, const ossai_actor *source, ossai_legs *legs)
{
	*legs = (ossai_legs){.target = target, .source = source};
	legs->scale = legs->stride = target->leg_length / source->leg_length;
	for (size_t i = 0; i < target->leg_count; i++) {
		const ossai_actor_leg *own = &target->leg[i], *other = same_leg(source, &own->limb);
		if (!other) continue;
		ossai_leg_pair *pair = &legs->pair[legs->count++];
		*pair = (ossai_leg_pair){.own = own, .other = other};
		pair->has_toes = own->limb.tip != OSSA_NONE && other->limb.tip != OSSA_NONE;
	}
	return find_levels(arena, legs);
}

/* ---- the pelvis ---- */

static ossai_vec3 source_pelvis(const ossai_legs *legs, const double *worlds)
{
	const size_t behind = legs->source->leg_count < 2 ? legs->source->leg_count : 2;
	ossai_vec3 sum = {0, 0, 0};
	for (size_t i = 0; i < behind; i++) sum = ossai_add(sum, ossai_world_joint(worlds, legs->source->leg[i].limb.upper));
	return ossai_scale(sum, 1 / (double)behind);
}

ossai_vec3 ossai_place_hips(const ossai_legs *legs, const ossai_moved *moved, const double *worlds)
{
	const ossai_actor *target = legs->target, *source = legs->source;
	const ossai_vec3 now = source_pelvis(legs, worlds);
	double own_ankle = 0, other_ankle = 0;
	for (size_t i = 0; i < legs->count; i++) {
		own_ankle += (target->ground + legs->pair[i].own->ankle) / (double)legs->count;
		other_ankle += legs->pair[i].ankle_level / (double)legs->count;
	}
	const double height = own_ankle + legs->scale * (ossai_height_of(source, now) - other_ankle);
	const ossai_vec3 path = ossai_scale(
		ossai_level(target, ossai_carry_vector(legs->target, legs->source, ossai_sub(now, source->pelvis))), legs->stride);
	const ossai_vec3 pelvis = ossai_madd(ossai_add(ossai_level(target, target->pelvis), path), height, target->frame.up);
	const ossai_mat3 turn = ossai_quat_matrix(moved->turn[moved->hips]);
	return ossai_add(pelvis, ossai_mat3_mul_v(&turn, ossai_sub(ossai_rest_joint(target, moved->hips), target->pelvis)));
}

/* ---- the stride ---- */

void ossai_add_step(ossai_legs *legs, const ossai_moved *moved, const double *worlds)
{
	const ossai_actor *target = legs->target;
	const ossai_mat3 hips = ossai_quat_matrix(moved->turn[moved->hips]);
	const ossai_vec3 offset = ossai_mat3_mul_v(&hips, ossai_sub(target->pelvis, ossai_rest_joint(target, moved->hips)));
	const ossai_vec3 pelvis = ossai_add(moved->joint[moved->hips], offset), other_pelvis = source_pelvis(legs, worlds);
	for (size_t i = 0; i < legs->count; i++) {
		ossai_leg_pair *pair = &legs->pair[i];
		const uint32_t end = pair->own->limb.end;
		const ossai_vec3 ankle = ossai_world_joint(worlds, pair->other->limb.end);
		const double weight = ossai_stands(legs->source, ankle, pair->ankle_level);
		const ossai_quat foot = ossai_heading_of(target, moved->turn[end]);
		const ossai_mat3 heading = ossai_quat_matrix(foot);
		const ossai_vec3 own = ossai_mat3_tmul_v(&heading, ossai_level(target, ossai_sub(moved->joint[end], pelvis)));
		const ossai_vec3 other = ossai_mat3_tmul_v(
			&heading, ossai_level(target, ossai_carry_vector(legs->target, legs->source, ossai_sub(ankle, other_pelvis))));
		pair->sums.weight += weight;
		pair->sums.own = ossai_madd(pair->sums.own, weight, own);
		pair->sums.other = ossai_madd(pair->sums.other, weight, other);
		pair->sums.squares += weight * ossai_length2(other);
		pair->sums.products += weight * ossai_dot(own, other);
	}
}

/* Steps are as long as legs, but for proportions: a normal distribution of the stride around the
   scale, and of feet around their places. */
void ossai_find_stride(ossai_legs *legs)
{
	const double noise = step_noise * legs->source->leg_length / stride_prior;
	double weight = 0, variance = 0, covariance = 0;
	for (size_t i = 0; i < legs->count; i++) {
		const ossai_step_sums *s = &legs->pair[i].sums;
		if (!(s->weight > 0)) continue;
		weight += s->weight;
		variance += s->squares - ossai_length2(s->other) / s->weight;
		covariance += s->products - ossai_dot(s->own, s->other) / s->weight;
	}
	if (!(weight > 0)) return;
	variance /= weight;
	covariance /= weight;
	legs->stride = (covariance + legs->scale * noise * noise) / (variance + noise * noise);
	for (size_t i = 0; i < legs->count; i++) {
		const ossai_step_sums *s = &legs->pair[i].sums;
		if (s->weight > 0) legs->pair[i].stance = ossai_scale(ossai_madd(s->own, -legs->stride, s->other), 1 / s->weight);
	}
}
