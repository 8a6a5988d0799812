/* motion/exchange.h: bones are exchanged: those whose skin moves in two ways are split, and as many
   others, which are missed least, are removed.

   Place in the path: pruned fit -> here -> tree.
   Input: a fit.
   Output: another fit of as many bones, or of as many as are worth it.
   Source: N. Ueda, R. Nakano, Z. Ghahramani, G. Hinton, SMEM Algorithm for Mixture Models, Neural
   Computation 2000: alternation ends in a local minimum, where some region has too many bones and
   another one too few, and splits and merges at once lead out of it.
   Departures: a split is the part of a bone's skin that gains most (skin_part.h), several are made
   at a time, and pruning merges. */
#ifndef OSSAI_MOTION_EXCHANGE_H
#define OSSAI_MOTION_EXCHANGE_H

#include "motion/prune.h"

/* Exchanges bones once; whether the result is better is the caller's to judge. goal: as the fit was
   pruned; capacity: bones that its arrays hold. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. */
ossa_status ossai_fit_exchange(ossai_fit *fit, size_t capacity, const ossai_prune_goal *goal);

#endif
