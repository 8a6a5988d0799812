/* skeleton/from_curve/joint_places.h: where the joints of one chain lie, for each number of bones.

   Place in the path: curve_chains -> here -> curve_joints.
   Input: a chain, or two mirrored ones, with points and radii.
   Output: for 1, 2, 3 ... bones what the best places of their joints cost, and the places.

   What riggers do, as a cost. The cost of a bone grows with the square of its length, measured in
   the limb's thickness, so that joints are spaced evenly and closer where the limb is thin, and
   with how far the limb bends away from it; a joint is cheaper where the limb is narrow: necks,
   wrists, ankles, knees. The best places are found by dynamic programming over samples of the
   chain. */
#ifndef OSSAI_SKELETON_FROM_CURVE_JOINT_PLACES_H
#define OSSAI_SKELETON_FROM_CURVE_JOINT_PLACES_H

#include "skeleton/from_curve/curve_chains.h"

/* Samples of a chain, and the most bones that one gets. */
enum { OSSAI_CHAIN_SAMPLES = 40, OSSAI_CHAIN_BONES = 20 };

typedef struct ossai_joint_places {
	size_t most;                        /* bones: more would be too short for the chain's radius */
	double cost[OSSAI_CHAIN_BONES + 1]; /* by bones; infinite where there may not be so many */
	/* by bones: where each begins, in samples and fractions of them */
	float at[OSSAI_CHAIN_BONES + 1][OSSAI_CHAIN_BONES];
} ossai_joint_places;

/* Arrays for ossai_joint_places_find, which any number of calls share one after another. */
typedef struct ossai_joint_costs ossai_joint_costs;

/* The arena's. NULL: no memory. */
ossai_joint_costs *ossai_joint_costs_new(ossai_arena *arena);

/* The arc length at which a chain's limb begins: outside of the ball of its junction and of the
   body, which may be wider than that. */
double ossai_limb_start(const ossai_chains *chains, uint32_t chain);

/* Fills `places` for `size` chains (1, or 2 that are mirror images and share their mean cost).
   start: of each of all chains, the arc length where its first sample is.
   Cost: samples^3 + bones x samples^2. */
void ossai_joint_places_find(ossai_joint_costs *costs, const ossai_chains *chains, size_t size, const uint32_t *chain,
	const double *start, ossai_joint_places *places);

#endif
