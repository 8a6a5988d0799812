/* base/heap.h: a 4-ary min-heap of (key, item) pairs; equal keys come out by the smaller item.

   Place in the path: below everything. The caller owns the array. */
#ifndef OSSAI_BASE_HEAP_H
#define OSSAI_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ossai_heap_entry {
	double key;
	uint32_t item;
} ossai_heap_entry;

typedef struct ossai_heap {
	ossai_heap_entry *entries;
	size_t count;
} ossai_heap;

static inline bool ossai_heap_less(ossai_heap_entry a, ossai_heap_entry b)
{
	return a.key < b.key || (a.key == b.key && a.item < b.item);
}

/* Comparators of qsort, of entries: the smallest key first, or the largest; equal keys by the
   smaller item. */
static inline int ossai_heap_compare_rising(const void *left, const void *right)
{
	const ossai_heap_entry *a = left, *b = right;
	return ossai_heap_less(*a, *b) ? -1 : ossai_heap_less(*b, *a);
}

static inline int ossai_heap_compare_falling(const void *left, const void *right)
{
	const ossai_heap_entry *a = left, *b = right;
	if (a->key != b->key) return a->key > b->key ? -1 : 1;
	return a->item < b->item ? -1 : a->item > b->item;
}

/* sifts the entry at `at` down */
static inline void ossai_heap_sift_down(ossai_heap *heap, size_t at)
{
	const ossai_heap_entry moving = heap->entries[at];
	for (;;) {
		const size_t first = 4 * at + 1;
		if (first >= heap->count) break;
		const size_t end = first + 4 < heap->count ? first + 4 : heap->count;
		size_t best = first;
		for (size_t i = first + 1; i < end; i++) {
			if (ossai_heap_less(heap->entries[i], heap->entries[best])) best = i;
		}
		if (!ossai_heap_less(heap->entries[best], moving)) break;
		heap->entries[at] = heap->entries[best];
		at = best;
	}
	heap->entries[at] = moving;
}

/* makes a heap of entries in any order; linear */
static inline void ossai_heap_build(ossai_heap *heap)
{
	if (heap->count < 2) return;
	for (size_t i = (heap->count - 2) / 4 + 1; i-- > 0;) ossai_heap_sift_down(heap, i);
}

static inline void ossai_heap_push(ossai_heap *heap, double key, uint32_t item)
{
	const ossai_heap_entry moving = {key, item};
	size_t at = heap->count++;
	while (at > 0 && ossai_heap_less(moving, heap->entries[(at - 1) / 4])) {
		heap->entries[at] = heap->entries[(at - 1) / 4];
		at = (at - 1) / 4;
	}
	heap->entries[at] = moving;
}

static inline void ossai_heap_pop(ossai_heap *heap)
{
	heap->entries[0] = heap->entries[--heap->count];
	if (heap->count > 1) ossai_heap_sift_down(heap, 0);
}

/* gives the smallest entry another key */
static inline void ossai_heap_replace_top(ossai_heap *heap, double key)
{
	heap->entries[0].key = key;
	ossai_heap_sift_down(heap, 0);
}

/* the smallest key but the top's; INFINITY-like `none` where there is no second */
static inline double ossai_heap_second_key(const ossai_heap *heap, double none)
{
	double key = none;
	const size_t end = heap->count < 5 ? heap->count : 5;
	for (size_t i = 1; i < end; i++) {
		if (heap->entries[i].key < key) key = heap->entries[i].key;
	}
	return key;
}

#endif
