/* parts/seed_distances.h: how far seeds are from each other over a motion, and how much that
   varies.

   Place in the path: seeds -> here -> spectral.
   Two points of one rigid part keep their distance: what varies tells parts apart, wherever the
   body goes and turns. Source: de Aguiar et al. 2008, section 4. Departure: the rest is one frame
   more, so that a single pose says something too. */
#ifndef OSSAI_PARTS_SEED_DISTANCES_H
#define OSSAI_PARTS_SEED_DISTANCES_H

#include "parts/seeds.h"

/* deviation, mean: l x l, the caller's: standard deviation and mean of each distance over the rest
   and all poses. Sums are of changes against the rest, so that what does not change has a deviation
   of exactly 0.
   Errors: OSSA_ERROR_MEMORY.  Cost: l^2 / 2 x poses (0.02 s for 300 seeds and 175 poses); memory l
   x poses besides. */
ossa_status ossai_seed_distances(
	ossa_context *context, const ossai_posed_surface *surface, const ossai_seeds *seeds, double *deviation, double *mean);

#endif
