/* methods/complete.c: adds the bones of a body plan that a rig from motion lacks; see
   moving_body.h.

   A part that never moved against its neighbors has no bone of its own: a clavicle, toes, fingers.
   Its joint and its skin are those of the rig of the rest shape. A bone between two others comes
   between them in the tree; one at an end is the child of the last bone before it. */
#include "methods/moving_body.h"
#include "methods/rest_rig.h"
#include "rig/rebuild.h"
#include "rig/weight_pairs.h"
#include "skeleton/naming/names.h"
#include "skeleton/naming/part_names.h"
#include "skeleton/tree.h"

#include <string.h>

/* Of weights as floats. */
static const double ROUNDING = 1e-6;

typedef struct completion {
	ossa_context *context;
	ossai_arena *arena;
	const ossa_rig *rest;
	ossa_rig *rig;
	size_t old, count; /* bones before, and with those that are added */
	ossai_tree tree;   /* of all: old + R at most */
	ossa_bone *bone;
	uint32_t *source; /* the old bone that each one moves as */
	uint32_t *of;     /* R: the added bone of a bone of the rest shape's rig; OSSA_NONE */
} completion;

/* ---- which are missing, and where they belong ---- */

static const ossa_bone *rest_bone(const completion *c, uint32_t r) { return &c->rest->skeleton.bones[r]; }

static bool are_alike(const completion *c, uint32_t bone, uint32_t r)
{
	return ossai_names_are_alike(c->bone[bone].name, rest_bone(c, r)->name);
}

/* the bone of a part of the rest shape's rig that is farthest from the trunk; OSSA_NONE */
static uint32_t last_of_part(const completion *c, uint32_t r)
{
	uint32_t last = OSSA_NONE;
	for (uint32_t b = 0; b < c->old; b++) {
		if (!are_alike(c, b, r)) continue;
		if (last == OSSA_NONE || c->bone[b].role.number > c->bone[last].role.number) last = b;
	}
	return last;
}

/* whether a bone's part lies beyond a bone of the rest shape's rig */
static bool is_beyond(const completion *c, uint32_t bone, uint32_t r)
{
	for (uint32_t s = r + 1; s < c->rest->skeleton.bone_count; s++) {
		if (!are_alike(c, bone, s)) continue;
		int32_t up = rest_bone(c, s)->parent;
		while (up > (int32_t)r) up = rest_bone(c, (uint32_t)up)->parent;
		return up == (int32_t)r;
	}
	return false;
}

/* whether a bone can be above one of the rest shape's rig: it is medial or on the same side, and
   not beyond */
static bool may_be_above(const completion *c, uint32_t bone, uint32_t r)
{
	const int side = c->bone[bone].role.side;
	return (side == 0 || side == rest_bone(c, r)->role.side) && !(bone < c->old && is_beyond(c, bone, r));
}

/* the first bone of no part above a bone, below the next one that is of a part; the bone itself
   where there is none */
static uint32_t top_of(const completion *c, uint32_t bone)
{
	uint32_t up = c->tree.parent[bone];
	while (up != OSSA_NONE && up != c->tree.root && c->bone[up].role.part == OSSA_PART_NONE) {
		bone = up;
		up = c->tree.parent[bone];
	}
	return bone;
}

/* the bone above the first one beyond, if the new bone can come between them */
static uint32_t bone_above(const completion *c, uint32_t r)
{
	for (uint32_t b = 1; b < c->old; b++) {
		const uint32_t parent = c->tree.parent[top_of(c, b)];
		if (is_beyond(c, b, r) && parent != OSSA_NONE && may_be_above(c, parent, r)) return parent;
	}
	return OSSA_NONE;
}

static uint32_t find_parent(const completion *c, uint32_t r)
{
	const uint32_t between = bone_above(c, r);
	if (between != OSSA_NONE) return between;
	for (int32_t up = rest_bone(c, r)->parent; up >= 0; up = rest_bone(c, (uint32_t)up)->parent) {
		const uint32_t last = c->of[up] != OSSA_NONE ? c->of[up] : last_of_part(c, (uint32_t)up);
		if (last != OSSA_NONE) return last;
	}
	return OSSA_NONE;
}

