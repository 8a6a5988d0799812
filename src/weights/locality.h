/* weights/locality.h: every bone's influence is one connected patch of the surface.

   Place in the path: least_squares -> here -> skeleton.
   Source: Schaefer & Yuksel 2007, section 4 (influence maps). Departure: the second solve can leave
   a hole in a map again, so patches are cut and solved until nothing is scattered; and a piece of
   the mesh counts by itself, since no flood crosses from one piece to another. */
#ifndef OSSAI_WEIGHTS_LOCALITY_H
#define OSSAI_WEIGHTS_LOCALITY_H

#include "weights/least_squares.h"

/* The published maps: for each bone the flood from its heaviest vertex through vertices of weight >
   0. Vertices in no map take the maps of their neighbours, ring by ring; on a piece without any
   they keep the bones they have. */
ossa_status ossai_influence_maps(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_bone_weights *weights, ossai_allowed_bones *allowed);

/* Drops weights below `least`, then keeps of every bone, in every piece, the patch of most weight,
   and solves the vertices that lost a bone again among those they keep (or, having none, those of
   their neighbours), until every patch is one. motion NULL: what they keep is scaled to 1
   instead. */
ossa_status ossai_locality_enforce(ossa_context *context, const ossai_posed_surface *surface, const ossai_bone_motion *motion,
	double least, ossai_bone_weights *weights);

/* Marks the pairs (V x width, zeroed by the caller) of bones with open[b] that lie outside the
   patch which is kept. */
ossa_status ossai_locality_scattered(ossa_context *context, const ossai_posed_surface *surface,
	const ossai_bone_weights *weights, const uint8_t *open, uint8_t *scattered, size_t *count);

#endif
