/* query/inside.h: which points a mesh encloses, although some of its faces look to the wrong side.

   Place in the path: winding_numbers, orient -> here -> joints, choice of a method, metrics.
   Input: a mesh and points.
   Output: for each point whether it is inside.
   The winding number of a mesh whose faces look to both sides is wrong everywhere; where it finds a
   point outside, faces that look to the other side than most of those they are connected to are
   turned over first. */
#ifndef OSSAI_QUERY_INSIDE_H
#define OSSAI_QUERY_INSIDE_H

#include "mesh/view.h"

/* inside: N, 1 where the absolute winding number is above a half. points: N x 3.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT.  Cost: that of ossai_winding_numbers_fast, and that
   of ossai_consistent_view where a point is outside. */
ossa_status ossai_find_inside(
	ossa_context *context, const ossai_mesh_view *mesh, size_t point_count, const double *points, uint8_t *inside);

/* The mesh with all faces of each connected patch oriented alike; the mesh itself where they are.
   Arrays are the arena's. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT.  Cost: linear. */
ossa_status ossai_consistent_view(ossai_arena *arena, const ossai_mesh_view *mesh, ossai_mesh_view *consistent);

#endif
