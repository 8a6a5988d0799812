/* rig/levels.c: makes the rig of a coarser level of articulation, or without some bones.

   Place in the path: rig -> here -> export.
   Input: a rig whose bones have levels, or the bones to remove.
   Output: a rig of fewer bones. A removed bone's weights and children go to its nearest ancestor
   that is left. Frames of joints do not change, so that the motion of one level fits all. */
#include "rig/levels.h"

#include "rig/clips.h"
#include "rig/dependencies.h"
#include "rig/pose.h"
#include "rig/weight_pairs.h"

#include "base/context.h"
#include "math/vec.h"

#include <stdio.h>
#include <string.h>

typedef struct coarsening {
	ossa_context *context;
	const ossa_rig *rig;
	ossa_rig *to;
	int level;
	const uint8_t *gone; /* B, or NULL: bones that the level does not have */
	uint32_t *new_index; /* B: the corresponding bone of the coarser rig */
	uint32_t *from;      /* of the coarser rig's bones */
	size_t kept;
} coarsening;

static bool stays(const coarsening *c, size_t bone) { return c->gone ? !c->gone[bone] : c->rig->last_level[bone] >= c->level; }

/* parents come first: the bone that replaces a bone's parent is known before it */
static void map_bones(coarsening *c)
{
	for (size_t b = 0; b < c->rig->skeleton.bone_count; b++) {
		const int32_t parent = c->rig->skeleton.bones[b].parent;
		if (b > 0 && !stays(c, b)) {
			c->new_index[b] = c->new_index[parent];
			continue;
		}
		c->from[c->kept] = (uint32_t)b;
		c->new_index[b] = (uint32_t)c->kept++;
	}
}

/* ---- bones ---- */

/* the joints of the children, or the tail of a removed bone, if that is farther than the bone's
   own */
static void place_tail(const coarsening *c, size_t i)
{
	const ossa_skeleton *old = &c->rig->skeleton;
	ossa_bone *bone = &c->to->skeleton.bones[i];
	const ossai_vec3 joint = ossai_v3_of(bone->joint);
	ossai_vec3 sum = {0, 0, 0}, end = ossai_v3_of(bone->tail);
	size_t children = 0;
	for (size_t b = i + 1; b < c->kept; b++) {
		if (c->to->skeleton.bones[b].parent != (int32_t)i) continue;
		sum = ossai_add(sum, ossai_v3_of(c->to->skeleton.bones[b].joint));
		children++;
	}
	for (size_t b = 0; b < old->bone_count; b++) {
		const ossai_vec3 tail = ossai_v3_of(old->bones[b].tail);
		if (c->new_index[b] == i && ossai_distance(tail, joint) > ossai_distance(end, joint)) end = tail;
	}
	if (children > 0) end = ossai_scale(sum, 1 / (double)children);
	/* a bone has a length */
	if (ossai_distance(end, joint) > 0) ossai_v3_store(end, bone->tail);
}

static void fill_bones(const coarsening *c)
{
	for (size_t i = 0; i < c->kept; i++) {
		ossa_bone *bone = &c->to->skeleton.bones[i];
		*bone = c->rig->skeleton.bones[c->from[i]];
		if (bone->parent >= 0) bone->parent = (int32_t)c->new_index[bone->parent];
		if (c->to->last_level) c->to->last_level[i] = (uint8_t)(c->rig->last_level[c->from[i]] - c->level);
	}
	if (c->to->last_level) c->to->last_level[0] = (uint8_t)(c->rig->level_count - 1 - c->level);
	for (size_t i = 0; i < c->kept; i++) {
		/* a bone that lost no child keeps its tail */
		bool changed = false;
		for (size_t b = 1; b < c->rig->skeleton.bone_count; b++) changed = changed || (c->new_index[b] == i && c->from[i] != b);
		if (changed) place_tail(c, i);
	}
}

/* ---- weights ---- */

static void fill_weights(const coarsening *c)
{
	const ossa_weights *old = &c->rig->weights;
	const size_t width = (size_t)old->influences;
	for (size_t v = 0; v < old->vertex_count; v++) {
		ossai_weight_pairs pairs;
		pairs.count = 0;
		for (size_t k = v * width; k < (v + 1) * width; k++) {
			const double value = (double)old->values[k];
			if (value > 0) ossai_weight_pairs_add(&pairs, (uint32_t)c->new_index[old->bones[k]], value);
		}
		ossai_weight_pairs_sort(&pairs);
		ossai_weight_pairs_store(&pairs, pairs.count, 1, &c->to->weights, v);
	}
}

/* ---- motion ---- */

/* a bone's transform relative to its new parent: through all removed bones in between */
static ossai_rigid local_of(const coarsening *c, const ossa_clip *clip, size_t frame, size_t bone)
{
	const ossa_skeleton *old = &c->rig->skeleton;
	const size_t n = clip->bone_count;
	ossai_rigid local = {ossai_quat_matrix(ossai_quat_of(clip->rotations + 4 * (frame * n + bone))), {0, 0, 0}};
	if (clip->translations) local.t = ossai_v3_of(clip->translations + 3 * (frame * n + bone));
	for (int32_t up = old->bones[bone].parent; up >= 0 && c->from[c->new_index[up]] != (uint32_t)up;
		 up = old->bones[up].parent) {
		ossai_rigid above = {ossai_quat_matrix(ossai_quat_of(clip->rotations + 4 * (frame * n + (size_t)up))), {0, 0, 0}};
		if (clip->translations) above.t = ossai_v3_of(clip->translations + 3 * (frame * n + (size_t)up));
		local = ossai_rigid_mul(&above, &local);
	}
	return local;
}

