/* parts/seeds.h: samples vertices that represent the surface, evenly, but denser where it is
   curved.

   Place in the path: posed surface -> here -> spectral (which seeds move together), patches,
   joints.
   Input: a posed surface.
   Output: seed vertices.
   Source: de Aguiar, Theobalt, Thrun, Seidel, Automatic Conversion of Mesh Animations into
   Skeleton-based Animations, 2008, section 4: patches driven by curvature, and the vertex nearest
   to the center of each.
   Departures: the paper's patches have about the same integral of Gaussian curvature (H. Yamauchi,
   S. Gumhold, R. Zayer, H.-P. Seidel, Mesh Segmentation Driven by Gaussian Curvature, 2005), which
   leaves flat regions and cylinders without seeds; here they are centroidal Voronoi cells in a
   metric in which curvature adds to length, as many as are wanted. */
#ifndef OSSAI_PARTS_SEEDS_H
#define OSSAI_PARTS_SEEDS_H

#include "surface/posed_surface.h"

/* The seeds are in the order of farthest point sampling: any number of the first ones covers the
   surface about evenly. */
typedef struct ossai_seeds {
	size_t count;
	uint32_t *vertex; /* distinct vertices that faces use */
} ossai_seeds;

/* Chooses `wanted_count` seeds, fewer where there are fewer distinct positions. Each piece that has
   area gets one as long as pieces are at most half as many; the others go where the distance to all
   seeds is largest. Independent of scale and placement, and of the order of vertices except for
   ties. Arrays are the arena's.
   Errors: OSSA_ERROR_INPUT where no face uses a vertex, OSSA_ERROR_LIMIT, OSSA_ERROR_MEMORY,
   OSSA_ERROR_CANCELLED. Cost: n log n times the rounds (8 at most). */
ossa_status ossai_seeds_choose(
	ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface, size_t wanted_count, ossai_seeds *seeds);

/* The part that each seed lies on: of the parts around it the one it was in (part_of_seed), where
   that is among them, else that of the largest face. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_place_seeds(ossa_context *context, const ossai_posed_surface *surface, const ossai_seeds *seeds,
	const uint32_t *part_of_face, uint32_t *part_of_seed);

#endif
