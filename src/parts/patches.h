/* parts/patches.h: assigns every face to a part, given groups of seeds; every part is connected.

   Place in the path: seeds, spectral -> here -> boundary graph, joints, weights.
   Input: seeds and their groups.
   Output: a part for every face.
   Source: de Aguiar et al. 2008, section 4: a face belongs to the group of the seed with the
   smallest mean distance to its three corners.
   Departures: the distance is geodesic (a hand beside a hip goes to the arm), Euclidean ones are an
   option; and a component that is not connected to its group goes to the neighbour that it shares
   most boundary with. */
#ifndef OSSAI_PARTS_PATCHES_H
#define OSSAI_PARTS_PATCHES_H

#include "parts/seeds.h"

/* The parts. Arrays are the arena's. */
typedef struct ossai_patches {
	size_t part_count;
	uint32_t *part_of_face; /* F: numbered by their smallest face */
	uint32_t *part_of_seed; /* the part that the seed lies on */
	/* faces that were not connected to their group and went to a neighbour */
	size_t moved_faces;
	size_t empty_groups; /* groups without faces */
	/* pieces that are not connected to any seed: each is a part by itself */
	size_t extra_parts;
} ossai_patches;

/* Parts are connected over edges, and over the surface's links where it has link_pieces. A part's
   seeds lie on it; only extra parts may have none.  Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT,
   OSSA_ERROR_CANCELLED.
   Cost: n log n; straight: faces x seeds. */
ossa_status ossai_patches_make(ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface,
	const ossai_seeds *seeds, const uint32_t *group_of_seed, size_t group_count, bool geodesic, ossai_patches *patches);

#endif
