/* mesh/bounds.c: the box around positions.

   Place in the path: wherever a result must not depend on units.
   Input: positions.
   Output: ossai_bounds. */
#include "mesh/bounds.h"

ossai_bounds ossai_bounds_make(size_t vertex_count, const float *positions)
{
	ossai_bounds bounds = {0};
	if (vertex_count == 0) return bounds;
	float low[3], high[3];
	for (int k = 0; k < 3; k++) low[k] = high[k] = positions[k];
	for (size_t v = 1; v < vertex_count; v++) {
		for (int k = 0; k < 3; k++) {
			const float x = positions[3 * v + k];
			if (x < low[k]) low[k] = x;
			if (x > high[k]) high[k] = x;
		}
	}
	bounds.minimum = ossai_v3_of_float(low);
	bounds.maximum = ossai_v3_of_float(high);
	const ossai_vec3 side = ossai_sub(bounds.maximum, bounds.minimum);
	bounds.diagonal = ossai_length(side);
	bounds.largest_side = fmax(side.x, fmax(side.y, side.z));
	return bounds;
}
