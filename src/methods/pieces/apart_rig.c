/* methods/pieces/apart_rig.c: the one rig of pieces that are rigged separately: bones, weights,
   names.

   Place in the path: the joints of all pieces -> here -> the rig. */
#include "methods/pieces/apart.h"
#include "methods/pieces/piece_names.h"
#include "rig/assemble.h"

#include <math.h>
#include <string.h>

/* bones that the weights can number */
enum { MOST_BONES = UINT16_MAX };

/* ---- weights ---- */

/* numbers the bones: the common root, those of skeletons, those of rigid pieces */
static size_t number_bones(ossai_apart *a)
{
	a->has_root = ossai_pieces_have_root(&a->pieces);
	size_t count = a->has_root ? 1 : 0;
	for (size_t i = 0; i < a->pieces.skeletons + a->pieces.bones; i++) {
		a->first[i] = (uint32_t)count;
		count += i < a->pieces.skeletons ? a->each[i].bones.tree.bone_count : 1;
	}
	return count;
}

static void take_weights(ossai_apart *a, size_t place)
{
	const ossai_bone_weights *own = &a->each[place].weights;
	ossai_bone_weights *all = &a->whole->weights;
	for (size_t v = 0; v < own->vertex_count; v++) {
		const size_t to = a->vertices[place][v];
		all->count[to] = own->count[v];
		for (size_t i = 0; i < own->count[v]; i++) {
			all->bone[to * all->width + i] = (uint16_t)(a->first[place] + own->bone[v * own->width + i]);
			all->value[to * all->width + i] = own->value[v * own->width + i];
		}
	}
}

/* the weights of a face: the mean of its corners */
static size_t weights_of_face(const ossai_apart *a, uint32_t face, uint32_t *bone, double *value)
{
	const ossai_bone_weights *w = &a->whole->weights;
	size_t count = 0;
	for (size_t k = 0; k < 3; k++) {
		const size_t v = a->whole->still.surface.triangles[3 * (size_t)face + k];
		for (size_t i = 0; i < w->count[v]; i++) {
			size_t slot = 0;
			while (slot < count && bone[slot] != w->bone[v * w->width + i]) slot++;
			if (slot == count) value[count++] = 0;
			bone[slot] = w->bone[v * w->width + i];
			value[slot] += w->value[v * w->width + i] / 3;
		}
	}
	return count;
}

/* gives all vertices of a piece the same weights */
static void weigh_alike(ossai_apart *a, size_t place, size_t count, const uint32_t *bone, const double *value)
{
	const ossai_piece *piece = &a->pieces.piece[place];
	for (uint32_t i = piece->begin; i < piece->end; i++) {
		for (size_t k = 0; k < 3; k++) {
			const size_t v = a->whole->still.mesh->triangles[3 * (size_t)a->pieces.faces[i] + k];
			ossai_bone_weights_take(&a->whole->weights, v, count, bone, value);
		}
	}
}

/* pieces without a skeleton: rigid ones follow their bone, the others the face nearest to them */
static void weigh_others(ossai_apart *a)
{
	const ossai_pieces *p = &a->pieces;
	uint32_t bone[3 * OSSAI_INFLUENCES_MAX];
	double value[3 * OSSAI_INFLUENCES_MAX];
	for (size_t i = p->skeletons; i < p->count; i++) {
		bone[0] = i < p->skeletons + p->bones ? a->first[i] : 0;
		value[0] = 1;
		size_t count = 1;
		if (p->piece[i].role == OSSAI_PIECE_ALONG && p->piece[i].on != OSSA_NONE) {
			count = weights_of_face(a, p->piece[i].on, bone, value);
		}
		weigh_alike(a, i, count, bone, value);
	}
}

ossa_status ossai_apart_weigh(ossai_apart *a, ossai_contraction_stage *weigh)
{
	ossai_still_work *still = &a->whole->still;
	const size_t bones = number_bones(a), width = (size_t)a->whole->own.influences;
	if (bones > MOST_BONES) {
		return ossai_fail(still->context, OSSA_ERROR_LIMIT, NULL,
			"the pieces would have %zu bones and a rig has at most %d: give a number of bones", bones, MOST_BONES);
	}
	OSSAI_TRY(ossai_bone_weights_new(still->arena, still->surface.vertex_count, bones, width, &a->whole->weights));
	memset(a->whole->weights.count, 0, still->surface.vertex_count);
	for (size_t i = 0; i < a->pieces.skeletons; i++) {
		ossai_apart_set_subject(a, i, 0, 1);
		OSSAI_TRY(weigh(&a->each[i]));
		take_weights(a, i);
	}
	ossai_apart_clear_subject(a, 1);
	weigh_others(a);
	return OSSA_OK;
}

