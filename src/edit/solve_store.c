/* edit/solve_store.c: what was found, in the rig: weights rounded, joints and frames, the clip.

   Place in the path: solve_moving, solve_rest -> here -> the rig.
   Everything is made before anything is changed. What was not solved stays to the bit. */
#include "edit/solve_work.h"

#include "rig/assemble.h"

#include <stdio.h>
#include <string.h>

/* a vertex whose weights differ by less has not changed */
static const double least_change = 1e-4;

/* ---- weights ---- */

static double weight_of(const ossa_weights *w, size_t vertex, uint16_t bone)
{
	const size_t first = vertex * (size_t)w->influences;
	for (size_t i = first; i < first + (size_t)w->influences; i++) {
		if (w->bones[i] == bone && w->values[i] > 0) return (double)w->values[i];
	}
	return 0;
}

/* marks the bones of `a` whose weight at the vertex is another in `b` */
static bool mark_changes(const ossa_weights *a, const ossa_weights *b, size_t vertex, uint8_t *bone_changed)
{
	const size_t first = vertex * (size_t)a->influences;
	bool any = false;
	for (size_t i = first; i < first + (size_t)a->influences; i++) {
		if (!(fabs(weight_of(b, vertex, a->bones[i]) - (double)a->values[i]) > least_change) || !(a->values[i] > 0)) continue;
		bone_changed[a->bones[i]] = 1;
		any = true;
	}
	return any;
}

/* the new weights: those that were solved rounded, the others as they are */
static ossa_status make_weights(const ossai_solve_work *w, ossa_weights *to)
{
	const ossa_weights *from = &w->rig->weights;
	const size_t width = (size_t)from->influences, pairs = from->vertex_count * width;
	uint32_t *place = ossai_arena_new(w->arena, w->bones, sizeof *place);
	if (!place) return ossa_context_error(w->context)->status;
	*to = (ossa_weights){.vertex_count = from->vertex_count, .influences = from->influences};
	to->bones = ossa_alloc(w->context, pairs, sizeof *to->bones);
	to->values = to->bones ? ossa_alloc(w->context, pairs, sizeof *to->values) : NULL;
	if (!to->values) {
		ossa_free(w->context, to->bones);
		return ossa_context_error(w->context)->status;
	}
	for (uint32_t b = 0; b < w->bones; b++) place[b] = b;
	ossai_bone_weights_round(&w->weights, place, to);
	const uint32_t *first_of_vertex = w->surface->first_of_vertex;
	for (size_t v = 0; v < from->vertex_count; v++) {
		const size_t first = first_of_vertex ? first_of_vertex[v] : v;
		const ossa_weights *source = w->changed[first] ? to : from;
		const size_t at = (w->changed[first] ? first : v) * width;
		memmove(to->bones + v * width, source->bones + at, width * sizeof *to->bones);
		memmove(to->values + v * width, source->values + at, width * sizeof *to->values);
	}
	return OSSA_OK;
}

static size_t count_changes(const ossa_weights *before, const ossa_weights *after, uint8_t *bone_changed)
{
	size_t count = 0;
	for (size_t v = 0; v < before->vertex_count; v++) {
		const bool lost = mark_changes(before, after, v, bone_changed), got = mark_changes(after, before, v, bone_changed);
		count += lost || got;
	}
	return count;
}

/* ---- motion ---- */

static ossa_status make_clip(const ossai_solve_work *w, const ossa_skeleton *skeleton, ossa_clip **clip)
{
	const size_t poses = w->surface->pose_count;
	const ossai_moving_skeleton from = {w->surface, w->tree.order, w->joint, skeleton, &w->motion};
	ossai_rigid *world = ossai_arena_new(w->arena, w->bones, sizeof *world);
	if (!world) return ossa_context_error(w->context)->status;
	OSSAI_TRY(ossa_clip_create(w->context, poses, w->bones, false, clip));
	const char *name = w->was_moving ? w->rig->clip->name : w->frames->name;
	snprintf((*clip)->name, sizeof(*clip)->name, "%s", name[0] ? name : "poses");
	memcpy((*clip)->times, w->was_moving ? w->rig->clip->times : w->frames->times, poses * sizeof *(*clip)->times);
	for (size_t k = 0; k < poses; k++) ossai_clip_fill(&from, k, world, *clip);
	return OSSA_OK;
}

/* ---- skeleton ---- */

static ossa_status make_skeleton(const ossai_solve_work *w, ossa_skeleton *skeleton)
{
	const ossa_skeleton *from = &w->rig->skeleton;
	skeleton->bone_count = w->bones;
	skeleton->bones = ossai_new(w->context, w->bones, sizeof *skeleton->bones);
	if (!skeleton->bones) return ossa_context_error(w->context)->status;
	memcpy(skeleton->bones, from->bones, w->bones * sizeof *from->bones);
	for (uint32_t b = 1; w->motion_solved && b < w->bones; b++) {
		ossai_bone_judge(&w->motion, b, (uint32_t)skeleton->bones[b].parent, &skeleton->bones[b]);
	}
	return OSSA_OK;
}

/* ---- in and out ---- */

static void free_parts(ossa_context *context, ossa_skeleton *skeleton, ossa_weights *weights, ossa_clip *clip)
{
	ossa_free(context, skeleton->bones);
	ossa_free(context, weights->bones);
	ossa_free(context, weights->values);
	ossa_clip_free(context, clip);
}

ossa_status ossai_solve_store(ossai_solve_work *w, ossa_solve_facts *facts)
{
	ossa_rig *rig = w->rig;
	ossa_skeleton skeleton = {0};
	ossa_weights weights = {0};
	ossa_clip *clip = NULL;
	uint8_t *bone_changed = ossai_arena_zero(w->arena, w->bones, 1);
	if (!bone_changed) return ossa_context_error(w->context)->status;
	ossa_status status = make_skeleton(w, &skeleton);
	if (status == OSSA_OK) status = make_weights(w, &weights);
	if (status == OSSA_OK && w->motion_solved) status = make_clip(w, &skeleton, &clip);
	if (status != OSSA_OK) {
		free_parts(w->context, &skeleton, &weights, clip);
		return status;
	}
	facts->vertices_changed = count_changes(&rig->weights, &weights, bone_changed);
	for (size_t b = 0; b < w->bones; b++) facts->bones_changed += bone_changed[b];
	facts->weights = w->weights_solved;
	facts->tree = w->tree_solved;
	facts->joints = w->joints_solved;
	facts->motion = w->motion_solved;
	w->is_stored = true;
	w->old_skeleton = rig->skeleton;
	w->old_weights = rig->weights;
	w->old_clip = clip ? rig->clip : NULL;
	rig->skeleton = skeleton;
	rig->weights = weights;
	if (clip) rig->clip = clip;
	return OSSA_OK;
}

void ossai_solve_put_back(ossai_solve_work *w)
{
	if (!w->is_stored) return;
	free_parts(w->context, &w->rig->skeleton, &w->rig->weights, w->motion_solved ? w->rig->clip : NULL);
	w->rig->skeleton = w->old_skeleton;
	w->rig->weights = w->old_weights;
	if (w->motion_solved) w->rig->clip = w->old_clip;
}

void ossai_solve_drop_old(ossai_solve_work *w)
{
	if (w->is_stored) free_parts(w->context, &w->old_skeleton, &w->old_weights, w->old_clip);
}
