/* body/human.c: the plan of the human body.

   Places and their deviations are fitted to rigged characters, from realistic figures to those with
   half of their height in the head (scripts/calibrate_bodies, docs/bodies.md). */
#include "body/plan.h"

enum { HIPS, SPINE_1, SPINE_2, SPINE_3, NECK, HEAD, CLAVICLE, UPPER_ARM, LOWER_ARM, HAND, UPPER_LEG, LOWER_LEG, FOOT, TOES };

static const ossai_plan_bone bones[] = {
	[HIPS] = {OSSA_PART_HIPS, 0, -1, false, OSSAI_REGION_TRUNK, {0, 0.08}},
	[SPINE_1] = {OSSA_PART_SPINE, 1, HIPS, false, OSSAI_REGION_TRUNK, {0.14, 0.11}},
	[SPINE_2] = {OSSA_PART_SPINE, 2, SPINE_1, false, OSSAI_REGION_TRUNK, {0.37, 0.12}},
	[SPINE_3] = {OSSA_PART_SPINE, 3, SPINE_2, false, OSSAI_REGION_TRUNK, {0.6, 0.19}},
	[NECK] = {OSSA_PART_NECK, 0, SPINE_3, false, OSSAI_REGION_TRUNK, {0.94, 0.06}},
	[HEAD] = {OSSA_PART_HEAD, 0, NECK, false, OSSAI_REGION_TRUNK, {1.05, 0.1}},
	[CLAVICLE] = {OSSA_PART_CLAVICLE, 0, SPINE_3, true, OSSAI_REGION_ARM, {-0.7, 0.3}},
	[UPPER_ARM] = {OSSA_PART_UPPER_ARM, 0, CLAVICLE, true, OSSAI_REGION_ARM, {0, 0.05}},
	[LOWER_ARM] = {OSSA_PART_LOWER_ARM, 0, UPPER_ARM, true, OSSAI_REGION_ARM, {0.354, 0.05}, true},
	[HAND] = {OSSA_PART_HAND, 0, LOWER_ARM, true, OSSAI_REGION_ARM, {0.7, 0.07}},
	[UPPER_LEG] = {OSSA_PART_UPPER_LEG, 0, HIPS, true, OSSAI_REGION_LEG, {0, 0.05}},
	[LOWER_LEG] = {OSSA_PART_LOWER_LEG, 0, UPPER_LEG, true, OSSAI_REGION_LEG, {0.48, 0.05}, true},
	[FOOT] = {OSSA_PART_FOOT, 0, LOWER_LEG, true, OSSAI_REGION_LEG, {1, 0.06}},
	[TOES] = {OSSA_PART_TOES, 0, FOOT, true, OSSAI_REGION_LEG, {1.63, 0.25}},
};

const ossai_body_plan ossai_human_plan = {.kind = OSSA_BODY_HUMAN, .bone_count = sizeof bones / sizeof bones[0], .bone = bones};
