/* math/triangle.h: distances from a point to a triangle, degenerate or not.

   Place in the path: above vec, below every query of a surface.
   Source: C. Ericson, Real-Time Collision Detection, 2005, 5.1.5 (the regions of a triangle). */
#ifndef OSSAI_MATH_TRIANGLE_H
#define OSSAI_MATH_TRIANGLE_H

#include "math/vec.h"

/* The point of a triangle that is nearest to p. share: 3, filled with its barycentric
   coordinates. */
ossai_vec3 ossai_nearest_on_triangle(const ossai_vec3 corner[3], ossai_vec3 p, double share[3]);

/* The squared distance from the origin to the segment from a to b. */
static inline double ossai_segment_distance2(ossai_vec3 a, ossai_vec3 b)
{
	return ossai_length2(ossai_nearest_on_segment(a, b, ossai_v3(0, 0, 0)));
}

/* The squared distance from the origin to the triangle a b c, whose normal may have any length;
   normal2: its square. The foot of the perpendicular is in the triangle where it is on the inner
   side of all edges; else the nearest edge is one whose outer side it is on. */
static inline double ossai_triangle_distance2(ossai_vec3 a, ossai_vec3 b, ossai_vec3 c, ossai_vec3 normal, double normal2)
{
	const bool has_area = normal2 > 0;
	const bool in_ab = ossai_dot(ossai_cross(a, b), normal) >= 0, in_bc = ossai_dot(ossai_cross(b, c), normal) >= 0;
	const bool in_ca = ossai_dot(ossai_cross(c, a), normal) >= 0;
	if (has_area && in_ab && in_bc && in_ca) {
		const double along = ossai_dot(a, normal);
		return along * along / normal2;
	}
	double best = INFINITY;
	if (!in_ab || !has_area) best = ossai_segment_distance2(a, b);
	if (!in_bc || !has_area) best = ossai_lesser(best, ossai_segment_distance2(b, c));
	if (!in_ca || !has_area) best = ossai_lesser(best, ossai_segment_distance2(c, a));
	return best;
}

#endif
