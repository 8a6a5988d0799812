/* skeleton/tree_chains.c: see tree_chains.h. */
#include "skeleton/tree_chains.h"

ossa_status ossai_tree_chains_find(
	ossai_arena *arena, size_t bone_count, const uint32_t *parent, const uint32_t *order, ossai_tree_chains *chains)
{
	uint32_t *children = ossai_arena_zero(arena, bone_count, sizeof *children);
	*chains = (ossai_tree_chains){.parent = parent};
	chains->chain = ossai_arena_new(arena, bone_count, sizeof *chains->chain);
	chains->is_limb = ossai_arena_zero(arena, bone_count, sizeof *chains->is_limb);
	if (!children || !chains->chain || !chains->is_limb) return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < bone_count; b++) {
		if (parent[b] != OSSA_NONE) children[parent[b]]++;
	}
	for (size_t i = 0; i < bone_count; i++) {
		const size_t b = order ? order[i] : i;
		const bool goes_on = parent[b] != OSSA_NONE && children[parent[b]] == 1;
		chains->chain[b] = goes_on ? chains->chain[parent[b]] : chains->chain_count++;
		if (children[b] > 0) continue;
		chains->is_limb[chains->chain[b]] = 1;
		chains->limb_count++;
	}
	return OSSA_OK;
}
