/* weights/residuals.h: what single bones leave unexplained at a vertex, and the products of these.

   Place in the path: bones' motion, posed surface -> here -> least_squares, locality, motion/prune.
   Input: the motion of the bones.
   Output: Gram matrices of residuals X_jk p - v_k: see simplex_fit.h; where the surface has
   companions, other characters with the same weights, the sums over all of them.

   The poses of a vertex are 3K numbers in a row. The motion is transposed once into rows that match
   them, so that a residual is four rows times x y z 1 of the rest position: consecutive numbers
   throughout, four at once. */
#ifndef OSSAI_WEIGHTS_RESIDUALS_H
#define OSSAI_WEIGHTS_RESIDUALS_H

#include "weights/bone_weights.h"

typedef struct ossai_residuals {
	const ossai_posed_surface *surface;
	size_t bone_count;
	size_t stride; /* numbers in a row: 3K and zeros up to a multiple of the lanes */
	double *rows;  /* B x 4 x stride: for x y z 1 of p what the bone adds to x y z of every pose */
	size_t companion_count;
	struct ossai_residuals *companions; /* of each companion of the surface */
} ossai_residuals;

/* Transposes the motion; the rows are the arena's. Errors: OSSA_ERROR_MEMORY. Threads: the
   context's. Cost: linear. */
ossa_status ossai_residuals_make(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_bone_motion *motion, ossai_residuals *residuals);

/* The Gram matrix g (n x n, symmetric) of `n` bones at a vertex; where the surface has a symmetry,
   the mean of that and of its counterpart's. `n` is at most OSSAI_GRAM_MAX. Sums are in a fixed
   order: the same for any processor. Cost: n^2 K. */
enum { OSSAI_GRAM_MAX = 64 };
void ossai_residuals_gram(const ossai_residuals *residuals, size_t vertex, size_t n, const uint16_t *bones, double *g);

/* The squared error of a vertex that follows one bone. */
double ossai_residuals_square(const ossai_residuals *residuals, size_t vertex, uint16_t bone);

#endif
