/* mesh/pairs.h: pairs of indices in order: edges of vertices, neighbours among faces.

   Place in the path: below adjacency and links.
   Input: pairs in any order.
   Output: sorted, unique ones. */
#ifndef OSSAI_MESH_PAIRS_H
#define OSSAI_MESH_PAIRS_H

#include "base/context.h"

/* Two indices, and what the pair comes from (the face of an edge). */
typedef struct ossai_pair {
	uint32_t first, second, tag;
} ossai_pair;

/* The pair of a and b, the smaller first. */
static inline ossai_pair ossai_pair_of(uint32_t a, uint32_t b, uint32_t tag)
{
	return (ossai_pair){a < b ? a : b, a < b ? b : a, tag};
}

/* Sorts by first, then second, then the order they came in; all indices are below `limit`.
   Errors: OSSA_ERROR_MEMORY.  Cost: linear in count + limit, but for first indices of very many
   pairs (n log n of those). */
ossa_status ossai_pairs_sort(ossa_context *context, ossai_pair *pairs, size_t count, size_t limit);

/* The end of the run of equal pairs that begins at `begin`. */
static inline size_t ossai_pairs_run_end(const ossai_pair *pairs, size_t count, size_t begin)
{
	size_t end = begin + 1;
	while (end < count && pairs[end].first == pairs[begin].first && pairs[end].second == pairs[begin].second) end++;
	return end;
}

/* Writes each pair of the sorted ones once, two indices each, into a new array of the arena. */
ossa_status ossai_pairs_unique(
	ossai_arena *arena, const ossai_pair *pairs, size_t count, uint32_t **unique, size_t *unique_count);

#endif
