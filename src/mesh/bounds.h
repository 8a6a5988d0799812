/* mesh/bounds.h: the box around positions, and the two lengths that errors are given in.

   Place in the path: wherever a result must not depend on units.
   Input: positions.
   Output: ossai_bounds. */
#ifndef OSSAI_MESH_BOUNDS_H
#define OSSAI_MESH_BOUNDS_H

#include "math/vec.h"

#include <stdbool.h>

typedef struct ossai_bounds {
	ossai_vec3 minimum, maximum;
	double diagonal; /* 0 where all positions are one, or there are none */
	double largest_side;
} ossai_bounds;

/* positions: V x 3. Without vertices all is 0. */
ossai_bounds ossai_bounds_make(size_t vertex_count, const float *positions);

/* Whether the box, wider by a margin on all sides, contains a point. */
static inline bool ossai_bounds_contain(const ossai_bounds *b, ossai_vec3 p, double margin)
{
	return p.x >= b->minimum.x - margin && p.y >= b->minimum.y - margin && p.z >= b->minimum.z - margin &&
		p.x <= b->maximum.x + margin && p.y <= b->maximum.y + margin && p.z <= b->maximum.z + margin;
}

#endif
