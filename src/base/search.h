/* base/search.h: binary search in what is sorted.

   Place in the path: below everything. */
#ifndef OSSAI_BASE_SEARCH_H
#define OSSAI_BASE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first of `count` rising items, each of `size` bytes, that is not before the key; `count`
   where all are. compare: as for qsort, of an item and the key. */
static inline size_t ossai_search(
	const void *key, const void *items, size_t count, size_t size, int (*compare)(const void *item, const void *key))
{
	size_t low = 0, high = count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (compare((const char *)items + middle * size, key) < 0) low = middle + 1;
		else high = middle;
	}
	return low;
}

/* The last of `count` rising numbers that is not above the value; 0 where all are. */
static inline size_t ossai_search_double(const double *numbers, size_t count, double value)
{
	size_t low = 0, high = count;
	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;
		if (numbers[middle] <= value) low = middle;
		else high = middle;
	}
	return low;
}

/* The first of `count` rising numbers that is not below the value; `count` where all are. For inner
   loops: compilers make moves of its choices, which no processor has to predict. */
static inline size_t ossai_search_first(const double *numbers, size_t count, double value)
{
	size_t first = 0;
	while (count > 0) {
		const size_t half = count / 2;
		const bool is_below = numbers[first + half] < value;
		first = is_below ? first + half + 1 : first;
		count = is_below ? count - half - 1 : half;
	}
	return first;
}

static inline int ossai_is_behind(const void *first, const void *item)
{
	return *(const size_t *)first > *(const size_t *)item ? 0 : -1;
}

/* As ossai_search_double, of counts: the source that an item is from, of sources that begin at
   `first`, 0 for the first of them. */
static inline size_t ossai_search_size(const size_t *first, size_t count, size_t item)
{
	const size_t behind = ossai_search(&item, first, count, sizeof *first, ossai_is_behind);
	return behind > 0 ? behind - 1 : 0;
}

/* As ossai_search_double, of indices: the row that an item belongs to, of rows that begin at
   `first`. */
static inline size_t ossai_search_index(const uint32_t *first, size_t count, uint32_t item)
{
	size_t low = 0, high = count;
	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;
		if (first[middle] <= item) low = middle;
		else high = middle;
	}
	return low;
}

#endif