/* ---- the rig ---- */

/* the bone of the largest weight at a face */
static uint32_t bone_of_face(const ossai_apart *a, uint32_t face)
{
	uint32_t bone[3 * OSSAI_INFLUENCES_MAX];
	double value[3 * OSSAI_INFLUENCES_MAX];
	const size_t count = weights_of_face(a, face, bone, value);
	size_t best = 0;
	for (size_t i = 1; i < count; i++) {
		if (value[i] > value[best] || (value[i] == value[best] && bone[i] < bone[best])) best = i;
	}
	return count > 0 ? bone[best] : 0;
}

static void put_skeleton(ossai_apart *a, size_t place)
{
	const ossai_curve_bones *own = &a->each[place].bones;
	ossai_curve_bones *all = &a->whole->bones;
	const uint32_t first = a->first[place], image = a->pieces.piece[place].image;
	for (uint32_t b = 0; b < own->tree.bone_count; b++) {
		const uint32_t parent = own->tree.parent[b];
		all->tree.parent[first + b] = parent != OSSA_NONE ? first + parent : a->has_root ? 0 : OSSA_NONE;
		all->joint[first + b] = ossai_to_whole(a, place, own->joint[b]);
		all->tail[first + b] = ossai_to_whole(a, place, own->tail[b]);
		if (own->role) all->role[first + b] = own->role[b];
		/* symmetry inside the piece; then that of the piece and its image */
		a->mirrored[first + b] = own->mirrored[b] == OSSA_NONE ? OSSA_NONE : first + own->mirrored[b];
		if (image == OSSA_NONE) continue;
		for (int side = 0; side < 2; side++) {
			const uint32_t here = (side == 0 ? first : a->first[image]) + b, there = (side == 0 ? a->first[image] : first) + b;
			if (a->mirrored[here] == OSSA_NONE || own->mirrored[b] == b) a->mirrored[here] = there;
		}
	}
}

static void put_rigid(ossai_apart *a, size_t place)
{
	const ossai_piece *piece = &a->pieces.piece[place];
	ossai_curve_bones *all = &a->whole->bones;
	const uint32_t bone = a->first[place];
	const uint32_t root = a->has_root ? 0 : a->first[0] + a->each[0].bones.tree.root;
	all->tree.parent[bone] = piece->on == OSSA_NONE ? root : bone_of_face(a, piece->on);
	all->joint[bone] = piece->center;
	all->tail[bone] = piece->farthest;
	if (piece->image == OSSA_NONE) return;
	const uint32_t other = a->first[piece->image];
	all->joint[bone] = ossai_mirror_point(&a->whole->still.mirror, all->joint[other]);
	all->tail[bone] = ossai_mirror_point(&a->whole->still.mirror, all->tail[other]);
	a->mirrored[bone] = other;
	a->mirrored[other] = bone;
}

/* on the ground, below the mean of the skeletons' roots */
static void put_root(ossai_apart *a)
{
	const ossai_posed_surface *s = &a->whole->still.surface;
	ossai_curve_bones *all = &a->whole->bones;
	ossai_vec3 middle = {0, 0, 0};
	double lowest = INFINITY;
	/* the ground itself has no skeleton */
	for (size_t i = 0; i < a->pieces.skeletons; i++) {
		const ossai_vec3 root = ossai_to_whole(a, i, a->each[i].bones.joint[a->each[i].bones.tree.root]);
		middle = ossai_madd(middle, 1 / (double)a->pieces.skeletons, root);
	}
	for (size_t v = 0; v < s->vertex_count; v++) {
		if (s->used[v]) lowest = fmin(lowest, ossai_rest_point(s, v).y);
	}
	all->tree.parent[0] = OSSA_NONE;
	all->joint[0] = all->tail[0] = ossai_v3(middle.x, lowest, middle.z);
	a->mirrored[0] = 0;
}

