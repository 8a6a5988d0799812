/* base/radix_sort.h: sorting many (key, item) pairs in linear time.

   Place in the path: below everything. */
#ifndef OSSAI_BASE_RADIX_SORT_H
#define OSSAI_BASE_RADIX_SORT_H

#include "base/heap.h"

/* Sorts entries by rising keys; equal keys stay in the order in which they come. Keys are 0 or
   more, -0 and NaN are not allowed. space: as many entries as there are, fewer than 2^32. For few
   entries qsort with a comparator of heap.h is as good. */
void ossai_radix_sort(ossai_heap_entry *entries, ossai_heap_entry *space, size_t count);

#endif
