/* edit/plan_motion.c: the motion of a planned rig.

   Place in the path: part of plan.c.
   Input: the motion of the old bones.
   Output: that of the new bones, and the properties of their joints that follow from it.
   Every bone has the world rotation of its source. Bones have constant lengths, so a joint follows
   its parent. With ossai_tree_plan.may_slide, or where bones slid before, every joint follows its
   source instead; if that is no different from constant lengths, those are kept. */
#include "edit/plan_parts.h"

#include "rig/assemble.h"
#include "rig/pose.h"
#include "rig/slides.h"
#include "rig/universal_joint.h"

#include <string.h>

/* of the diagonal: the rounding error of a position */
static const double ROUNDING = 1e-9;

typedef struct replan_motion {
	const ossai_replan *r;
	const ossa_clip *old;
	ossa_clip *clip;
	double *skin;       /* B x 12: the old bones' skinning matrices in the current frame */
	ossai_rigid *world; /* of the new joints in it */
	double most_slide;
} replan_motion;

/* the joint's frame as its source moves it */
static ossai_rigid carried(const replan_motion *m, size_t b)
{
	const ossai_rigid skin = ossai_rigid_of(m->skin + 12 * (size_t)ossai_planned(m->r, b)->source);
	const ossai_rigid rest = ossai_rest_frame(&m->r->bones[b]);
	return ossai_rigid_mul(&skin, &rest);
}

static void set_rotation(const replan_motion *m, size_t frame, size_t b, const ossai_rigid *local)
{
	const size_t count = m->r->count;
	double *to = m->clip->rotations + 4 * (frame * count + b);
	if (m->r->has_same_axes[b]) {
		/* the same turn, to the last bit */
		const size_t was = frame * m->old->bone_count + ossai_planned(m->r, b)->kept;
		memcpy(to, m->old->rotations + 4 * was, 4 * sizeof *to);
		return;
	}
	ossai_quat q = ossai_quat_unit(ossai_mat3_quat(&local->r));
	ossai_quat_store_after(q, frame > 0 ? to - 4 * count : NULL, to);
}

static void fill_frame(replan_motion *m, size_t frame)
{
	const ossa_bone *bones = m->r->bones;
	ossai_skin_matrices(m->r->old, m->old, frame, m->skin);
	for (size_t b = 0; b < m->r->count; b++) {
		const int32_t parent = bones[b].parent;
		const ossai_rigid world = carried(m, b);
		ossai_rigid local = world;
		if (parent >= 0) {
			const ossai_rigid up = ossai_rigid_inverse(&m->world[parent]);
			local = ossai_rigid_mul(&up, &world);
			const ossai_vec3 rest = ossai_rest_offset(bones, b);
			m->most_slide = fmax(m->most_slide, ossai_distance(rest, local.t));
			if (!m->clip->translations) local.t = rest;
			m->world[b] = ossai_rigid_mul(&m->world[parent], &local);
		} else {
			m->world[b] = world;
			ossai_v3_store(world.t, m->clip->root_positions + 3 * frame);
		}
		set_rotation(m, frame, b, &local);
		if (m->clip->translations) ossai_v3_store(local.t, m->clip->translations + 3 * (frame * m->r->count + b));
	}
}

ossa_status ossai_replan_clip(const ossai_replan *r, const ossa_clip *old, bool is_free, ossa_clip **clip)
{
	const bool slides = old->translations != NULL || r->plan->may_slide;
	replan_motion m = {.r = r, .old = old};
	*clip = NULL;
	m.skin = ossai_arena_new(r->arena, r->old->skeleton.bone_count, 12 * sizeof *m.skin);
	m.world = ossai_arena_new(r->arena, r->count, sizeof *m.world);
	if (!m.skin || !m.world) return ossa_context_error(r->arena->context)->status;
	OSSAI_TRY(ossa_clip_create(r->arena->context, old->frame_count, r->count, slides, &m.clip));
	memcpy(m.clip->name, old->name, sizeof old->name);
	memcpy(m.clip->times, old->times, old->frame_count * sizeof *old->times);
	for (size_t k = 0; k < old->frame_count; k++) fill_frame(&m, k);
	if (slides && !is_free && m.most_slide <= ROUNDING * r->diagonal) {
		ossa_free(r->arena->context, m.clip->translations);
		m.clip->translations = NULL;
	}
	if (m.clip->translations && !old->translations) {
		ossai_warn(r->arena->context, "bones-slide", 1,
			"bones slide against their parents now, by up to %.3g, so that the motion does not change; solving gives them "
			"constant lengths again",
			m.most_slide);
	}
	*clip = m.clip;
	return OSSA_OK;
}

