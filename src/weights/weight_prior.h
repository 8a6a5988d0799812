/* weights/weight_prior.h: weights of given bones that are known before any pose is:
   what the shape says, or what a person keeps.

   Place in the path: bone heat, or the weights of a given rig -> here -> least_squares,
   locality. Where the motion says nothing (two bones that move alike) weights are those that are
   known; where a share of a vertex's weights is kept, only the rest is solved for. */
#ifndef OSSAI_WEIGHTS_WEIGHT_PRIOR_H
#define OSSAI_WEIGHTS_WEIGHT_PRIOR_H

#include "weights/residuals.h"

typedef struct ossai_weight_prior {
	const ossai_bone_weights *weights;
	/* squared error over all poses, in sizes, that outweighs a change of the weights by 1,
	   squared */
	double price;
	const float *kept;     /* V: the share of the weights that stays, 0 to 1; NULL: none */
	const uint8_t *locked; /* B: bones whose weights stay whole; NULL: none */
} ossai_weight_prior;

/* Whether anything of the vertex's weights is kept. */
bool ossai_weight_prior_keeps(const ossai_weight_prior *prior, size_t vertex);

/* The weights of least error and price of a vertex that may choose from n bones, none of them
   locked, n <= OSSAI_SIMPLEX_MAX; own: their weights as a start. What is kept is kept; the
   others share the rest. Fills `to` and `value`, OSSAI_GRAM_MAX each; at most `most` are not 0.
   Returns how many are filled. Cost: n^2 K + n^3. */
size_t ossai_weight_prior_solve(const ossai_weight_prior *prior, const ossai_residuals *residuals, size_t vertex, size_t n,
	const uint16_t *bone, const double *own, size_t most, uint16_t *to, double *value);

#endif
