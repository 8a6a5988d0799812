/* weights/least_squares.h: skinning weights that fit the poses in the least squares sense, vertex
   by vertex.

   Place in the path: bones' motion -> here -> locality, motion/refine.
   Input: the motion of the bones, the posed surface.
   Output: weights of every vertex.
   Source: Schaefer & Yuksel 2007, section 4: min_a sum_k |sum_j a_j X_jk p - v_k|^2, sum a = 1, a
   >= 0, few non-zero. */
#ifndef OSSAI_WEIGHTS_LEAST_SQUARES_H
#define OSSAI_WEIGHTS_LEAST_SQUARES_H

#include "weights/weight_prior.h"

/* The bones that a vertex may use: bone[start[v]] .. bone[start[v + 1] - 1], ascending. */
typedef struct ossai_allowed_bones {
	uint32_t *start; /* V + 1 */
	uint16_t *bone;
} ossai_allowed_bones;

/* The published solve: every vertex chooses from all bones (`allowed` NULL) or those allowed to it,
   by elimination. A vertex that no bone is allowed to keeps no weight. Departure: of more than 64
   bones the 64 that fit the vertex best alone are taken (the paper has at most 29). Cost: V x (n^2
   K + n^3) for n bones to choose from. */
ossa_status ossai_weights_eliminate(ossa_context *context, const ossai_posed_surface *surface, const ossai_bone_motion *motion,
	const ossai_allowed_bones *allowed, ossai_bone_weights *weights);

/* What the local solve is held to. All NULL or 0: nothing. */
typedef struct ossai_weight_bounds {
	const uint8_t *closed; /* B: bones that are not to be used */
	/* B: vertices without any of these keep the weights they have; NULL: all are open */
	const uint8_t *open;
	const ossai_weight_prior *prior; /* weights that are known, and how well */
	/* bones that a vertex may take wherever they are: so many of those that fit it best alone */
	size_t reach;
} ossai_weight_bounds;

/* The local solve of the refinement: every vertex chooses from the bones that it and its neighbours
   use in `from`, and gets the exact optimum over those. Bones spread by one ring per call. `bounds`
   may be NULL.
   Errors: OSSA_ERROR_MEMORY. Cost: V x (n K + n^2 K) for the few bones n near a vertex; with a
   reach V x B K more. `from` and `to` are different. */
ossa_status ossai_weights_improve(ossa_context *context, const ossai_posed_surface *surface, const ossai_bone_motion *motion,
	const ossai_weight_bounds *bounds, const ossai_bone_weights *from, ossai_bone_weights *to);

#endif
