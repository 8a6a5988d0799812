/* methods/given_store.c: stores fitted weights and joints in the rig.

   Place in the path: given -> here -> the rig. Everything that can fail is done before the rig is
   changed. */
#include "methods/given.h"

#include "skeleton/frames.h"

#include <string.h>

/* a vertex whose weights differ by less has not changed */
static const double least_change = 1e-4;

/* ---- weights ---- */

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
	const size_t pairs = g->surface.vertex_count * g->fit.weights.width;
	*to = (ossa_weights){.vertex_count = g->surface.vertex_count, .influences = (int)g->fit.weights.width};
	to->bones = ossa_alloc(g->context, pairs, sizeof *to->bones);
	to->values = ossa_alloc(g->context, pairs, sizeof *to->values);
	if (!to->bones || !to->values) {
		ossa_free(g->context, to->bones);
		ossa_free(g->context, to->values);
		return ossa_context_error(g->context)->status;
	}
	/* the largest first, their sum 1 */
	ossai_bone_weights_narrow(&g->fit.weights, &g->fit.weights);
	ossai_bone_weights_spread(g->surface.first_of_vertex, &g->fit.weights);
	ossai_bone_weights_round(&g->fit.weights, NULL, to);
	keep_old(g, to);
	return OSSA_OK;
}

/* ---- joints ---- */

static bool has_moved(const ossai_given *g, size_t b) { return ossai_distance(g->joint[b], g->anchor[b]) > 0; }

/* the mean of the children's joints; a leaf's tail moves with its joint */
static ossai_vec3 tail_of(const ossai_given *g, size_t b)
{
	ossai_vec3 mean;
	if (ossai_tree_children_mean(&g->tree, g->joint, (uint32_t)b, &mean)) return ossai_posed_surface_place(&g->surface, mean);
	const ossai_vec3 step = ossai_scale(ossai_sub(g->joint[b], g->anchor[b]), g->surface.scale);
	return ossai_add(ossai_v3_of(g->rig->skeleton.bones[b].tail), step);
}

static void move_bone(const ossai_given *g, size_t b)
{
	ossa_bone *bone = &g->rig->skeleton.bones[b];
	const ossai_vec3 joint = has_moved(g, b) ? ossai_posed_surface_place(&g->surface, g->joint[b]) : ossai_v3_of(bone->joint);
	if (has_moved(g, b)) bone->deviation = 0; /* that of the joint before */
	ossai_bone_stand(joint, tail_of(g, b), true, bone);
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
