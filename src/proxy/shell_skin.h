/* proxy/shell_skin.h: the surface where a grid's field is zero, as triangles.

   Place in the path: below shell.  In: a grid with distances and sides.  Out: a closed manifold of
   triangles. */
#ifndef OSSAI_PROXY_SHELL_SKIN_H
#define OSSAI_PROXY_SHELL_SKIN_H

#include "proxy/shell_grid.h"

/* Closed and manifold whatever the grid holds, outward; arrays are the arena's. */
typedef struct ossai_shell_skin {
	size_t vertex_count, face_count;
	double *positions; /* N x 3, in the surface's units */
	uint32_t *triangles;
} ossai_shell_skin;

/* Makes the skin of a grid that has its field. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT.  Cost:
   linear in bricks. */
ossa_status ossai_shell_skin_make(ossai_shell_grid *grid, ossai_arena *arena, ossai_shell_skin *skin);

#endif