static ossa_status build_tree(ossai_apart *a)
{
	ossai_still_work *still = &a->whole->still;
	ossai_curve_bones *all = &a->whole->bones;
	const size_t count = a->whole->weights.bone_count;
	OSSAI_TRY(ossai_tree_new(still->arena, count, &all->tree));
	all->joint = ossai_arena_new(still->arena, count, sizeof *all->joint);
	all->tail = ossai_arena_new(still->arena, count, sizeof *all->tail);
	all->role = ossai_arena_zero(still->arena, count, sizeof *all->role);
	a->mirrored = ossai_arena_new(still->arena, count, sizeof *a->mirrored);
	a->order = ossai_arena_new(still->arena, count, sizeof *a->order);
	if (!all->joint || !all->tail || !all->role || !a->mirrored || !a->order) return ossa_context_error(still->context)->status;
	for (size_t b = 0; b < count; b++) a->mirrored[b] = OSSA_NONE;
	if (a->has_root) put_root(a);
	for (size_t i = 0; i < a->pieces.skeletons; i++) put_skeleton(a, i);
	for (size_t i = 0; i < a->pieces.bones; i++) put_rigid(a, a->pieces.skeletons + i);
	all->tree.root = a->has_root ? 0 : a->first[0] + a->each[0].bones.tree.root;
	ossai_tree_sort(&all->tree);
	memcpy(a->order, all->tree.order, count * sizeof *a->order);
	still->has_common_root = a->has_root;
	return OSSA_OK;
}

/* the cuts of all pieces, in the units of the mesh */
static ossa_status keep_cuts(ossai_apart *a, ossa_rig *rig)
{
	for (size_t i = 0; i < a->pieces.skeletons; i++) {
		OSSAI_TRY(ossai_still_keep_cuts(&a->each[i].still, &a->whole->bones.tree, a->first[i], rig));
	}
	return OSSA_OK;
}

static ossa_status name_bones(ossai_apart *a, ossa_rig *rig)
{
	ossai_arena *arena = a->whole->still.arena;
	const size_t bones = rig->skeleton.bone_count, pieces = a->pieces.skeletons + a->pieces.bones;
	uint32_t *piece = ossai_arena_new(arena, bones, sizeof *piece);
	uint8_t *flat = piece ? ossai_arena_new(arena, bones, sizeof *flat) : NULL;
	if (!flat) return ossa_context_error(a->whole->still.context)->status;
	for (size_t b = 0; b < bones; b++) {
		piece[b] = OSSA_NONE;
		for (uint32_t i = 0; i < pieces && a->first[i] <= a->order[b]; i++) piece[b] = i;
	}
	for (size_t b = 0; b < bones; b++) flat[b] = piece[b] != OSSA_NONE && a->pieces.piece[piece[b]].is_ground;
	a->whole->still.is_flat = flat;
	const ossai_named_pieces named = {&a->pieces, &a->whole->still.mirror, piece};
	return ossai_pieces_name(arena, &named, rig);
}

/* without its warning: ossai_apart_warn_of_bone_count gives one for all reasons */
static ossa_status drop_idle(ossai_apart *a, ossa_rig **rig)
{
	ossai_still_work *still = &a->whole->still;
	const size_t before = (*rig)->skeleton.bone_count;
	ossai_warnings *saved = ossai_warnings_save(still->context);
	if (!saved) return ossa_context_error(still->context)->status;
	const ossa_status status = ossai_still_drop_idle(still, &a->whole->bones.tree, a->mirrored, a->order, rig);
	ossai_warnings_restore(still->context, saved);
	ossa_free(still->context, saved);
	a->idle = before - (*rig)->skeleton.bone_count;
	return status;
}

static ossa_status assemble(ossai_apart *a, ossa_rig **rig)
{
	ossai_still_work *still = &a->whole->still;
	OSSAI_TRY(build_tree(a));
	const ossai_findings findings = {.method = "contraction",
		.mesh = still->mesh,
		.surface = &still->surface,
		.tree = &a->whole->bones.tree,
		.joint = a->whole->bones.joint,
		.tail = a->whole->bones.tail,
		.role = a->whole->bones.role,
		.weights = &a->whole->weights,
		.influences = a->whole->own.influences};
	OSSAI_TRY(ossai_rig_assemble(still->context, &findings, rig));
	return keep_cuts(a, *rig);
}

/* names, the roles of the pieces, and warnings about the bones */
static ossa_status describe(ossai_apart *a, ossa_rig *rig)
{
	OSSAI_TRY(name_bones(a, rig));
	rig->pieces = (ossa_piece_roles){
		a->pieces.skeletons, a->pieces.bones, a->pieces.count - a->pieces.skeletons - a->pieces.bones};
	return ossai_still_warn_of_bones(&a->whole->still, rig);
}

ossa_status ossai_apart_assemble_published(ossai_apart *a, ossa_rig **rig)
{
	OSSAI_TRY(assemble(a, rig));
	return describe(a, *rig);
}

ossa_status ossai_apart_assemble_refined(ossai_apart *a, ossa_rig **rig)
{
	OSSAI_TRY(assemble(a, rig));
	if (a->whole->own.bones == 0) OSSAI_TRY(drop_idle(a, rig));
	ossai_apart_warn_of_bone_count(a, (*rig)->skeleton.bone_count);
	return describe(a, *rig);
}
