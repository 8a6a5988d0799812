/* retarget/root_motion.c: the travel of a motion kept, removed, or moved to the root bone.

   Place in the path: a rig and a motion of it -> here -> the same motion for an engine.
   Input: the travel (travel.h).
   Output: a clip: ossa_clip_set_root_motion. */
#include "retarget/travel.h"

#include "rig/clips.h"
#include "rig/pose.h"

#include <string.h>

static ossa_status check(ossa_context *context, const ossa_rig *rig, const ossa_clip *clip)
{
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	if (!clip || clip->frame_count == 0 || rig->skeleton.bone_count == 0)
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "the rig has no motion");
	return ossai_rig_check_fit(context, rig, &rig->weights, clip);
}

/* ---- in place ---- */

static void stay_in_place(const ossai_travel *travel, ossa_clip *clip)
{
	for (size_t f = 0; f < clip->frame_count; f++) {
		double *root = clip->root_positions + 3 * f;
		ossai_v3_store(ossai_sub(ossai_v3_of(root), travel->shift[f]), root);
		if (clip->translations) memcpy(clip->translations + 3 * f * clip->bone_count, root, 3 * sizeof *root);
	}
}

/* ---- on the root bone ---- */

static void store_local(ossa_clip *clip, size_t frame, size_t bone, const ossai_rigid *local)
{
	double *turn = clip->rotations + 4 * (frame * clip->bone_count + bone);
	ossai_quat q = ossai_mat3_quat(&local->r);
	ossai_quat_store_after(q, frame > 0 ? turn - 4 * clip->bone_count : NULL, turn);
	ossai_v3_store(local->t, clip->translations + 3 * (frame * clip->bone_count + bone));
}

/* the root bone is carried along from its rest; its children stay where they were in the world */
static void carry_root(const ossa_rig *rig, const ossai_travel *travel, const double *worlds, size_t frame, ossa_clip *clip)
{
	const ossa_bone *bones = rig->skeleton.bones;
	const ossai_rigid rest = ossai_rest_frame(&bones[0]);
	const ossai_rigid ground = ossai_travel_at(travel, frame), root = ossai_rigid_mul(&ground, &rest);
	const ossai_rigid back = ossai_rigid_inverse(&root);
	store_local(clip, frame, 0, &root);
	ossai_v3_store(root.t, clip->root_positions + 3 * frame);
	for (size_t b = 1; b < clip->bone_count; b++) {
		double *place = clip->translations + 3 * (frame * clip->bone_count + b);
		const ossai_rigid world = ossai_rigid_of(worlds + 12 * b);
		if (bones[b].parent > 0) continue;
		const ossai_rigid local = ossai_rigid_mul(&back, &world);
		store_local(clip, frame, b, &local);
		ossai_v3_store(local.t, place);
	}
}

static ossa_status move_to_root(
	ossai_arena *arena, const ossa_rig *rig, const ossa_clip *old, const ossai_travel *travel, ossa_clip *clip)
{
	if (travel->hips == 0) {
		return ossai_fail(arena->context, OSSA_ERROR_INPUT, NULL,
			"no bone is above %s, so that its travel cannot be put on a root bone: add one", rig->skeleton.bones[0].name);
	}
	double *worlds = ossai_arena_new(arena, old->bone_count, 12 * sizeof *worlds);
	if (!worlds) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(ossai_clip_give_translations(arena->context, rig, clip));
	for (size_t f = 0; f < old->frame_count; f++) {
		ossa_rig_joint_matrices(rig, old, f, worlds);
		carry_root(rig, travel, worlds, f, clip);
	}
	return OSSA_OK;
}

/* ---- the call ---- */

static ossa_status change(
	ossai_arena *arena, const ossa_rig *rig, const ossa_clip *old, ossa_root_motion root_motion, ossa_clip *clip)
{
	ossai_travel travel;
	OSSAI_TRY(ossai_travel_find(arena, rig, old, &travel));
	if (root_motion == OSSA_ROOT_EXTRACT) return move_to_root(arena, rig, old, &travel, clip);
	stay_in_place(&travel, clip);
	return OSSA_OK;
}

ossa_status ossa_clip_set_root_motion(
	ossa_context *context, const ossa_rig *rig, const ossa_clip *clip, ossa_root_motion root_motion, ossa_clip **result)
{
	if (result) *result = NULL;
	OSSAI_NEED(context, rig, result);
	if (!clip) clip = rig->clip;
	OSSAI_TRY(check(context, rig, clip));
	OSSAI_TRY(ossa_clip_copy(context, clip, result));
	if (root_motion == OSSA_ROOT_KEEP) return OSSA_OK;
	ossai_arena arena = ossai_arena_begin(context);
	const ossa_status status = change(&arena, rig, clip, root_motion, *result);
	ossai_arena_end(&arena);
	if (status == OSSA_OK) return OSSA_OK;
	ossa_clip_free(context, *result);
	*result = NULL;
	return status;
}
