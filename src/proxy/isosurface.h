/* proxy/isosurface.h: the zero isosurface of a grid's field, as triangles.

   Place in the path: below shell.
   Input: a grid with its signed distance field.
   Output: a closed manifold of triangles. */
#ifndef OSSAI_PROXY_ISOSURFACE_H
#define OSSAI_PROXY_ISOSURFACE_H

#include "proxy/shell_grid.h"

/* The isosurface. Closed and manifold whatever the grid holds, oriented outward; arrays are the
   arena's. */
typedef struct ossai_isosurface {
	size_t vertex_count, face_count;
	double *positions; /* N x 3, in the surface's units */
	uint32_t *triangles;
} ossai_isosurface;

/* Extracts the isosurface of a grid that has its field. Errors: OSSA_ERROR_MEMORY,
   OSSA_ERROR_LIMIT.  Cost: linear in bricks. */
ossa_status ossai_isosurface_make(ossai_shell_grid *grid, ossai_arena *arena, ossai_isosurface *surface);

#endif
