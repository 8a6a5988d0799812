/* mesh/pairs.c: pairs sorted by a stable counting pass over their first index, then each run of one
   first index by the second: linear where runs are short, as the edges of a vertex are, and never
   quadratic on hostile input, where a hash would be.

   Place in the path: below adjacency and links.
   Input: pairs in any order.
   Output: sorted, unique ones. */
#include "mesh/pairs.h"

#include <string.h>

/* Runs up to this length are sorted by insertion. */
enum { SHORT_RUN = 16 };

/* counts: limit + 1, receives where each run ends */
static void sort_by_first(const ossai_pair *from, ossai_pair *to, size_t count, uint32_t *counts, size_t limit)
{
	memset(counts, 0, (limit + 1) * sizeof *counts);
	for (size_t i = 0; i < count; i++) counts[from[i].first + 1]++;
	for (size_t i = 0; i < limit; i++) counts[i + 1] += counts[i];
	for (size_t i = 0; i < count; i++) to[counts[from[i].first]++] = from[i];
}

static void insert_run(const ossai_pair *from, ossai_pair *to, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t at = i;
		for (; at > 0 && to[at - 1].second > from[i].second; at--) to[at] = to[at - 1];
		to[at] = from[i];
	}
}

/* merges two sorted halves; of equal pairs those of the first half come first */
static void merge_halves(const ossai_pair *from, size_t half, size_t count, ossai_pair *to)
{
	size_t a = 0, b = half;
	for (size_t i = 0; i < count; i++) {
		const bool takes_first = a < half && (b == count || from[a].second <= from[b].second);
		to[i] = takes_first ? from[a++] : from[b++];
	}
}

/* a merge sort from short blocks upwards; both arrays are used, the result is in `to` */
static void merge_run(ossai_pair *from, ossai_pair *to, size_t count)
{
	ossai_pair *source = to, *target = from;
	for (size_t i = 0; i < count; i += SHORT_RUN) {
		insert_run(from + i, to + i, count - i < SHORT_RUN ? count - i : SHORT_RUN);
	}
	for (size_t size = SHORT_RUN; size < count; size *= 2) {
		for (size_t i = 0; i < count; i += 2 * size) {
			const size_t left = count - i, all = left < 2 * size ? left : 2 * size;
			merge_halves(source + i, left < size ? left : size, all, target + i);
		}
		ossai_pair *const last = source;
		source = target;
		target = last;
	}
	if (source != to) memcpy(to, source, count * sizeof *to);
}

ossa_status ossai_pairs_sort(ossa_context *context, ossai_pair *pairs, size_t count, size_t limit)
{
	ossai_arena scratch = ossai_arena_begin(context);
	ossai_pair *by_first = ossai_arena_new(&scratch, count, sizeof *by_first);
	uint32_t *counts = by_first ? ossai_arena_new(&scratch, limit + 1, sizeof *counts) : NULL;
	if (counts) {
		sort_by_first(pairs, by_first, count, counts, limit);
		for (size_t begin = 0, end; begin < count; begin = end) {
			end = counts[by_first[begin].first];
			if (end - begin <= SHORT_RUN) insert_run(by_first + begin, pairs + begin, end - begin);
			else merge_run(by_first + begin, pairs + begin, end - begin);
		}
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
