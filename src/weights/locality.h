/* weights/locality.h: makes every bone's influence one connected patch of the surface.

   Place in the path: least_squares -> here -> skeleton.
   Input: weights.
   Output: weights whose supports are connected.
   Source: ours, past Schaefer & Yuksel 2007, section 4, whose second solve can leave a hole in an
   influence map again: patches are removed and vertices solved until every support is connected,
   each piece of the mesh with a patch of its own. */
#ifndef OSSAI_WEIGHTS_LOCALITY_H
#define OSSAI_WEIGHTS_LOCALITY_H

#include "weights/least_squares.h"

/* Drops weights below `least`, then keeps of every bone, in every piece, the patch of the
   largest sum of weights, and solves the vertices that lost a bone again among those they keep
   (or, having none, those of their neighbours), until every support is connected. motion NULL:
   the remaining weights are scaled to 1 instead. prior: vertices of which it keeps something
   stay as they are, so do patches where the bone has known weights, and no vertex takes a bone
   that is locked; NULL: none. */
ossa_status ossai_locality_enforce(ossa_context *context, const ossai_posed_surface *surface, const ossai_bone_motion *motion,
	const ossai_weight_prior *prior, double least, ossai_bone_weights *weights);

/* Marks the pairs (V x width, zeroed by the caller) of bones with open[b] that lie outside the
   patch which is kept. */
ossa_status ossai_locality_scattered(ossa_context *context, const ossai_posed_surface *surface,
	const ossai_bone_weights *weights, const uint8_t *open, uint8_t *scattered, size_t *count);

#endif
