/* methods/given_store.c: stores fitted weights and joints in the rig.

   Place in the path: given -> here -> the rig. Everything that can fail is done before the rig is
   changed. */
#include "methods/given.h"

#include "rig/clips.h"
#include "rig/pose.h"
#include "skeleton/frames.h"

#include <stdio.h>
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
	ossai_bone_weights_round(&g->fit.weights, NULL, NULL, to);
	keep_old(g, to);
	return OSSA_OK;
}

/* ---- joints ---- */

static bool has_moved(const ossai_given *g, size_t b) { return ossai_distance(g->joint[b], g->anchor[b]) > 0; }

/* the mean of the given children's joints; a leaf's tail moves with its joint */
static ossai_vec3 tail_of(const ossai_given *g, size_t b)
{
	ossai_vec3 sum = {0, 0, 0};
	double count = 0;
	for (size_t c = 0; c < g->given_count; c++) {
		if (g->tree.parent[c] != b) continue;
		sum = ossai_add(sum, g->joint[c]);
		count++;
	}
	if (count > 0) return ossai_posed_surface_place(&g->surface, ossai_scale(sum, 1 / count));
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
	for (size_t b = 0; b < g->given_count; b++) {
		bool moves = has_moved(g, b);
		for (size_t c = 0; c < g->given_count && !moves; c++) moves = g->tree.parent[c] == b && has_moved(g, c);
		if (moves) move_bone(g, b);
	}
}

/* ---- helper bones ---- */

/* bones, levels and motions with the helpers */
typedef struct extended {
	ossa_bone *bones;
	uint8_t *last_level; /* NULL where the rig has none */
	ossai_clips clips;
} extended;

/* the center of what it moves, for its length */
static ossai_vec3 skin_center(const ossai_given *g, size_t b)
{
	const ossai_bone_weights *w = &g->fit.weights;
	ossai_vec3 sum = {0, 0, 0};
	double whole = 0;
	for (size_t v = 0; v < w->vertex_count; v++) {
		const double weight = g->surface.used[v] ? ossai_bone_weight_of(w, v, (uint32_t)b) : 0;
		sum = ossai_madd(sum, weight, ossai_rest_point(&g->surface, v));
		whole += weight;
	}
	return whole > 0 ? ossai_scale(sum, 1 / whole) : g->joint[b];
}

/* "hand_helper", with a number where another bone has that name */
static void name_helper(size_t b, ossa_bone *bones)
{
	char parent[64], name[64] = "";
	bool is_taken = true;
	memcpy(parent, bones[bones[b].parent].name, sizeof parent);
	for (size_t number = 1; is_taken; number++) {
		char behind[24] = "";
		if (number > 1) snprintf(behind, sizeof behind, "_%zu", number);
		snprintf(name, sizeof name, "%.36s_helper%.16s", parent, behind);
		is_taken = false;
		for (size_t other = 0; other < b && !is_taken; other++) is_taken = strcmp(bones[other].name, name) == 0;
	}
	memcpy(bones[b].name, name, sizeof name);
}

/* as long as from its joint to the center of its skin; a short one where they meet */
static void make_helper(const ossai_given *g, size_t b, ossa_bone *bones)
{
	const double least = 1e-3;
	const ossai_vec3 joint = g->joint[b];
	ossai_vec3 tail = skin_center(g, b);
	if (ossai_distance(tail, joint) < least * g->surface.diagonal) tail.y = joint.y + least * g->surface.diagonal;
	/* it turns from +Y to where its skin is */
	bones[b] = (ossa_bone){
		.parent = (int32_t)g->tree.parent[b], .kind = OSSA_JOINT_BALL, .tail = {0, 1, 0}, .orientation = {0, 0, 0, 1}};
	name_helper(b, bones);
	ossai_bone_stand(
		ossai_posed_surface_place(&g->surface, joint), ossai_posed_surface_place(&g->surface, tail), true, &bones[b]);
}

/* what a helper is to its parent at rest */
static ossai_rigid at_rest(const ossa_bone *bones, size_t b)
{
	const ossai_rigid own = ossai_rest_frame(&bones[b]), parent = ossai_rest_frame(&bones[bones[b].parent]);
	const ossai_rigid up = ossai_rigid_inverse(&parent);
	return ossai_rigid_mul(&up, &own);
}

typedef struct extending {
	const ossai_given *g;
	const ossa_bone *bones;
} extending;

