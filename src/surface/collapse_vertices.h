/* surface/collapse_vertices.h: half-edge collapses, in rounds of independent ones.

   Place in the path: posed surface -> here -> coarse_surface.
   Input: triangles and the positions of their vertices.
   Output: fewer triangles, and for each vertex the one that stands for it. */
#ifndef OSSAI_SURFACE_COLLAPSE_VERTICES_H
#define OSSAI_SURFACE_COLLAPSE_VERTICES_H

#include "surface/posed_surface.h"

typedef struct ossai_collapsed {
	size_t vertex_count; /* that are left, of those that faces use */
	size_t face_count;
	uint32_t *triangles;  /* face_count x 3: vertices of the fine surface */
	uint32_t *face;       /* face_count: of the fine surface */
	uint32_t *stands_for; /* V: itself where it is left; OSSA_NONE: unused */
} ossai_collapsed;

/* Collapses until `wanted` vertices are left or no collapse keeps the topology. Arrays are the
   arena's.  Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. */
ossa_status ossai_collapse_vertices(
	ossa_context *context, ossai_arena *arena, const ossai_posed_surface *fine, size_t wanted, ossai_collapsed *left);

#endif
