/* skeleton/tree.c: see tree.h. */
#include "skeleton/tree.h"

#include <string.h>

ossa_status ossai_tree_new(ossai_arena *arena, size_t bone_count, ossai_tree *tree)
{
	*tree = (ossai_tree){.bone_count = bone_count};
	tree->parent = ossai_arena_new(arena, bone_count, sizeof *tree->parent);
	tree->pair = ossai_arena_new(arena, bone_count, sizeof *tree->pair);
	tree->order = ossai_arena_new(arena, bone_count, sizeof *tree->order);
	if (!tree->parent || !tree->pair || !tree->order) return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < bone_count; b++) tree->pair[b] = OSSA_NONE;
	return OSSA_OK;
}

void ossai_tree_copy(const ossai_tree *from, ossai_tree *to)
{
	to->bone_count = from->bone_count;
	to->root = from->root;
	memcpy(to->parent, from->parent, from->bone_count * sizeof *to->parent);
	memcpy(to->pair, from->pair, from->bone_count * sizeof *to->pair);
	memcpy(to->order, from->order, from->bone_count * sizeof *to->order);
}

ossa_status ossai_tree_of_skeleton(ossai_arena *arena, const ossa_skeleton *skeleton, ossai_tree *tree)
{
	OSSAI_TRY(ossai_tree_new(arena, skeleton->bone_count, tree));
	tree->root = 0;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const int32_t parent = skeleton->bones[b].parent;
		tree->order[b] = (uint32_t)b;
		tree->parent[b] = parent < 0 ? OSSA_NONE : (uint32_t)parent;
	}
	return OSSA_OK;
}

void ossai_tree_sort(ossai_tree *tree)
{
	size_t count = 1;
	tree->order[0] = tree->root;
	for (size_t at = 0; at < count; at++) {
		for (uint32_t b = 0; b < tree->bone_count; b++) {
			if (tree->parent[b] == tree->order[at]) tree->order[count++] = b;
		}
	}
}

bool ossai_tree_children_mean(const ossai_tree *tree, const ossai_vec3 *point, uint32_t bone, ossai_vec3 *mean)
{
	ossai_vec3 sum = {0, 0, 0};
	double count = 0;
	for (size_t c = 0; c < tree->bone_count; c++) {
		if (tree->parent[c] != bone) continue;
		sum = ossai_add(sum, point[c]);
		count += 1;
	}
	if (count > 0) *mean = ossai_scale(sum, 1 / count);
	return count > 0;
}

uint32_t *ossai_tree_depths(ossai_arena *arena, const ossai_tree *tree)
{
	uint32_t *depth = ossai_arena_zero(arena, tree->bone_count, sizeof *depth);
	for (size_t i = 0; depth && i < tree->bone_count; i++) {
		const uint32_t b = tree->order[i];
		if (tree->parent[b] != OSSA_NONE) depth[b] = depth[tree->parent[b]] + 1;
	}
	return depth;
}

ossa_status ossai_tree_number(ossai_arena *arena, const ossai_tree *tree, const uint8_t *counted, uint32_t *place)
{
	const size_t n = tree->bone_count;
	uint32_t *size = ossai_arena_zero(arena, n, sizeof *size), *begin = ossai_arena_zero(arena, n, sizeof *begin);
	if (!size || !begin) return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < n; b++) size[b] = !counted || counted[b];
	for (size_t at = n; at-- > 1;) size[tree->parent[tree->order[at]]] += size[tree->order[at]];
	/* the begin of a bone moves past the subtrees of children that have their range */
	for (size_t at = 1; at < n; at++) {
		const uint32_t b = tree->order[at], parent = tree->parent[b];
		begin[b] = begin[parent];
		begin[parent] += size[b];
	}
	/* its own place is where these end */
	for (size_t b = 0; b < n; b++) place[b] = !counted || counted[b] ? begin[b] : OSSA_NONE;
	return OSSA_OK;
}

size_t ossai_tree_steps(const uint32_t *parent, const uint32_t *depth, uint32_t a, uint32_t b)
{
	size_t steps = 0;
	for (; a != b; steps++) {
		if (depth[a] > depth[b]) a = parent[a];
		else b = parent[b];
	}
	return steps;
}
