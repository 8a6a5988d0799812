/* weights/top_weights.h: the largest weights of every vertex, accumulated from many sparse
   contributions.

   Place in the path: below heat.
   Input: values of a few bones at a time, over poses.
   Output: the largest sums of each vertex.
   Source: A. Metwally, D. Agrawal and A. El Abbadi, Efficient Computation of Frequent and Top-k
   Elements, 2005.

   A full table of vertices x bones is not kept: a vertex has some slots more than the influences
   wanted, and where they do not suffice the smallest sum is evicted. */
#ifndef OSSAI_WEIGHTS_TOP_WEIGHTS_H
#define OSSAI_WEIGHTS_TOP_WEIGHTS_H

#include "weights/bone_weights.h"

typedef struct ossai_top_weights {
	size_t point_count, width;
	uint16_t *bone; /* N x width */
	float *sum;     /* N x width */
	uint8_t *count; /* N */
} ossai_top_weights;

/* Allocates slots for `influences` and some more per point. Arrays are the arena's. */
ossa_status ossai_top_weights_make(ossai_arena *arena, size_t point_count, size_t influences, ossai_top_weights *top);

/* Adds `value` > 0 of a bone to a point. */
void ossai_top_weights_add(ossai_top_weights *top, size_t point, uint32_t bone, double value);

/* The `width` of `weights` largest of a point as weights of a vertex: descending, without those
   below `least` of their sum, sum 1; of equal sums the lower index goes first. False where the
   point has none. */
bool ossai_top_weights_take(
	const ossai_top_weights *top, size_t point, double least, size_t vertex, ossai_bone_weights *weights);

#endif
