/* methods/given_store.c: stores fitted weights and joints in the rig.

   Place in the path: given -> here -> the rig. Everything that can fail is done before the rig is
   changed. */
#include "methods/given.h"

#include <string.h>

/* a vertex whose weights differ by less has not changed */
static const double least_change = 1e-4;

/* ---- weights ---- */

/* the largest first, their sum 1, welded vertices like those that they are welded to */
static void finish_weights(ossai_given *g)
{
	ossai_bone_weights *w = &g->fit.weights;
	for (size_t v = 0; v < w->vertex_count; v++) {
		uint32_t bone[OSSAI_INFLUENCES_MAX];
		double value[OSSAI_INFLUENCES_MAX];
		const size_t at = v * w->width, count = w->count[v];
		for (size_t i = 0; i < count; i++) {
			bone[i] = w->bone[at + i];
			value[i] = w->value[at + i];
		}
		if (count > 0) ossai_bone_weights_take(w, v, count, bone, value);
	}
	ossai_bone_weights_spread(g->surface.first_of_vertex, w);
}

static bool has_changed(const ossai_given *g, size_t v)
{
	const ossai_bone_weights *now = &g->fit.weights, *was = &g->known;
	for (size_t i = v * now->width; i < v * now->width + now->count[v]; i++) {
		if (fabs(now->value[i] - ossai_bone_weight_of(was, v, now->bone[i])) > least_change) return true;
	}
	return false;
}

/* Vertices of no face, and those that keep everything, keep it to the bit. */
static void keep_old(const ossai_given *g, ossa_weights *to)
{
	const ossa_weights *from = &g->rig->weights;
	const size_t width = (size_t)(from->influences < to->influences ? from->influences : to->influences);
	const uint32_t *first_of_vertex = g->surface.first_of_vertex;
	for (size_t v = 0; v < to->vertex_count; v++) {
		const size_t first = first_of_vertex ? first_of_vertex[v] : v;
		const bool is_kept = g->locks->vertices && g->locks->vertices[v] >= 1;
		if (g->surface.used[first] && !is_kept) continue;
		memset(to->bones + v * (size_t)to->influences, 0, (size_t)to->influences * sizeof *to->bones);
		memset(to->values + v * (size_t)to->influences, 0, (size_t)to->influences * sizeof *to->values);
		memcpy(to->bones + v * (size_t)to->influences, from->bones + v * (size_t)from->influences, width * sizeof *to->bones);
		memcpy(
			to->values + v * (size_t)to->influences, from->values + v * (size_t)from->influences, width * sizeof *to->values);
	}
}

static ossa_status make_weights(ossai_given *g, ossa_weights *to)
{
	const size_t bones = g->rig->skeleton.bone_count, pairs = g->surface.vertex_count * g->fit.weights.width;
	uint32_t *same = ossai_arena_new(g->arena, bones, sizeof *same);
	if (!same) return ossa_context_error(g->context)->status;
	for (uint32_t b = 0; b < bones; b++) same[b] = b;
	*to = (ossa_weights){.vertex_count = g->surface.vertex_count, .influences = (int)g->fit.weights.width};
	to->bones = ossa_alloc(g->context, pairs, sizeof *to->bones);
	to->values = ossa_alloc(g->context, pairs, sizeof *to->values);
	if (!to->bones || !to->values) {
		ossa_free(g->context, to->bones);
		ossa_free(g->context, to->values);
		return ossa_context_error(g->context)->status;
	}
	finish_weights(g);
	ossai_bone_weights_round(&g->fit.weights, same, to);
	keep_old(g, to);
	return OSSA_OK;
}

/* ---- joints ---- */

static bool has_moved(const ossai_given *g, size_t b) { return ossai_distance(g->joint[b], g->anchor[b]) > 0; }

/* the mean of the children's joints; a leaf's tail moves with its joint */
static ossai_vec3 tail_of(const ossai_given *g, size_t b)
{
	const ossa_bone *bone = &g->rig->skeleton.bones[b];
	ossai_vec3 sum = {0, 0, 0};
	double count = 0;
	for (size_t c = 0; c < g->tree.bone_count; c++) {
		if (g->tree.parent[c] != b) continue;
		sum = ossai_add(sum, g->joint[c]);
		count += 1;
	}
	if (count > 0) return ossai_posed_surface_place(&g->surface, ossai_scale(sum, 1 / count));
	const ossai_vec3 step = ossai_scale(ossai_sub(g->joint[b], g->anchor[b]), g->surface.scale);
	return ossai_add(ossai_v3_of(bone->tail), step);
}

/* the axes of a bone turn with it: they keep their meaning */
static void move_bone(const ossai_given *g, size_t b)
{
	ossa_bone *bone = &g->rig->skeleton.bones[b];
	const ossai_vec3 none = {0, 0, 0}, tail = tail_of(g, b);
	const ossai_vec3 before = ossai_unit(ossai_sub(ossai_v3_of(bone->tail), ossai_v3_of(bone->joint)), none);
	if (has_moved(g, b)) ossai_v3_store(ossai_posed_surface_place(&g->surface, g->joint[b]), bone->joint);
	ossai_v3_store(tail, bone->tail);
	const ossai_vec3 after = ossai_unit(ossai_sub(tail, ossai_v3_of(bone->joint)), none);
	if (ossai_length2(before) < 0.5 || ossai_length2(after) < 0.5) return;
	const ossai_quat turned = ossai_quat_mul(ossai_quat_between(before, after), ossai_quat_of(bone->orientation));
	ossai_quat_store(ossai_quat_unit(turned), bone->orientation);
}

static void move_bones(const ossai_given *g)
{
	for (size_t b = 0; b < g->tree.bone_count; b++) {
		bool moves = has_moved(g, b);
		for (size_t c = 0; c < g->tree.bone_count && !moves; c++) moves = g->tree.parent[c] == b && has_moved(g, c);
		if (moves) move_bone(g, b);
	}
}

ossa_status ossai_given_store(ossai_given *g, ossa_fit_facts *facts)
{
	ossa_weights weights;
	ossa_rig *rig = g->rig;
	if (g->options->weights) {
		OSSAI_TRY(make_weights(g, &weights));
		for (size_t v = 0; v < weights.vertex_count; v++) facts->vertices_changed += g->surface.used[v] && has_changed(g, v);
		ossa_free(g->context, rig->weights.bones);
		ossa_free(g->context, rig->weights.values);
		rig->weights = weights;
	}
	move_bones(g);
	ossa_clip_free(g->context, rig->free_clip);
	ossa_free(g->context, rig->free_weights.bones);
	ossa_free(g->context, rig->free_weights.values);
	rig->free_clip = NULL;
	rig->free_weights = (ossa_weights){0};
	return OSSA_OK;
}
