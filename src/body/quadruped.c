/* body/quadruped.c: the plan of bodies on four legs: it tells them from humans who lie or bend
   over; their joints follow from the shape. Its ranges are chosen by hand. */
#include "body/plan.h"

const ossai_body_plan ossai_quadruped_plan = {.kind = OSSA_BODY_QUADRUPED,
	.trait = {
		[OSSAI_TRAIT_FOOT_HEIGHT] = {0.02, 0.05},
		[OSSAI_TRAIT_HAND_HEIGHT] = {0.02, 0.05},
		[OSSAI_TRAIT_HEAD_HEIGHT] = {0.75, 0.2},
		[OSSAI_TRAIT_HIP_HEIGHT] = {0.6, 0.12},
		[OSSAI_TRAIT_SHOULDER_HEIGHT] = {0.6, 0.12},
		[OSSAI_TRAIT_TRUNK_LENGTH] = {0.5, 0.3},
		[OSSAI_TRAIT_TRUNK_SLANT] = {0.5, 0.3},
		[OSSAI_TRAIT_HEAD_SLANT] = {0.9, 0.35},
		[OSSAI_TRAIT_LEG_LENGTH] = {0.75, 0.2},
		[OSSAI_TRAIT_ARM_LENGTH] = {0.7, 0.2},
		[OSSAI_TRAIT_HEAD_LENGTH] = {0.7, 0.25},
		[OSSAI_TRAIT_FOOT_SPREAD] = {0.22, 0.12},
		[OSSAI_TRAIT_HAND_SPREAD] = {0.22, 0.12},
		[OSSAI_TRAIT_LEG_RATIO] = {0, 0.15},
		[OSSAI_TRAIT_ARM_RATIO] = {0, 0.15},
	}};
