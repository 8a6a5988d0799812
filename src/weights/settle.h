/* weights/settle.h: weights that no vertex can better among the bones near it, for motions that are
   given.

   Place in the path: bones' motion, weights that are there -> here -> the rig.
   A vertex chooses from the bones that it and its neighbours use. It takes a new bone where that
   lowers its squared error by a share that is worth it, and changes the weights of those it has
   where the error falls at all; else it keeps its weights to the bit. Every change lowers the error
   of one vertex and raises none, so the rounds end, and where they end nothing changes any more:
   called again with any vertices marked it does nothing. That is why solving some vertices gives
   what solving all of them does. */
#ifndef OSSAI_WEIGHTS_SETTLE_H
#define OSSAI_WEIGHTS_SETTLE_H

#include "weights/bone_weights.h"

/* A smaller weight is none: where locked bones leave less, or take all the room, nothing is sought
   that could have it. */
#define OSSAI_SETTLE_LEAST 1e-3

typedef struct ossai_settle_bounds {
	/* B: bones whose weights stay to the bit, others share what they leave; NULL: none */
	const uint8_t *locked;
	const uint8_t *fixed; /* V: vertices that keep what they have; NULL: none */
} ossai_settle_bounds;

/* Solves the vertices with pending[v], then those that this concerns, until all keep what they
   have. pending: V, all 0 in the end. changed: V, set to 1 for those whose weights changed, else
   left; or NULL. Vertices without any weight get some. Errors: OSSA_ERROR_MEMORY,
   OSSA_ERROR_CANCELLED.  Threads: the context's; the same bytes for any number. Cost: a few n^2 K +
   n^3 for each vertex marked, n the bones near it. */
ossa_status ossai_weights_settle(ossa_context *context, const ossai_posed_surface *surface, const ossai_bone_motion *motion,
	const ossai_settle_bounds *bounds, uint8_t *pending, uint8_t *changed, ossai_bone_weights *weights);

#endif