/* ---- joint properties by the motion ---- */

static double length_of(const ossa_bone *bone) { return ossai_distance(ossai_v3_of(bone->joint), ossai_v3_of(bone->tail)); }

/* whether a joint of a rig with joints that slide does not stay in place: then its turns do not say
   what it is */
static bool moves_apart(const ossai_replan *r, const ossa_bone *bone, const ossai_rigid *pair, size_t frames)
{
	const ossai_vec3 joint = ossai_v3_of(bone->joint);
	for (size_t k = 0; k < frames && ossai_rig_slides(&r->old->skeleton); k++) {
		const ossai_vec3 here = ossai_rigid_point(&pair[k], joint), there = ossai_rigid_point(&pair[frames + k], joint);
		if (ossai_distance(here, there) > ROUNDING * r->diagonal) return true;
	}
	return false;
}

static void judge_bone(const ossai_replan *r, size_t b, const ossai_rigid *of_all, ossai_rigid *pair)
{
	const size_t frames = r->old->clip->frame_count;
	ossa_bone *bone = &r->bones[b];
	/* kept: a mirror image, or the other side of a joint */
	if (bone->kind == OSSA_JOINT_PRISMATIC) return;
	const uint32_t sources[] = {ossai_planned(r, (size_t)bone->parent)->source, ossai_planned(r, b)->source};
	for (size_t side = 0; side < 2; side++) {
		for (size_t k = 0; k < frames; k++) {
			pair[side * frames + k] = of_all[k * r->old->skeleton.bone_count + sources[side]];
		}
	}
	const ossai_bone_motion motion = {.bone_count = 2, .pose_count = frames, .rigid = pair};
	double noise[9];
	ossai_turn_noise_of_lengths(length_of(bone) / r->diagonal, length_of(&r->bones[bone->parent]) / r->diagonal, noise);
	/* no poses are counted until vertices are compared: two axes are not shown */
	ossai_bone_classify(&(ossai_turning){&motion, 0, 1, 0}, noise, bone);
	if (!moves_apart(r, bone, pair, frames)) return;
	bone->kind = OSSA_JOINT_UNKNOWN;
	ossai_bone_forget_axes(bone);
}

ossa_status ossai_replan_judge(const ossai_replan *r)
{
	const size_t frames = r->old->clip->frame_count, bones = r->old->skeleton.bone_count;
	bool any = false;
	for (size_t b = 1; b < r->count; b++) any = any || (!r->turns_alike[b] && !r->is_free);
	if (!any || frames == 0) return OSSA_OK;
	double *skin = ossai_arena_new(r->arena, bones, 12 * sizeof *skin);
	ossai_rigid *of_all = ossai_arena_new(r->arena, frames, bones * sizeof *of_all);
	ossai_rigid *pair = ossai_arena_new(r->arena, frames, 2 * sizeof *pair);
	if (!skin || !of_all || !pair) return ossa_context_error(r->arena->context)->status;
	for (size_t k = 0; k < frames; k++) {
		ossai_skin_matrices(r->old, r->old->clip, k, skin);
		for (size_t b = 0; b < bones; b++) of_all[k * bones + b] = ossai_rigid_of(skin + 12 * b);
	}
	for (size_t b = 1; b < r->count; b++) {
		if (!r->turns_alike[b]) judge_bone(r, b, of_all, pair);
	}
	return OSSA_OK;
}
