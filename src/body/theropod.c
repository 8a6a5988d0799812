/* body/theropod.c: the plans of two-legged animals whose trunk lies over their legs: theropods, and
   birds, whose arms are wings.

   Places and their deviations are those of a tyrannosaur, a chicken, a peacock, a hawk, a bat and
   the bird of Blender's Rigify (scripts/calibrate_theropods, docs/bodies.md). */
#include "body/plan.h"

enum { HIPS, SPINE_1, SPINE_2, NECK, HEAD, ARM_1, ARM_2, ARM_3, UPPER_LEG, LOWER_LEG, FOOT, TOES, TAIL };

#define TRUNK_AND_LEGS                                                                                                         \
	[HIPS] = {OSSA_PART_HIPS, 0, -1, false, OSSAI_REGION_TRUNK, {0, 0.15}},                                                    \
	[SPINE_1] = {OSSA_PART_SPINE, 1, HIPS, false, OSSAI_REGION_TRUNK, {0.3, 0.17}},                                            \
	[SPINE_2] = {OSSA_PART_SPINE, 2, SPINE_1, false, OSSAI_REGION_TRUNK, {0.65, 0.19}},                                        \
	[NECK] = {OSSA_PART_NECK, 0, SPINE_2, false, OSSAI_REGION_NECK, {0, 0.1}, .girths = 2},                                    \
	[HEAD] = {OSSA_PART_HEAD, 0, NECK, false, OSSAI_REGION_NECK, {1, 0.3}},                                                    \
	[UPPER_LEG] = {OSSA_PART_UPPER_LEG, 0, HIPS, true, OSSAI_REGION_LEG, {0, 0.1}},                                            \
	[LOWER_LEG] = {OSSA_PART_LOWER_LEG, 0, UPPER_LEG, true, OSSAI_REGION_LEG, {0.3, 0.08}},                                    \
	[FOOT] = {OSSA_PART_FOOT, 0, LOWER_LEG, true, OSSAI_REGION_LEG, {0.53, 0.06}},                                             \
	[TOES] = {OSSA_PART_TOES, 0, FOOT, true, OSSAI_REGION_LEG, {0.72, 0.05}},                                                  \
	[TAIL] = {OSSA_PART_TAIL, 0, HIPS, false, OSSAI_REGION_TAIL, {0, 0.1}, .girths = 5}

static const ossai_plan_bone theropod[] = {
	TRUNK_AND_LEGS,
	[ARM_1] = {OSSA_PART_UPPER_ARM, 0, SPINE_2, true, OSSAI_REGION_ARM, {0, 0.1}},
	[ARM_2] = {OSSA_PART_LOWER_ARM, 0, ARM_1, true, OSSAI_REGION_ARM, {0.36, 0.08}},
	[ARM_3] = {OSSA_PART_HAND, 0, ARM_2, true, OSSAI_REGION_ARM, {0.68, 0.08}},
};

static const ossai_plan_bone bird[] = {
	TRUNK_AND_LEGS,
	[ARM_1] = {OSSA_PART_WING, 1, SPINE_2, true, OSSAI_REGION_ARM, {0, 0.1}},
	[ARM_2] = {OSSA_PART_WING, 2, ARM_1, true, OSSAI_REGION_ARM, {0.3, 0.1}},
	[ARM_3] = {OSSA_PART_WING, 3, ARM_2, true, OSSAI_REGION_ARM, {0.66, 0.15}},
};

const ossai_body_plan ossai_theropod_plan = {
	.kind = OSSA_BODY_THEROPOD, .bone_count = sizeof theropod / sizeof theropod[0], .bone = theropod};

const ossai_body_plan ossai_bird_plan = {.kind = OSSA_BODY_BIRD, .bone_count = sizeof bird / sizeof bird[0], .bone = bird};
