/* weights/inpaint.h: weights of the points of a surface that have none, from those that do.

   Place in the path: surface_match -> here -> smooth.
   Input: a surface, weights of some of its points.
   Output: weights of all.
   Source: R. Abdrashitov, K. Raichstat, J. Monsen, D. Hill, Robust Skin Weights Transfer via Weight
   Inpainting, 2023, 3.2.
   Departure: the weights are harmonic, not biharmonic: each is between its least and its largest
   value on the border and their sum is 1, so nothing has to be cut off or divided after the
   solve. */
#ifndef OSSAI_WEIGHTS_INPAINT_H
#define OSSAI_WEIGHTS_INPAINT_H

#include "mesh/laplacian.h"
#include "weights/bone_weights.h"

/* Solves L w = 0 for the points that `is_known` (N) does not mark, with the weights of the others
   as its constraints; the largest are kept, sum 1. Every connected piece of the surface has a known
   point. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT, OSSA_ERROR_CANCELLED.  Threads: the
   context's.  Cost: U^1.5 + U times the bones around, of U unknown points. */
ossa_status ossai_weights_inpaint(
	ossai_arena *arena, const ossai_laplacian *laplacian, const uint8_t *is_known, ossai_bone_weights *weights);

#endif
