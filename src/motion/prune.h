/* motion/prune.h: removes bones that are missed least.

   Place in the path: a fit with more bones than wanted -> here -> tree.
   The start decides the minimum that the alternation finds: many small clusters find every part
   that moves, and pruning leaves the bones that explain most. */
#ifndef OSSAI_MOTION_PRUNE_H
#define OSSAI_MOTION_PRUNE_H

#include "motion/refine.h"

/* Removes bones until `bones` are left, or, with a `worth` above 0, until the absence of any would
   raise the squared error by that much: each time those whose absence (weights solved again without
   it) costs least, some at once while many are left to go, but never two that share a vertex; after
   each time the bones around the gap and their weights settle in `rounds` rounds. */
ossa_status ossai_fit_prune(ossai_fit *fit, size_t bones, double worth, int rounds);

/* Removes the bones that are marked, of which there must be fewer than all: others take their
   vertices over, weights and motion fitted once. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_fit_remove(ossai_fit *fit, const uint8_t *going);

/* Removes the bones that are marked with their weights, however small; those of the others are
   scaled to sum to 1. */
void ossai_fit_strike(ossai_fit *fit, const uint8_t *going);

/* Removes the bones that move no vertex, all but one if none does; `*dropped` becomes how many.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_fit_drop_idle(ossai_fit *fit, size_t *dropped);

#endif
