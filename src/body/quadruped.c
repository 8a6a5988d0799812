/* body/quadruped.c: the plan of the quadruped's body.

   Places and their deviations are fitted to rigged animals (scripts/calibrate_quadrupeds,
   docs/bodies.md); how many bones a neck and a tail have is chosen after these. */
#include "body/plan.h"

enum {
	HIPS,
	SPINE_1,
	SPINE_2,
	NECK,
	HEAD,
	CLAVICLE,
	FRONT_UPPER,
	FRONT_LOWER,
	FRONT_FOOT,
	FRONT_TOES,
	BACK_UPPER,
	BACK_LOWER,
	BACK_FOOT,
	BACK_TOES,
	TAIL,
	EAR
};

static const ossai_plan_bone bones[] = {
	[HIPS] = {OSSA_PART_HIPS, 0, -1, false, OSSAI_REGION_TRUNK, {0, 0.15}},
	[SPINE_1] = {OSSA_PART_SPINE, 1, HIPS, false, OSSAI_REGION_TRUNK, {0.28, 0.17}},
	[SPINE_2] = {OSSA_PART_SPINE, 2, SPINE_1, false, OSSAI_REGION_TRUNK, {0.58, 0.19}},
	[NECK] = {OSSA_PART_NECK, 0, SPINE_2, false, OSSAI_REGION_NECK, {0, 0.1}, .girths = 2},
	[HEAD] = {OSSA_PART_HEAD, 0, NECK, false, OSSAI_REGION_NECK, {1, 0.3}},
	[CLAVICLE] = {OSSA_PART_CLAVICLE, 0, SPINE_2, true, OSSAI_REGION_ARM, {-1, 0.1}},
	[FRONT_UPPER] = {OSSA_PART_FRONT_UPPER_LEG, 0, CLAVICLE, true, OSSAI_REGION_ARM, {0, 0.1}},
	[FRONT_LOWER] = {OSSA_PART_FRONT_LOWER_LEG, 0, FRONT_UPPER, true, OSSAI_REGION_ARM, {0.31, 0.105}, .by_thickness = 0.152},
	[FRONT_FOOT] = {OSSA_PART_FRONT_FOOT, 0, FRONT_LOWER, true, OSSAI_REGION_ARM, {0.672, 0.075}, .by_thickness = 0.101},
	[FRONT_TOES] = {OSSA_PART_FRONT_TOES, 0, FRONT_FOOT, true, OSSAI_REGION_ARM, {0.87, 0.042}},
	[BACK_UPPER] = {OSSA_PART_BACK_UPPER_LEG, 0, HIPS, true, OSSAI_REGION_LEG, {0, 0.1}},
	[BACK_LOWER] = {OSSA_PART_BACK_LOWER_LEG, 0, BACK_UPPER, true, OSSAI_REGION_LEG, {0.374, 0.076}, .by_thickness = 0.202},
	[BACK_FOOT] = {OSSA_PART_BACK_FOOT, 0, BACK_LOWER, true, OSSAI_REGION_LEG, {0.674, 0.078}, .by_thickness = 0.186},
	[BACK_TOES] = {OSSA_PART_BACK_TOES, 0, BACK_FOOT, true, OSSAI_REGION_LEG, {0.88, 0.061}},
	[TAIL] = {OSSA_PART_TAIL, 0, HIPS, false, OSSAI_REGION_TAIL, {0, 0.1}, .girths = 5},
	[EAR] = {OSSA_PART_EAR, 0, HEAD, true, OSSAI_REGION_EAR, {0, 0.1}, .girths = 4},
};

const ossai_body_plan ossai_quadruped_plan = {
	.kind = OSSA_BODY_QUADRUPED, .bone_count = sizeof bones / sizeof bones[0], .bone = bones};
