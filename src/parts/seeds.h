/* parts/seeds.h: vertices that stand for the whole surface, spread evenly over it, denser where it
   bends.

   Place in the path: posed surface -> here -> spectral (which seeds move together), patches,
   joints. Source: de Aguiar, Theobalt, Thrun, Seidel, Automatic Conversion of Mesh Animations into
   Skeleton-based Animations, 2008, section 4: patches driven by curvature, and the vertex nearest
   the center of each. The paper takes its patches from mean shift on normals (Yamauchi et al.
   2005); here they are centroidal Voronoi cells in a metric in which bending counts as length,
   because that is linear, has no bandwidth to choose and gives as many patches as are wanted. */
#ifndef OSSAI_PARTS_SEEDS_H
#define OSSAI_PARTS_SEEDS_H

#include "surface/posed_surface.h"

/* The first seeds are the most spread: any number of them from the front covers the surface about
   evenly. */
typedef struct ossai_seeds {
	size_t count;
	uint32_t *vertex; /* distinct vertices that faces use */
} ossai_seeds;

/* Chooses `wanted_count` seeds, fewer where there are not as many places. Of pieces with area each
   has one as long as they are at most half as many; the rest goes where it is farthest from any
   seed. Independent of scale and placement, and of the order of vertices but for ties. Arrays are
   the arena's.
   Errors: OSSA_ERROR_INPUT where no face uses a vertex, OSSA_ERROR_LIMIT, OSSA_ERROR_MEMORY,
   OSSA_ERROR_CANCELLED. Cost: n log n times the rounds (8 at most). */
ossa_status ossai_seeds_choose(
	ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface, size_t wanted_count, ossai_seeds *seeds);

#endif