static void add_bone(completion *c, uint32_t r, uint32_t parent)
{
	const uint32_t own = (uint32_t)c->count++;
	c->bone[own] = *rest_bone(c, r);
	c->bone[own].kind = OSSA_JOINT_UNKNOWN;
	c->source[own] = c->source[parent];
	c->of[r] = own;
	for (uint32_t b = 1; b < c->old; b++) {
		const uint32_t top = top_of(c, b);
		if (c->tree.parent[top] == parent && is_beyond(c, b, r)) c->tree.parent[top] = own;
	}
	c->tree.parent[own] = parent;
}

static void add_bones(completion *c)
{
	for (uint32_t r = 0; r < c->rest->skeleton.bone_count; r++) {
		if (rest_bone(c, r)->role.part == OSSA_PART_NONE || last_of_part(c, r) != OSSA_NONE) continue;
		const uint32_t parent = find_parent(c, r);
		if (parent != OSSA_NONE) add_bone(c, r, parent);
	}
}

/* ---- weights ---- */

/* the first pair whose bone moves as that of a pair; itself where there is no other before it */
static size_t find_companion(const uint32_t *source, const ossai_weight_pairs *pairs, size_t pair)
{
	size_t first = 0;
	while (first < pair && source[pairs->bone[first]] != source[pairs->bone[pair]]) first++;
	return first;
}

static void remove_pair(ossai_weight_pairs *pairs, size_t pair)
{
	pairs->count--;
	for (size_t i = pair; i < pairs->count; i++) {
		pairs->bone[i] = pairs->bone[i + 1];
		pairs->value[i] = pairs->value[i + 1];
	}
}

/* Pairs that do not fit go to a larger one whose bone moves the same, the smallest first. There are
   such, as the old bones fitted. */
static void merge_pairs(const uint32_t *source, int influences, ossai_weight_pairs *pairs)
{
	ossai_weight_pairs_sort(pairs);
	for (size_t i = pairs->count; i-- > 0 && pairs->count > (size_t)influences;) {
		const size_t to = find_companion(source, pairs, i);
		if (to == i) continue;
		pairs->value[to] += pairs->value[i];
		remove_pair(pairs, i);
	}
	ossai_weight_pairs_sort(pairs);
}

/* of a bone's weight each bone that follows it takes the share that it has in the rest shape's rig;
   new_of: R, by bones of the rig as it is now; OSSA_NONE */
static void share_weight(const completion *c, const uint32_t *new_of, const uint32_t *source, size_t v, uint32_t bone,
	double value, ossai_weight_pairs *pairs)
{
	const ossa_weights *rest = &c->rest->weights;
	double kept = value;
	for (size_t i = v * (size_t)rest->influences; i < (v + 1) * (size_t)rest->influences; i++) {
		const uint32_t to = rest->values[i] > 0 ? new_of[rest->bones[i]] : OSSA_NONE;
		if (to == OSSA_NONE || source[to] != source[bone]) continue;
		const double share = value * (double)rest->values[i];
		ossai_weight_pairs_add(pairs, to, share);
		kept -= share;
	}
	/* less is the rounding error of floats whose sum is 1 */
	if (kept > ROUNDING) ossai_weight_pairs_add(pairs, bone, kept);
}

static void share_weights(const completion *c, const uint32_t *new_of, const uint32_t *source, ossa_weights *w)
{
	const size_t width = (size_t)w->influences;
	for (size_t v = 0; v < w->vertex_count; v++) {
		ossai_weight_pairs pairs = {.count = 0};
		for (size_t i = v * width; i < (v + 1) * width; i++) {
			if (w->values[i] > 0) share_weight(c, new_of, source, v, w->bones[i], (double)w->values[i], &pairs);
		}
		merge_pairs(source, w->influences, &pairs);
		ossai_weight_pairs_store(&pairs, pairs.count, 1, w, v);
	}
}

