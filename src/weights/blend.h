/* weights/blend.h: the weights at a point of a face, between those of its corners.

   Place in the path: below transfer, surface_match. */
#ifndef OSSAI_WEIGHTS_BLEND_H
#define OSSAI_WEIGHTS_BLEND_H

#include "weights/bone_weights.h"

/* Bones and their weights: the corners of a face have at most 3 widths of them. */
typedef struct ossai_weight_blend {
	uint32_t bone[3 * OSSAI_INFLUENCES_MAX];
	double value[3 * OSSAI_INFLUENCES_MAX];
	size_t count;
} ossai_weight_blend;

/* Adds the weights of one of at most three vertices, multiplied by its share. */
static inline void ossai_weight_blend_add(
	const ossai_bone_weights *from, uint32_t vertex, double share, ossai_weight_blend *sum)
{
	const size_t at = (size_t)vertex * from->width;
	for (size_t i = 0; share > 0 && i < from->count[vertex]; i++) {
		size_t slot = 0;
		while (slot < sum->count && sum->bone[slot] != from->bone[at + i]) slot++;
		if (slot == sum->count) {
			sum->bone[sum->count] = from->bone[at + i];
			sum->value[sum->count++] = 0;
		}
		sum->value[slot] += share * from->value[at + i];
	}
}

#endif
