/* metrics/weight_bleeding.c: weight bleeding: see weight_bleeding.h. */
#include "metrics/weight_bleeding.h"

#include "skeleton/tree_chains.h"

#include <math.h>

static const double LEAST_BLEEDING = 1e-3;

static ossa_status find_chains(ossai_arena *arena, const ossa_skeleton *skeleton, ossai_tree_chains *chains)
{
	uint32_t *parent = ossai_arena_new(arena, skeleton->bone_count, sizeof *parent);
	if (!parent) return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		parent[b] = skeleton->bones[b].parent < 0 ? OSSA_NONE : (uint32_t)skeleton->bones[b].parent;
	}
	/* parents come before their children */
	return ossai_tree_chains_find(arena, skeleton->bone_count, parent, NULL, chains);
}

/* a vertex belongs to the bone of its largest weight, the first of equal ones */
static bool vertex_bleeds(const ossai_tree_chains *chains, const ossa_weights *weights, size_t vertex)
{
	const size_t slots = (size_t)weights->influences;
	const float *values = weights->values + vertex * slots;
	const uint16_t *bones = weights->bones + vertex * slots;
	size_t first = 0;
	for (size_t i = 1; i < slots; i++) first = values[i] > values[first] ? i : first;
	for (size_t i = 0; i < slots; i++) {
		if (values[i] > LEAST_BLEEDING && ossai_bones_apart(chains, bones[first], bones[i])) return true;
	}
	return false;
}

ossa_status ossai_weight_bleeding_measure(ossa_context *context, const ossa_skeleton *skeleton, const ossa_weights *weights,
	const uint8_t *used, int *limb_count, double *share)
{
	ossai_arena arena = ossai_arena_begin(context);
	ossai_tree_chains chains;
	const ossa_status status = find_chains(&arena, skeleton, &chains);
	size_t leaking = 0, count = 0;
	for (size_t v = 0; status == OSSA_OK && v < weights->vertex_count; v++) {
		if (!used[v]) continue;
		count++;
		leaking += vertex_bleeds(&chains, weights, v);
	}
	*limb_count = status == OSSA_OK ? (int)chains.limb_count : 0;
	*share = count > 0 ? (double)leaking / (double)count : NAN;
	ossai_arena_end(&arena);
	return status;
}
