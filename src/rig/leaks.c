/* rig/leaks.c: weights of one limb on the bones of another one: see leaks.h. */
#include "rig/leaks.h"

#include <math.h>

static const double LEAST_LEAK = 1e-3;

typedef struct limbs {
	uint32_t *of_bone; /* B; chains that end in a branching have numbers too */
	uint8_t *ends;     /* of each chain: it ends in no other, so it is a limb */
	uint32_t count;    /* chains */
} limbs;

static ossa_status find_limbs(ossai_arena *arena, const ossa_skeleton *skeleton, limbs *found)
{
	const size_t bone_count = skeleton->bone_count;
	uint32_t *children = ossai_arena_zero(arena, bone_count, sizeof *children);
	found->of_bone = ossai_arena_new(arena, bone_count, sizeof *found->of_bone);
	found->ends = ossai_arena_zero(arena, bone_count, 1);
	if (!children || !found->of_bone || !found->ends) return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < bone_count; b++) {
		if (skeleton->bones[b].parent >= 0) children[skeleton->bones[b].parent]++;
	}
	/* parents come before their children */
	for (size_t b = 0; b < bone_count; b++) {
		const int32_t parent = skeleton->bones[b].parent;
		const bool goes_on = parent >= 0 && children[parent] == 1;
		found->of_bone[b] = goes_on ? found->of_bone[parent] : found->count++;
		if (children[b] == 0) found->ends[found->of_bone[b]] = 1;
	}
	return OSSA_OK;
}

/* two limbs; but bones that hang on one bone share the skin where they meet */
static bool are_apart(const limbs *l, const ossa_bone *bones, size_t one, size_t other)
{
	const uint32_t a = l->of_bone[one], b = l->of_bone[other];
	return a != b && l->ends[a] && l->ends[b] && bones[one].parent != bones[other].parent;
}

/* the first of the largest weights tells whose the vertex is */
static bool vertex_leaks(const limbs *l, const ossa_skeleton *skeleton, const ossa_weights *weights, size_t vertex)
{
	const size_t slots = (size_t)weights->influences;
	const float *values = weights->values + vertex * slots;
	const uint16_t *bones = weights->bones + vertex * slots;
	size_t first = 0;
	for (size_t i = 1; i < slots; i++) first = values[i] > values[first] ? i : first;
	for (size_t i = 0; i < slots; i++) {
		if (values[i] > LEAST_LEAK && are_apart(l, skeleton->bones, bones[first], bones[i])) return true;
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
		leaking += vertex_leaks(&found, skeleton, weights, v);
	}
	*limb_count = 0;
	for (size_t l = 0; status == OSSA_OK && l < found.count; l++) *limb_count += found.ends[l];
	*share = count > 0 ? (double)leaking / (double)count : NAN;
	ossai_arena_end(&arena);
	return status;
}
