/* surface/weld.h: vertices that lie at one point at rest and in all poses, as one.

   Place in the path: below weights that diffuse over a surface: a seam cut for normals or textures must not stop them, nor
   open up.
   In: a posed surface.  Out: triangles over fewer vertices. */
#ifndef OSSAI_SURFACE_WELD_H
#define OSSAI_SURFACE_WELD_H

#include "surface/posed_surface.h"

typedef struct ossai_weld {
	size_t point_count;        /* N: used vertices at one point each, in the order of their first vertices */
	uint32_t *point_of_vertex; /* V; OSSA_NONE where no face uses the vertex */
	uint32_t *vertex_of_point; /* N: the first of its vertices */
	uint32_t *triangles;       /* F x 3 points; a triangle may repeat one */
} ossai_weld;

/* Arrays are the arena's. Errors: OSSA_ERROR_MEMORY.  Cost: V log V. */
ossa_status ossai_weld_make(ossai_arena *arena, const ossai_posed_surface *surface, ossai_weld *weld);

#endif
