/* edit/solve_load.c: loads a rig in the form that stages use, with its constraints.

   Place in the path: rig, bounds -> here -> solve_moving, solve_rest. */
#include "edit/solve_work.h"

#include "rig/assemble.h"
#include "rig/pose.h"

#include <string.h>

/* ---- the rig ---- */

static ossa_status load_skeleton(ossai_solve_work *w)
{
	const ossa_bone *bones = w->rig->skeleton.bones;
	OSSAI_TRY(ossai_tree_of_skeleton(w->arena, &w->rig->skeleton, &w->tree));
	w->joint = ossai_arena_new(w->arena, w->bones, sizeof *w->joint);
	w->tail = ossai_arena_new(w->arena, w->bones, sizeof *w->tail);
	w->prior = ossai_arena_new(w->arena, w->bones, sizeof *w->prior);
	w->anchor = ossai_arena_new(w->arena, w->bones, sizeof *w->anchor);
	w->residual = ossai_arena_new(w->arena, w->bones, sizeof *w->residual);
	w->is_half = ossai_arena_zero(w->arena, w->bones, 1);
	w->is_rehung = ossai_arena_zero(w->arena, w->bones, 1);
	if (!w->joint || !w->tail || !w->prior || !w->anchor || !w->residual || !w->is_half || !w->is_rehung)
		return ossa_context_error(w->context)->status;
	for (size_t b = 0; b < w->bones; b++) {
		w->residual[b] = -1;
		w->joint[b] = w->prior[b] = ossai_posed_surface_units(w->surface, bones[b].joint);
		w->tail[b] = ossai_posed_surface_units(w->surface, bones[b].tail);
	}
	return OSSA_OK;
}

static ossa_status load_weights(ossai_solve_work *w)
{
	const ossa_weights *from = &w->rig->weights;
	const size_t width = (size_t)from->influences;
	OSSAI_TRY(ossai_bone_weights_new(w->arena, from->vertex_count, w->bones, width, &w->before));
	OSSAI_TRY(ossai_bone_weights_new(w->arena, from->vertex_count, w->bones, width, &w->weights));
	w->fixed = ossai_arena_zero(w->arena, from->vertex_count, 1);
	w->changed = ossai_arena_zero(w->arena, from->vertex_count, 1);
	if (!w->fixed || !w->changed) return ossa_context_error(w->context)->status;
	ossai_bone_weights_load(from, w->surface->used, &w->before);
	ossai_bone_weights_copy(&w->before, &w->weights);
	return OSSA_OK;
}

/* a clip with the same number of frames may belong to other ones: it is ignored if its error is
   larger than that of the rest pose */
static ossa_status forget_foreign_motion(ossai_solve_work *w)
{
	double *ranges = ossai_arena_new(w->arena, ossai_blend_error_ranges(w->surface), sizeof *ranges);
	if (!ranges) return ossa_context_error(w->context)->status;
	w->was_moving = !(
		ossai_blend_error(w->context, w->surface, &w->weights, &w->given, ranges) > w->still_error * (1 + 1e-6) + 1e-9);
	return OSSA_OK;
}

static ossa_status load_motion(ossai_solve_work *w)
{
	if (!w->frames) return OSSA_OK;
	OSSAI_TRY(ossai_bone_motion_new(w->arena, w->bones, w->surface->pose_count, &w->given));
	OSSAI_TRY(ossai_bone_motion_new(w->arena, w->bones, w->surface->pose_count, &w->motion));
	const ossa_clip *clip = w->rig->clip;
	OSSAI_TRY(ossai_bone_motion_new(w->arena, w->bones, w->keys->pose_count, &w->key_motion));
	w->was_moving = clip && clip->frame_count == w->surface->pose_count && clip->bone_count == w->bones;
	if (!w->was_moving) return OSSA_OK;
	OSSAI_TRY(ossai_clip_load(w->arena, w->rig, w->surface, NULL, &w->given));
	ossai_bone_motion_copy(&w->given, &w->motion);
	return forget_foreign_motion(w);
}

ossa_status ossai_solve_load(ossai_solve_work *w)
{
	OSSAI_TRY(ossai_rig_check_fit(w->context, w->rig, &w->rig->weights, w->rig->clip));
	OSSAI_TRY(load_skeleton(w));
	OSSAI_TRY(load_weights(w));
	OSSAI_TRY(load_motion(w));
	return ossai_solve_paint(w);
}
