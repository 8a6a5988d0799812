/* rig/weight_pairs.h: the weights of one vertex while they are merged: one for each bone, the
   largest first in the end.

   Place in the path: below levels and the edits of a skeleton. */
#ifndef OSSAI_RIG_WEIGHT_PAIRS_H
#define OSSAI_RIG_WEIGHT_PAIRS_H

#include <ossa/rig.h>

#include <stddef.h>
#include <stdint.h>

/* three corners' and a vertex' own, of at most 64 */
enum { OSSAI_WEIGHT_PAIRS_MAX = 256 };

typedef struct ossai_weight_pairs {
	size_t count;
	uint32_t bone[OSSAI_WEIGHT_PAIRS_MAX];
	double value[OSSAI_WEIGHT_PAIRS_MAX];
} ossai_weight_pairs;

/* Adds to a bone's weight. */
static inline void ossai_weight_pairs_add(ossai_weight_pairs *pairs, uint32_t bone, double value)
{
	for (size_t i = 0; i < pairs->count; i++) {
		if (pairs->bone[i] != bone) continue;
		pairs->value[i] += value;
		return;
	}
	pairs->bone[pairs->count] = bone;
	pairs->value[pairs->count++] = value;
}

/* The largest first, ties by bone. */
static inline void ossai_weight_pairs_sort(ossai_weight_pairs *pairs)
{
	for (size_t i = 1; i < pairs->count; i++) {
		const uint32_t bone = pairs->bone[i];
		const double value = pairs->value[i];
		size_t at = i;
		for (; at > 0 && (pairs->value[at - 1] < value || (pairs->value[at - 1] == value && pairs->bone[at - 1] > bone));
			 at--) {
			pairs->value[at] = pairs->value[at - 1];
			pairs->bone[at] = pairs->bone[at - 1];
		}
		pairs->value[at] = value;
		pairs->bone[at] = bone;
	}
}

/* Stores the first `kept` of sorted ones, or as many as a vertex of `to` can have, divided by
   `sum`; zeros behind. */
static inline void ossai_weight_pairs_store(
	const ossai_weight_pairs *pairs, size_t kept, double sum, ossa_weights *to, size_t vertex)
{
	const size_t width = (size_t)to->influences, first = vertex * width;
	for (size_t k = 0; k < width; k++) {
		const float value = k < kept ? (float)(pairs->value[k] / sum) : 0;
		to->bones[first + k] = value > 0 ? (uint16_t)pairs->bone[k] : 0;
		to->values[first + k] = value;
	}
}

/* The largest of sorted ones, of sum 1: the first `kept`, or as many as fit. */
static inline void ossai_weight_pairs_store_largest(
	const ossai_weight_pairs *pairs, size_t kept, ossa_weights *to, size_t vertex)
{
	const size_t width = (size_t)to->influences, count = kept < width ? kept : width;
	double sum = 0;
	for (size_t k = 0; k < count; k++) sum += pairs->value[k];
	ossai_weight_pairs_store(pairs, count, sum, to, vertex);
}

#endif