/* helpers stand still in motions that the rig has */
static ossa_status extend_clip(void *user, const ossa_clip *old, ossa_clip **clip)
{
	const extending *e = user;
	const size_t before = old->bone_count, after = e->g->tree.bone_count;
	OSSAI_TRY(ossa_clip_create(e->g->context, old->frame_count, after, old->translations != NULL, clip));
	memcpy((*clip)->name, old->name, sizeof old->name);
	memcpy((*clip)->times, old->times, old->frame_count * sizeof *old->times);
	memcpy((*clip)->root_positions, old->root_positions, 3 * old->frame_count * sizeof *old->root_positions);
	for (size_t k = 0; k < old->frame_count; k++) {
		memcpy((*clip)->rotations + 4 * k * after, old->rotations + 4 * k * before, 4 * before * sizeof *old->rotations);
		if (old->translations)
			memcpy((*clip)->translations + 3 * k * after, old->translations + 3 * k * before,
				3 * before * sizeof *old->translations);
	}
	for (size_t b = before; b < after; b++) {
		const ossai_rigid local = at_rest(e->bones, b);
		const ossai_quat rotation = ossai_mat3_quat(&local.r);
		for (size_t k = 0; k < old->frame_count; k++) {
			ossai_quat_store(rotation, (*clip)->rotations + 4 * (k * after + b));
			if (old->translations) ossai_v3_store(local.t, (*clip)->translations + 3 * (k * after + b));
		}
	}
	return OSSA_OK;
}

static void drop_extended(ossa_context *context, extended *x)
{
	ossai_clips_drop(context, &x->clips);
	ossa_free(context, x->bones);
	ossa_free(context, x->last_level);
}

static ossa_status extend(const ossai_given *g, extended *x)
{
	const ossa_rig *rig = g->rig;
	const size_t count = g->tree.bone_count;
	*x = (extended){.bones = ossa_alloc(g->context, count, sizeof *x->bones),
		.last_level = rig->last_level ? ossa_alloc(g->context, count, 1) : NULL};
	ossa_status status = x->bones && (x->last_level || !rig->last_level) ? OSSA_OK : ossa_context_error(g->context)->status;
	if (status == OSSA_OK) {
		memcpy(x->bones, rig->skeleton.bones, g->given_count * sizeof *x->bones);
		for (size_t b = g->given_count; b < count; b++) make_helper(g, b, x->bones);
		for (size_t b = 0; b < count && x->last_level; b++)
			x->last_level[b] = b < g->given_count ? rig->last_level[b] : x->last_level[g->tree.parent[b]];
		status = ossai_clips_change(g->context, rig, extend_clip, &(extending){g, x->bones}, &x->clips);
	}
	if (status != OSSA_OK) drop_extended(g->context, x);
	return status;
}

static void take_extended(const ossai_given *g, const extended *x)
{
	ossa_rig *rig = g->rig;
	ossai_clips_free(g->context, rig);
	ossai_clips_put(rig, &x->clips);
	ossa_free(g->context, rig->skeleton.bones);
	ossa_free(g->context, rig->last_level);
	rig->skeleton = (ossa_skeleton){g->tree.bone_count, x->bones};
	rig->last_level = x->last_level;
}

ossa_status ossai_given_store(ossai_given *g, ossa_fit_facts *facts)
{
	ossa_weights weights;
	extended more;
	ossa_rig *rig = g->rig;
	const bool has_helpers = g->tree.bone_count > g->given_count;
	if (has_helpers) OSSAI_TRY(extend(g, &more));
	if (g->options->weights) {
		const ossa_status status = make_weights(g, &weights);
		if (status != OSSA_OK && has_helpers) drop_extended(g->context, &more);
		OSSAI_TRY(status);
		for (size_t v = 0; v < weights.vertex_count; v++) facts->vertices_changed += g->surface.used[v] && has_changed(g, v);
		ossa_free(g->context, rig->weights.bones);
		ossa_free(g->context, rig->weights.values);
		rig->weights = weights;
	}
	if (has_helpers) take_extended(g, &more);
	move_bones(g);
	ossa_clip_free(g->context, rig->free_clip);
	ossa_free(g->context, rig->free_weights.bones);
	ossa_free(g->context, rig->free_weights.values);
	rig->free_clip = NULL;
	rig->free_weights = (ossa_weights){0};
	return OSSA_OK;
}
