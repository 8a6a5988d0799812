/* surface/inside.h: which points a surface encloses.

   Place in the path: metrics.  In: a surface, closed or not, and points.  Out: winding numbers. */
#ifndef OSSAI_SURFACE_INSIDE_H
#define OSSAI_SURFACE_INSIDE_H

#include "base/context.h"

/* The generalised winding number of each point: 1 inside a closed surface with outward faces, -1 with inward ones, 0
   outside, in between near holes. positions: V x 3; points: N x 3; numbers: N. Threads: the context's; allocates nothing.
   Cost: faces x points.  Source: A. Van Oosterom and J. Strackee, The Solid Angle of a Plane Triangle, 1983. */
void ossai_winding_numbers(ossa_context *context, size_t face_count, const uint32_t *triangles, const float *positions,
	size_t point_count, const double *points, double *numbers);

#endif
