/* skeleton/vertex_weight.h: one weight of a rig.

   Place in the path: below naming and what merges or stores weights. */
#ifndef OSSAI_SKELETON_VERTEX_WEIGHT_H
#define OSSAI_SKELETON_VERTEX_WEIGHT_H

#include <ossa/rig.h>

#include <stddef.h>
#include <stdint.h>

/* The weight of a bone at a vertex; 0 where it has none. */
static inline double ossai_weight_of(const ossa_weights *weights, size_t vertex, uint32_t bone)
{
	const size_t first = vertex * (size_t)weights->influences;
	for (size_t i = first; i < first + (size_t)weights->influences; i++) {
		if (weights->bones[i] == bone && weights->values[i] > 0) return (double)weights->values[i];
	}
	return 0;
}

#endif
