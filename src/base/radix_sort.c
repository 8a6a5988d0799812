/* base/radix_sort.c: see radix_sort.h.

   The bits of doubles that are not negative are in the order of the numbers. One pass counts all
   digits; digits that are the same in all keys need no pass of their own.
   Source: D. Knuth, The Art of Computer Programming 3, 5.2.5, algorithm R. */
#include "base/radix_sort.h"

#include <string.h>

enum { BITS = 11, DIGITS = 6, BUCKETS = 1 << BITS };

static inline size_t digit_of(double key, int digit)
{
	uint64_t bits;
	memcpy(&bits, &key, sizeof bits);
	return (size_t)(bits >> (BITS * digit)) & (BUCKETS - 1);
}

void ossai_radix_sort(ossai_heap_entry *entries, ossai_heap_entry *space, size_t count)
{
	uint32_t begin[DIGITS][BUCKETS] = {{0}};
	ossai_heap_entry *from = entries, *to = space;
	for (size_t i = 0; i < count; i++) {
		for (int d = 0; d < DIGITS; d++) begin[d][digit_of(entries[i].key, d)]++;
	}
	for (int d = 0; d < DIGITS && count > 0; d++) {
		if (begin[d][digit_of(entries[0].key, d)] == count) continue;
		uint32_t sum = 0;
		for (size_t b = 0; b < BUCKETS; b++) {
			const uint32_t own = begin[d][b];
			begin[d][b] = sum;
			sum += own;
		}
		for (size_t i = 0; i < count; i++) to[begin[d][digit_of(from[i].key, d)]++] = from[i];
		ossai_heap_entry *const last = from;
		from = to;
		to = last;
	}
	if (from != entries) memcpy(entries, from, count * sizeof *entries);
}