/* ---- the whole ---- */

static ossa_status begin(completion *c)
{
	const size_t most = c->old + c->rest->skeleton.bone_count;
	OSSAI_TRY(ossai_tree_new(c->arena, most, &c->tree));
	c->bone = ossai_arena_new(c->arena, most, sizeof *c->bone);
	c->source = ossai_arena_new(c->arena, most, sizeof *c->source);
	c->of = ossai_arena_new(c->arena, c->rest->skeleton.bone_count, sizeof *c->of);
	if (!c->bone || !c->source || !c->of) return ossa_context_error(c->context)->status;
	for (uint32_t b = 0; b < c->old; b++) {
		c->bone[b] = c->rig->skeleton.bones[b];
		c->source[b] = b;
		c->tree.parent[b] = c->bone[b].parent < 0 ? OSSA_NONE : (uint32_t)c->bone[b].parent;
	}
	for (size_t r = 0; r < c->rest->skeleton.bone_count; r++) c->of[r] = OSSA_NONE;
	c->count = c->old;
	return OSSA_OK;
}

/* the bones in the order of the new tree */
static ossa_status sort_bones(completion *c, ossai_rebuilt *to, uint32_t *new_of, uint32_t *source)
{
	uint32_t *place = ossai_arena_new(c->arena, c->count, sizeof *place);
	to->bone = ossai_arena_new(c->arena, c->count, sizeof *to->bone);
	if (!place || !to->bone) return ossa_context_error(c->context)->status;
	c->tree.bone_count = to->count = c->count;
	c->tree.root = 0;
	ossai_tree_sort(&c->tree);
	to->source = source;
	for (uint32_t i = 0; i < c->count; i++) place[c->tree.order[i]] = i;
	for (size_t i = 0; i < c->count; i++) {
		const uint32_t bone = c->tree.order[i], parent = c->tree.parent[bone];
		to->bone[i] = c->bone[bone];
		to->bone[i].parent = parent == OSSA_NONE ? -1 : (int32_t)place[parent];
		source[i] = c->source[bone];
	}
	for (size_t r = 0; r < c->rest->skeleton.bone_count; r++) new_of[r] = c->of[r] == OSSA_NONE ? OSSA_NONE : place[c->of[r]];
	return OSSA_OK;
}

static ossa_status complete(completion *c, uint32_t *source)
{
	uint32_t *new_of = ossai_arena_new(c->arena, c->rest->skeleton.bone_count, sizeof *new_of);
	if (!new_of) return ossa_context_error(c->context)->status;
	/* tips are where the rest shape's rig has them */
	ossai_rebuilt to = {.keep_tails = true};
	OSSAI_TRY(sort_bones(c, &to, new_of, source));
	OSSAI_TRY(ossai_rig_rebuild(c->context, &to, c->rig));
	share_weights(c, new_of, source, &c->rig->weights);
	share_weights(c, new_of, source, &c->rig->free_weights);
	ossai_names_renumber(&c->rig->skeleton);
	return OSSA_OK;
}

ossa_status ossai_moving_complete(ossa_context *context, const ossa_rig *rest, ossa_rig *rig, uint32_t **source)
{
	ossai_arena arena = ossai_arena_begin(context);
	completion c = {.context = context, .arena = &arena, .rest = rest, .rig = rig, .old = rig->skeleton.bone_count};
	ossa_status status = begin(&c);
	if (status == OSSA_OK) add_bones(&c);
	*source = status == OSSA_OK ? ossa_alloc(context, c.count, sizeof **source) : NULL;
	if (status == OSSA_OK && !*source) status = ossa_context_error(context)->status;
	if (status == OSSA_OK) status = complete(&c, *source);
	ossai_arena_end(&arena);
	return status;
}
