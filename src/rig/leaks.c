/* rig/leaks.c: weights of one limb on the bones of another one: see leaks.h. */
#include "rig/leaks.h"

#include <math.h>

static const double LEAST_LEAK = 1e-3;

typedef struct limbs {
	uint32_t *of_bone; /* B */
	uint32_t *above;   /* of each limb the one that it leaves; OSSA_NONE: the root's */
	uint32_t count;
} limbs;

static ossa_status find_limbs(ossai_arena *arena, const ossa_skeleton *skeleton, limbs *found)
{
	const size_t bone_count = skeleton->bone_count;
	uint32_t *children = ossai_arena_zero(arena, bone_count, sizeof *children);
	found->of_bone = ossai_arena_new(arena, bone_count, sizeof *found->of_bone);
	found->above = ossai_arena_new(arena, bone_count, sizeof *found->above);
	if (!children || !found->of_bone || !found->above) return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < bone_count; b++) {
		if (skeleton->bones[b].parent >= 0) children[skeleton->bones[b].parent]++;
	}
	/* parents come before their children */
	for (size_t b = 0; b < bone_count; b++) {
		const int32_t parent = skeleton->bones[b].parent;
		if (parent >= 0 && children[parent] == 1) {
			found->of_bone[b] = found->of_bone[parent];
			continue;
		}
		found->above[found->count] = parent < 0 ? OSSA_NONE : found->of_bone[parent];
		found->of_bone[b] = found->count++;
	}
	return OSSA_OK;
}

static bool is_apart(const limbs *l, uint32_t a, uint32_t b) { return a != b && l->above[a] != b && l->above[b] != a; }

/* the first of the largest weights tells whose the vertex is */
static bool vertex_leaks(const limbs *l, const ossa_weights *weights, size_t vertex)
{
	const size_t slots = (size_t)weights->influences;
	const float *values = weights->values + vertex * slots;
	const uint16_t *bones = weights->bones + vertex * slots;
	size_t first = 0;
	for (size_t i = 1; i < slots; i++) first = values[i] > values[first] ? i : first;
	for (size_t i = 0; i < slots; i++) {
		if (values[i] > LEAST_LEAK && is_apart(l, l->of_bone[bones[first]], l->of_bone[bones[i]])) return true;
	}
	return false;
}

ossa_status ossai_leaks_measure(ossa_context *context, const ossa_skeleton *skeleton, const ossa_weights *weights,
	const uint8_t *used, int *limb_count, double *share)
{
	ossai_arena arena = ossai_arena_begin(context);
	limbs found = {.count = 0};
	const ossa_status status = find_limbs(&arena, skeleton, &found);
	size_t leaking = 0, count = 0;
	for (size_t v = 0; status == OSSA_OK && v < weights->vertex_count; v++) {
		if (!used[v]) continue;
		count++;
		leaking += vertex_leaks(&found, weights, v);
	}
	*limb_count = (int)found.count;
	*share = count > 0 ? (double)leaking / (double)count : NAN;
	ossai_arena_end(&arena);
	return status;
}
