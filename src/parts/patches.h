/* parts/patches.h: seeds that were grouped -> every face in a part, every part in one piece.

   Place in the path: seeds, spectral -> here -> boundary graph, joints, weights.
   Source: de Aguiar et al. 2008, section 4: a face belongs to the group of the seed with the
   smallest mean distance to its three corners. Departures: the distance is measured over the
   surface (a hand beside a hip goes to the arm), straight ones are an option; and what is cut off
   from its group goes to the neighbour that it shares most boundary with. */
#ifndef OSSAI_PARTS_PATCHES_H
#define OSSAI_PARTS_PATCHES_H

#include "parts/seeds.h"

/* What the faces became. Arrays are the arena's. */
typedef struct ossai_patches {
	size_t part_count;
	uint32_t *part_of_face; /* F: numbered by their smallest face */
	uint32_t *part_of_seed; /* the part that the seed lies on */
	size_t moved_faces;     /* were cut off from their group and went to a neighbour */
	size_t empty_groups;    /* no face was theirs */
	size_t extra_parts;     /* pieces that no way leads to: each is a part by itself */
} ossai_patches;

/* Parts are connected over edges, and over the surface's links where it has link_pieces. A part's
   seeds lie on it; only extra parts may have none.  Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT,
   OSSA_ERROR_CANCELLED.
   Cost: n log n; straight: faces x seeds. */
ossa_status ossai_patches_make(ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface,
	const ossai_seeds *seeds, const uint32_t *group_of_seed, size_t group_count, bool geodesic, ossai_patches *patches);

/* The part that each seed lies on: of the parts around it the one it was in (part_of_seed), where
   that is among them, else that of the largest face. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_place_seeds(ossa_context *context, const ossai_posed_surface *surface, const ossai_seeds *seeds,
	const uint32_t *part_of_face, uint32_t *part_of_seed);

#endif
