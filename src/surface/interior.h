/* surface/interior.h: what weights by heat and by distance need of a posed surface: its points,
   pieces, Laplacian, and visibility inside of it.

   Place in the path: posed surface -> here -> weights/heat, weights/geodesic_weights. */
#ifndef OSSAI_SURFACE_INTERIOR_H
#define OSSAI_SURFACE_INTERIOR_H

#include "mesh/laplacian.h"
#include "mesh/weld.h"
#include "query/visibility.h"
#include "surface/posed_surface.h"

#define OSSAI_REST_POSE SIZE_MAX

typedef struct ossai_interior {
	const ossai_posed_surface *surface;
	ossai_weld weld;
	size_t point_count;                       /* N: the weld's */
	uint32_t *piece_of_face, *piece_of_point; /* of the welded surface */
	uint32_t piece_count;
	double *positions; /* N x 3, in the current pose */
	ossai_laplacian laplacian;
	ossai_visibility visibility;
} ossai_interior;

/* Fills all for the rest pose. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY,
   OSSA_ERROR_LIMIT.  Cost: V log V. */
ossa_status ossai_interior_make(ossai_arena *arena, const ossai_posed_surface *surface, ossai_interior *interior);

/* Moves all to a pose (OSSAI_REST_POSE: rest). Allocates nothing. Cost: linear. */
void ossai_interior_move(ossa_context *context, size_t pose, ossai_interior *interior);

/* Its points and their faces in the current pose. */
static inline ossai_mesh_view ossai_interior_view(const ossai_interior *interior)
{
	return ossai_view_of_doubles(
		interior->point_count, interior->positions, interior->surface->face_count, interior->weld.triangles);
}

#endif
