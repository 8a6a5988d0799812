/* motion/core_motion.h: the rigid motion of each part, by robust (iteratively reweighted) least
   squares.

   Place in the path: parts -> here -> joints, descent.
   Input: parts, a posed surface.
   Output: a rigid motion for each part and pose, and the trust in each vertex.

   Near a joint skin bends with both bones. A least-squares fit to all of a part (bone_weights.h)
   follows those vertices a little, and joints computed from the difference of two such motions are
   off by percents of the diagonal. Here the weight of every vertex in the next round is s^2 / (s^2
   + e^2) (Geman-McClure), with e^2 its mean squared error over the poses and s^2 that of the best
   eighth of its part (at least `OSSAI_CORE_NOISE`^2): rigid vertices dominate the fit, and there
   are always at least an eighth of them. */
#ifndef OSSAI_MOTION_CORE_MOTION_H
#define OSSAI_MOTION_CORE_MOTION_H

#include "weights/bone_weights.h"

/* lengths in diagonals: errors below this are noise; sampled vertices of each part, and rounds */
#define OSSAI_CORE_NOISE 1e-4
enum { OSSAI_CORE_VERTICES = 160, OSSAI_CORE_ROUNDS = 8 };

/* Fills `motion` (made for `surface` and the parts) and, where it is not NULL, `trust` (V): s^2 /
   (s^2 + e^2) of every vertex with a part, else 0. part_of_vertex: V, OSSA_NONE without. A part
   without vertices stays where it is. Parts run in parallel. Errors: OSSA_ERROR_MEMORY,
   OSSA_ERROR_CANCELLED.  Cost: rounds x parts x min(vertices, 160) x poses, 0.05 s for 19 parts of
   175 poses; trust V x poses. */
ossa_status ossai_core_motion_fit(ossa_context *context, const ossai_posed_surface *surface, const uint32_t *part_of_vertex,
	ossai_bone_motion *motion, double *trust);

#endif
