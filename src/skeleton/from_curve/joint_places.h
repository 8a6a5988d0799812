/* skeleton/from_curve/joint_places.h: where the joints of one limb lie, for each number of bones.

   Place in the path: joint_energy -> here -> curve_joints.
   Input: the energy of bones and joints between samples of the limb.
   Output: for 1, 2, 3 ... bones the least energy (dynamic programming), and where the joints lie:
   the mean of all places by their Boltzmann factors, which unlike the best place is continuous in
   the shape. */
#ifndef OSSAI_SKELETON_FROM_CURVE_JOINT_PLACES_H
#define OSSAI_SKELETON_FROM_CURVE_JOINT_PLACES_H

#include "skeleton/from_curve/joint_energy.h"

typedef struct ossai_joint_places {
	size_t most; /* bones: more would be too short for the limb's radius */
	/* by bones: the least energy, without their price; INFINITY where there may not be so many */
	double energy[OSSAI_CHAIN_BONES + 1];
	/* by bones: where each begins, in samples and fractions of them */
	float at[OSSAI_CHAIN_BONES + 1][OSSAI_CHAIN_BONES];
} ossai_joint_places;

/* Arrays for ossai_joint_places_find, which any number of calls share one after another. */
typedef struct ossai_place_sums ossai_place_sums;

/* The arena's. NULL: no memory. */
ossai_place_sums *ossai_place_sums_new(ossai_arena *arena);

/* noise: as in ossai_joint_weights. Cost: bones x samples^2. */
void ossai_joint_places_find(
	ossai_place_sums *sums, const ossai_joint_energy *energy, double noise, ossai_joint_places *places);

#endif
