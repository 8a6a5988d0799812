/* medial/path_smooth.c: the chains of a path tree without the steps of their voxels: see
   path_tree.h. */
#include "medial/path_tree.h"

#include <ossa/mesh.h>
#include <string.h>

/* a chain's nodes, from the last one down to the junction or beginning, in `chain`; returns their
   number */
static size_t chain_down_from(const ossai_path_tree *tree, const uint32_t *degree, uint32_t last, uint32_t *chain)
{
	size_t count = 0;
	uint32_t node = last;
	do {
		chain[count++] = node;
		node = tree->parent[node];
	} while (node != OSSA_NONE && degree[node] == 2);
	if (node != OSSA_NONE) chain[count++] = node;
	return count;
}

/* means over as many nodes on either side as there are up to the nearer end, `edges` at most */
static void smooth_chain(size_t count, const uint32_t *chain, size_t edges, const ossai_vec3 *from, ossai_vec3 *to)
{
	for (size_t i = 1; i + 1 < count; i++) {
		const size_t to_end = i < count - 1 - i ? i : count - 1 - i, radius = to_end < edges ? to_end : edges;
		ossai_vec3 sum = {0, 0, 0};
		for (size_t k = i - radius; k <= i + radius; k++) sum = ossai_add(sum, from[chain[k]]);
		to[chain[i]] = ossai_scale(sum, 1 / (double)(2 * radius + 1));
	}
}

static ossa_status smooth(ossai_arena *scratch, size_t edges, ossai_path_tree *tree)
{
	const size_t count = tree->node_count;
	uint32_t *degree = ossai_arena_zero(scratch, count, sizeof *degree);
	uint32_t *chain = ossai_arena_new(scratch, count, sizeof *chain);
	ossai_vec3 *from = ossai_arena_new(scratch, count, sizeof *from);
	if (!degree || !chain || !from) return ossa_context_error(scratch->context)->status;
	if (count > 0) memcpy(from, tree->node, count * sizeof *from);
	for (size_t i = 1; i < count; i++) {
		degree[i]++;
		degree[tree->parent[i]]++;
	}
	/* each chain once: from its last node, which is an end or a junction */
	for (uint32_t i = 1; i < count; i++) {
		if (degree[i] == 2) continue;
		smooth_chain(chain_down_from(tree, degree, i, chain), chain, edges, from, tree->node);
	}
	return OSSA_OK;
}

ossa_status ossai_path_tree_smooth(ossai_arena *arena, int edges, ossai_path_tree *tree)
{
	if (edges < 1) return OSSA_OK;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossa_status status = smooth(&scratch, (size_t)edges, tree);
	ossai_arena_end(&scratch);
	return status;
}
