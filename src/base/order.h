/* base/order.h: comparators of qsort for plain numbers, rising.

   Place in the path: below everything. Comparators of (key, index) pairs are in base/heap.h. */
#ifndef OSSAI_BASE_ORDER_H
#define OSSAI_BASE_ORDER_H

#include <stdint.h>

static inline int ossai_compare_doubles(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

static inline int ossai_compare_indices(const void *left, const void *right)
{
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

#endif
