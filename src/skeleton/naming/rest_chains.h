/* skeleton/naming/rest_chains.h: the chains of the rest shape's rig, and which of them each bone of
   a rig from motion belongs to.

   Place in the path: shared skin -> connected_limbs -> here -> rest_parts.
   Input: the skeleton of the rest shape's rig, the skin that both rigs have in common.
   Output: its chains (trunk, arm, leg, finger), and one for each bone of ours.

   A bone of ours belongs to the chain with which it has most skin in common, or to none if more of
   its skin is beside the body's limbs, and which begins where its own tree has it: the likeliest of
   all together. */
#ifndef OSSAI_SKELETON_NAMING_REST_CHAINS_H
#define OSSAI_SKELETON_NAMING_REST_CHAINS_H

#include "skeleton/naming/shared_skin.h"

/* The share of a bone's skin that may be any part's. Chosen with the constants of rest_parts.c, on
   the animations of 13 characters with artists' skeletons, each rigged with six settings: halving
   or doubling it changes the share of right names by 2 % at most (docs/bodies.md). */
#define OSSAI_STRAY_SKIN 0.02

/* Chains are known by their first bones. */
typedef struct ossai_rest_chains {
	const uint32_t *of_rest; /* R */
	const uint32_t *of_bone; /* B; OSSA_NONE: it has no skin in common, or belongs to no limb */
} ossai_rest_chains;

/* part: R: the first bone of each bone's part (rest_parts.h). Arrays are the arena's. Errors:
   OSSA_ERROR_MEMORY. Cost: R^2 + B x limbs^2. */
ossa_status ossai_rest_chains_find(ossai_arena *arena, const ossa_skeleton *rest, const uint32_t *part,
	const ossai_shared_skin *skin, ossai_rest_chains *chains);

#endif
