/* mesh/pairs.c: pairs sorted in two stable counting passes: linear on hostile input too, where a
   hash would not be.

   Place in the path: below adjacency and links.
   Input: pairs in any order.
   Output: sorted, unique ones. */
#include "mesh/pairs.h"

#include <string.h>

/* one stable pass: by `second` or by `first`; counts has limit + 1 items */
static void sort_pass(const ossai_pair *from, ossai_pair *to, size_t count, uint32_t *counts, size_t limit, bool by_second)
{
	memset(counts, 0, (limit + 1) * sizeof *counts);
	for (size_t i = 0; i < count; i++) counts[(by_second ? from[i].second : from[i].first) + 1]++;
	for (size_t i = 0; i < limit; i++) counts[i + 1] += counts[i];
	for (size_t i = 0; i < count; i++) to[counts[by_second ? from[i].second : from[i].first]++] = from[i];
}

ossa_status ossai_pairs_sort(ossa_context *context, ossai_pair *pairs, size_t count, size_t limit)
{
	ossai_arena scratch = ossai_arena_begin(context);
	ossai_pair *other = ossai_arena_new(&scratch, count, sizeof *other);
	uint32_t *counts = other ? ossai_arena_new(&scratch, limit + 1, sizeof *counts) : NULL;
	if (counts) {
		sort_pass(pairs, other, count, counts, limit, true);
		sort_pass(other, pairs, count, counts, limit, false);
	}
	ossai_arena_end(&scratch);
	return counts ? OSSA_OK : ossa_context_error(context)->status;
}

ossa_status ossai_pairs_unique(
	ossai_arena *arena, const ossai_pair *pairs, size_t count, uint32_t **unique, size_t *unique_count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i = ossai_pairs_run_end(pairs, count, i)) kept++;
	*unique = ossai_arena_new(arena, kept, 2 * sizeof **unique);
	if (!*unique) return ossa_context_error(arena->context)->status;
	*unique_count = kept;
	kept = 0;
	for (size_t i = 0; i < count; i = ossai_pairs_run_end(pairs, count, i), kept++) {
		(*unique)[2 * kept] = pairs[i].first;
		(*unique)[2 * kept + 1] = pairs[i].second;
	}
	return OSSA_OK;
}
