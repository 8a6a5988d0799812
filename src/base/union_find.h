/* base/union_find.h: disjoint sets of items, merged pair by pair.

   Place in the path: below everything. A plain array of parents; the root of a set is its smallest
   item, so that the result does not depend on the order of the pairs.
   Source: R. Tarjan and J. van Leeuwen, Worst-Case Analysis of Set Union Algorithms, 1984 (path
   halving). */
#ifndef OSSAI_BASE_UNION_FIND_H
#define OSSAI_BASE_UNION_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* every item by itself */
static inline void ossai_union_begin(uint32_t *parent, size_t count)
{
	for (size_t i = 0; i < count; i++) parent[i] = (uint32_t)i;
}

/* the smallest item of the set of `item` */
static inline uint32_t ossai_union_find(uint32_t *parent, uint32_t item)
{
	while (parent[item] != item) {
		parent[item] = parent[parent[item]];
		item = parent[item];
	}
	return item;
}

/* true where a and b were in different sets before */
static inline bool ossai_union_join(uint32_t *parent, uint32_t a, uint32_t b)
{
	a = ossai_union_find(parent, a);
	b = ossai_union_find(parent, b);
	if (a == b) return false;
	if (a < b) parent[b] = a;
	else parent[a] = b;
	return true;
}

#endif
