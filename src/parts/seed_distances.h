/* parts/seed_distances.h: the pairwise distances of seeds, and how much they vary over a motion.

   Place in the path: seeds -> here -> spectral.
   Input: seeds, a posed surface.
   Output: mean and standard deviation of every pairwise distance.
   Source: de Aguiar et al. 2008, section 4: the distance between two points of one rigid part is
   constant, whatever the motion of the body.
   Departures: the rest pose is one more frame, so that a single pose is informative too. */
#ifndef OSSAI_PARTS_SEED_DISTANCES_H
#define OSSAI_PARTS_SEED_DISTANCES_H

#include "parts/seeds.h"

/* deviation, mean: l x l, the caller's: standard deviation and mean of each distance over the rest
   and all poses. Sums are of differences from the rest, so that constant distances have a deviation
   of exactly 0.
   Errors: OSSA_ERROR_MEMORY.  Cost: l^2 / 2 x poses (0.02 s for 300 seeds and 175 poses); memory l
   x poses besides. */
ossa_status ossai_seed_distances(
	ossa_context *context, const ossai_posed_surface *surface, const ossai_seeds *seeds, double *deviation, double *mean);

#endif
