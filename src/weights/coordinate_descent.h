/* weights/coordinate_descent.h: skinning weights by coordinate descent, for given motions of the
   bones.

   Place in the path: bones' motion, existing weights -> here -> the rig.
   Input: weights, and the vertices whose weights may be wrong.
   Output: weights that no vertex can improve among the bones near it.

   A vertex chooses from the bones that it and its neighbours use. It takes a new bone where that
   lowers its squared error by a minimum share, and changes the weights of its bones where the error
   falls at all; otherwise it keeps its weights to the bit. Every change lowers the error of one
   vertex and raises none, so the rounds converge to a fixed point: called again with any vertices
   marked, nothing changes. That is why solving some vertices gives the same result as solving all
   of them. */
#ifndef OSSAI_WEIGHTS_COORDINATE_DESCENT_H
#define OSSAI_WEIGHTS_COORDINATE_DESCENT_H

#include "weights/bone_weights.h"

/* A smaller weight counts as none: where locked bones leave less than this, nothing is solved. */
#define OSSAI_DESCENT_LEAST 1e-3

typedef struct ossai_descent_bounds {
	/* B: bones whose weights stay to the bit, others share what they leave; NULL: none */
	const uint8_t *locked;
	const uint8_t *fixed;  /* V: vertices that keep their weights; NULL: none */
	const uint8_t *closed; /* V: vertices that take no bone which they do not have; NULL: none */
} ossai_descent_bounds;

/* Solves the vertices with pending[v], then those that depend on them, until none changes. pending:
   V, all 0 in the end. changed: V, set to 1 for those whose weights changed, else left; or NULL.
   Vertices without any weight get some. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.  Threads:
   the context's; the same bytes for any number. Cost: a few n^2 K + n^3 for each vertex marked, n
   the bones near it. */
ossa_status ossai_weights_descend(ossa_context *context, const ossai_posed_surface *surface, const ossai_bone_motion *motion,
	const ossai_descent_bounds *bounds, uint8_t *pending, uint8_t *changed, ossai_bone_weights *weights);

#endif