static ossa_status coarsen_clip(void *user, const ossa_clip *old, ossa_clip **coarser)
{
	const coarsening *c = user;
	OSSAI_TRY(ossa_clip_create(c->context, old->frame_count, c->kept, old->translations != NULL, coarser));
	ossa_clip *clip = *coarser;
	memcpy(clip->name, old->name, sizeof clip->name);
	memcpy(clip->times, old->times, old->frame_count * sizeof *clip->times);
	memcpy(clip->root_positions, old->root_positions, old->frame_count * 3 * sizeof *clip->root_positions);
	for (size_t k = 0; k < old->frame_count; k++) {
		for (size_t i = 0; i < c->kept; i++) {
			const ossai_rigid local = local_of(c, old, k, c->from[i]);
			double *to = clip->rotations + 4 * (k * c->kept + i);
			ossai_quat q = ossai_mat3_quat(&local.r);
			ossai_quat_store_after(q, k > 0 ? to - 4 * c->kept : NULL, to);
			if (clip->translations) ossai_v3_store(local.t, clip->translations + 3 * (k * c->kept + i));
		}
	}
	return OSSA_OK;
}

/* ---- loops ---- */

static ossa_status fill_loops(const coarsening *c)
{
	const size_t count = c->rig->loop_count;
	if (count == 0) return OSSA_OK;
	c->to->loops = ossai_new(c->context, count, sizeof *c->to->loops);
	if (!c->to->loops) return ossa_context_error(c->context)->status;
	c->to->loop_count = count;
	for (size_t i = 0; i < count; i++) {
		c->to->loops[i] = c->rig->loops[i];
		for (int side = 0; side < 2; side++) {
			c->to->loops[i].bones[side] = (int32_t)c->new_index[c->rig->loops[i].bones[side]];
		}
	}
	return OSSA_OK;
}

/* of the bones that still turn against the same parent */
static ossa_status fill_dependencies(const coarsening *c)
{
	const ossa_skeleton *old = &c->rig->skeleton;
	if (c->rig->dependency_count == 0) return OSSA_OK;
	uint32_t *new_of = ossai_new(c->context, old->bone_count, sizeof *new_of);
	if (!new_of) return ossa_context_error(c->context)->status;
	for (size_t b = 0; b < old->bone_count; b++) {
		const int32_t parent = old->bones[b].parent;
		const bool is_left = c->from[c->new_index[b]] == b && (parent < 0 || c->from[c->new_index[parent]] == (uint32_t)parent);
		new_of[b] = is_left ? c->new_index[b] : OSSA_NONE;
	}
	const ossa_status status = ossai_dependencies_copy(
		c->context, c->rig, new_of, &c->to->dependencies, &c->to->dependency_count);
	ossa_free(c->context, new_of);
	return status;
}

static ossa_status make(coarsening *c)
{
	const ossa_rig *rig = c->rig;
	const size_t bones = rig->skeleton.bone_count;
	c->new_index = ossai_new(c->context, bones, sizeof *c->new_index);
	c->from = ossai_new(c->context, bones, sizeof *c->from);
	if (!c->new_index || !c->from) return ossa_context_error(c->context)->status;
	map_bones(c);
	OSSAI_TRY(ossa_rig_create(c->context, rig->mesh, c->kept, rig->weights.influences, &c->to));
	if (rig->last_level) c->to->last_level = ossa_alloc(c->context, c->kept, 1);
	if (rig->last_level && !c->to->last_level) return ossa_context_error(c->context)->status;
	c->to->level_count = rig->level_count - c->level;
	memcpy(c->to->method, rig->method, sizeof rig->method);
	c->to->pieces = rig->pieces;
	c->to->body = rig->body;
	fill_bones(c);
	fill_weights(c);
	ossai_clips clips;
	OSSAI_TRY(ossai_clips_change(c->context, rig, coarsen_clip, c, &clips));
	ossai_clips_put(c->to, &clips);
	OSSAI_TRY(fill_dependencies(c));
	return fill_loops(c);
}

static ossa_status finish(coarsening *c, ossa_rig **rig)
{
	const ossa_status status = make(c);
	ossa_free(c->context, c->new_index);
	ossa_free(c->context, c->from);
	if (status == OSSA_OK) *rig = c->to;
	else ossa_rig_free(c->context, c->to);
	return status;
}

ossa_status ossa_rig_of_level(ossa_context *context, const ossa_rig *rig, int level, ossa_rig **coarser)
{
	if (coarser) *coarser = NULL;
	OSSAI_NEED(context, rig, coarser);
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	coarsening c = {.context = context, .rig = rig, .level = level};
	if (level < 0 || level >= rig->level_count || !rig->last_level) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
			"the rig has %d levels of articulation, from 0: there is no level %d", rig->level_count, level);
	}
	return finish(&c, coarser);
}

ossa_status ossai_rig_without(ossa_context *context, const ossa_rig *rig, const uint8_t *gone, ossa_rig **fewer)
{
	coarsening c = {.context = context, .rig = rig, .gone = gone};
	*fewer = NULL;
	return finish(&c, fewer);
}
