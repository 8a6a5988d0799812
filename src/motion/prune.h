/* motion/prune.h: removes redundant bones: those whose absence raises the error least.

   Place in the path: a fit with more bones than wanted -> here -> tree.
   Input: a fit.
   Output: the fit with fewer bones.

   The initial bones decide which local minimum the alternation finds: many small clusters find
   every part that moves, and pruning leaves the bones that explain most. */
#ifndef OSSAI_MOTION_PRUNE_H
#define OSSAI_MOTION_PRUNE_H

#include "motion/bone_worth.h"
#include "motion/refine.h"

/* When bones are few enough: when `bones` are left, or each of them is worth it. */
typedef struct ossai_prune_goal {
	size_t bones;
	ossai_bone_worth worth;
	int rounds; /* of the bones and weights around those that were removed, in every step */
} ossai_prune_goal;

/* Removes bones until the goal is reached. In every step it removes the bones of least cost
   (weights solved again without them), several at once while many are to be removed, but never two
   that share a vertex; then the bones and weights around them are refined. */
ossa_status ossai_fit_prune(ossai_fit *fit, const ossai_prune_goal *goal);

/* Fills the costs of the marked bones (B): what the squared error would be larger by without each,
   weights solved again from the bones nearby and its heir, the motion as it is; both of a pair
   of symmetric bones the mean of both. heir: B; of bones
   that are not marked it is not read. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_fit_costs(ossai_fit *fit, const uint8_t *asked, const uint32_t *heir, double *cost);

/* Removes the marked bones, of which there must be fewer than all: others take over their vertices,
   weights and motion are fitted once. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_fit_remove(ossai_fit *fit, const uint8_t *going);

/* Removes the marked bones and their weights, however large; those of the others are scaled to sum
   to 1. */
void ossai_fit_strike(ossai_fit *fit, const uint8_t *going);

/* Removes the bones that move no vertex, all but one if none does; `*dropped` becomes how many.
   of_bone (B, or NULL): a number of each bone, renumbered with it. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_fit_drop_idle(ossai_fit *fit, double *of_bone, size_t *dropped);

#endif
