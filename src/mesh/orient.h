/* mesh/orient.h: a triangle soup as welded points and consistently oriented faces, outward where
   that can be decided.

   Place in the path: below shell.
   Input: a soup of triangles.
   Output: welded points, faces of the same orientation as their neighbours. */
#ifndef OSSAI_MESH_ORIENT_H
#define OSSAI_MESH_ORIENT_H

#include "mesh/view.h"

/* Arrays are the arena's. */
typedef struct ossai_oriented {
	size_t point_count; /* N: positions that a face uses */
	double *points;     /* N x 3 */
	size_t face_count;  /* M: three points each, none twice */
	uint32_t *triangles;
	uint32_t *point_of_vertex; /* V; OSSA_NONE where no face uses the vertex */
	double area;
	size_t mixed_faces; /* that looked to the other side than most of their connected patch */
	/* every edge is as often there in one direction as in the other: winding numbers are whole */
	bool is_closed;
} ossai_oriented;

/* Welds vertices at one position, drops faces with fewer than three points and repeated ones,
   gives faces the same orientation across edges of two faces, and orients each connected patch
   outward where it is closed or nearly so; elsewhere as most of its area was.  Errors:
   OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT.  Cost: linear. */
ossa_status ossai_orient(ossai_arena *arena, size_t vertex_count, const double *positions, size_t face_count,
	const uint32_t *triangles, ossai_oriented *made);

static inline ossai_mesh_view ossai_oriented_view(const ossai_oriented *surface)
{
	return ossai_view_of_doubles(surface->point_count, surface->points, surface->face_count, surface->triangles);
}

#endif
