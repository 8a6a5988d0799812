/* body/forms.c: the forms of bodies; see form.h.

   Those of human and quadruped are means and deviations of rigged characters and animals; the
   others are chosen by hand from a few each (docs/bodies.md says which). */
#include "body/form.h"

#define LIMBS(list) .limb_count = sizeof(list) / sizeof((list)[0]), .limb = (list)

/* in a T or an A */
static const ossai_limb arms_out[] = {
	{OSSAI_LIMB_LEG, 0, true, true, 0.94, {{0.26, 0.10}, {0.03, 0.10}, {0.37, 0.18}}, {0.19, 0.33}},
	{OSSAI_LIMB_ARM, 0, true, false, 0.95, {{1.45, 0.24}, {0.08, 0.34}, {0.05, 0.18}}, {0.05, 0.35}},
	{OSSAI_LIMB_HEAD, 0, false, false, 0.96, {{0.00, 0.18}, {1.40, 0.28}, {0.00, 0.22}}, {-0.50, 0.60}},
	{OSSAI_LIMB_EAR, 0, true, false, 0.08, {{0.30, 0.20}, {1.80, 0.25}, {-0.10, 0.20}}, {-0.80, 0.60}},
	{OSSAI_LIMB_TAIL, 0, false, false, 0.05, {{0.00, 0.12}, {-0.30, 0.60}, {-1.00, 0.40}}, {-0.15, 0.60}},
};

static const ossai_limb arms_down[] = {
	{OSSAI_LIMB_LEG, 0, true, true, 0.94, {{0.39, 0.18}, {0.03, 0.09}, {0.32, 0.39}}, {0.35, 0.30}},
	{OSSAI_LIMB_ARM, 0, true, false, 0.95, {{0.64, 0.16}, {-0.30, 0.42}, {0.05, 0.20}}, {0.00, 0.40}},
	{OSSAI_LIMB_HEAD, 0, false, false, 0.96, {{0.00, 0.12}, {1.60, 0.25}, {0.05, 0.22}}, {-0.50, 0.60}},
	{OSSAI_LIMB_EAR, 0, true, false, 0.08, {{0.30, 0.20}, {1.80, 0.25}, {-0.10, 0.20}}, {-0.80, 0.60}},
	{OSSAI_LIMB_TAIL, 0, false, false, 0.05, {{0.00, 0.12}, {-0.30, 0.60}, {-1.00, 0.40}}, {-0.15, 0.60}},
};

/* walking, sitting, holding something, with short limbs */
static const ossai_limb posed[] = {
	{OSSAI_LIMB_LEG, 0, true, true, 0.94, {{0.32, 0.25}, {0.05, 0.15}, {0.40, 0.60}}, {0.00, 0.45}},
	{OSSAI_LIMB_ARM, 0, true, false, 0.95, {{0.70, 0.60}, {0.10, 0.50}, {0.40, 0.50}}, {-0.30, 0.50}},
	{OSSAI_LIMB_HEAD, 0, false, false, 0.96, {{0.00, 0.20}, {1.45, 0.35}, {0.05, 0.30}}, {-0.50, 0.60}},
	{OSSAI_LIMB_EAR, 0, true, false, 0.08, {{0.30, 0.20}, {1.80, 0.25}, {-0.10, 0.20}}, {-0.80, 0.60}},
	{OSSAI_LIMB_TAIL, 0, false, false, 0.05, {{0.00, 0.12}, {-0.30, 0.60}, {-1.00, 0.40}}, {-0.15, 0.60}},
};

static const ossai_limb quadruped[] = {
	{OSSAI_LIMB_LEG, 0, true, true, 0.97, {{0.28, 0.12}, {0.00, 0.05}, {-0.83, 0.25}}, {-0.24, 0.45}},
	{OSSAI_LIMB_ARM, 0, true, true, 0.97, {{0.26, 0.11}, {0.01, 0.05}, {0.54, 0.25}}, {-0.37, 0.46}},
	{OSSAI_LIMB_HEAD, 0, false, false, 0.93, {{0.00, 0.08}, {0.36, 0.47}, {1.59, 0.19}}, {-0.40, 0.40}},
	{OSSAI_LIMB_TAIL, 0, false, false, 0.81, {{0.00, 0.05}, {-0.32, 0.62}, {-1.50, 0.33}}, {-0.15, 0.60}},
	{OSSAI_LIMB_EAR, 0, true, false, 0.39, {{0.46, 0.25}, {0.58, 0.44}, {0.71, 0.60}}, {-0.80, 0.60}},
};

static const ossai_limb standing_bird[] = {
	{OSSAI_LIMB_LEG, 0, true, true, 0.90, {{0.30, 0.20}, {0.05, 0.10}, {0.50, 0.50}}, {-0.24, 0.45}},
	{OSSAI_LIMB_HEAD, 0, false, false, 0.95, {{0.00, 0.10}, {1.10, 0.50}, {1.40, 0.35}}, {-0.40, 0.40}},
	{OSSAI_LIMB_TAIL, 0, false, false, 0.85, {{0.00, 0.10}, {0.60, 0.70}, {-1.60, 0.50}}, {-0.15, 0.60}},
	{OSSAI_LIMB_WING, 0, true, false, 0.20, {{0.70, 0.30}, {0.30, 0.40}, {0.00, 0.50}}, {-0.10, 0.40}},
};

static const ossai_limb flying_bird[] = {
	{OSSAI_LIMB_WING, 0, true, false, 0.97, {{1.90, 0.12}, {0.20, 0.35}, {0.00, 0.35}}, {-0.10, 0.40}},
	{OSSAI_LIMB_LEG, 0, true, false, 0.40, {{0.40, 0.30}, {-0.40, 0.40}, {-0.30, 0.40}}, {-0.24, 0.45}},
	{OSSAI_LIMB_HEAD, 0, false, false, 0.70, {{0.00, 0.12}, {0.20, 0.35}, {0.80, 0.30}}, {-0.40, 0.40}},
	{OSSAI_LIMB_TAIL, 0, false, false, 0.50, {{0.00, 0.12}, {0.00, 0.30}, {-0.80, 0.30}}, {-0.15, 0.60}},
};

static const ossai_limb theropod[] = {
	{OSSAI_LIMB_LEG, 0, true, true, 0.90, {{0.40, 0.15}, {0.05, 0.08}, {0.00, 0.30}}, {-0.24, 0.45}},
	{OSSAI_LIMB_ARM, 0, true, true, 0.70, {{0.25, 0.15}, {0.75, 0.25}, {0.50, 0.30}}, {-0.37, 0.46}},
	{OSSAI_LIMB_HEAD, 0, false, false, 0.95, {{0.00, 0.12}, {0.55, 0.40}, {1.60, 0.25}}, {-0.40, 0.40}},
	{OSSAI_LIMB_TAIL, 0, false, false, 0.90, {{0.00, 0.15}, {-0.30, 0.50}, {-2.10, 0.35}}, {-0.15, 0.60}},
};

static const ossai_limb fish[] = {
	{OSSAI_LIMB_HEAD, 0, false, false, 0.90, {{0.00, 0.12}, {0.00, 0.20}, {1.60, 0.20}}, {-0.40, 0.40}},
	{OSSAI_LIMB_TAIL, 1, false, false, 0.90, {{0.00, 0.20}, {0.50, 0.20}, {-2.00, 0.30}}, {-0.15, 0.60}},
	{OSSAI_LIMB_TAIL, 2, false, false, 0.60, {{0.00, 0.20}, {-0.40, 0.25}, {-1.90, 0.30}}, {-0.15, 0.60}},
	{OSSAI_LIMB_FIN, 1, true, false, 0.80, {{0.75, 0.20}, {-0.20, 0.30}, {0.10, 0.30}}, {-0.60, 0.60}},
	{OSSAI_LIMB_FIN, 2, false, false, 0.80, {{0.00, 0.10}, {0.85, 0.20}, {0.00, 0.40}}, {-0.60, 0.60}},
	{OSSAI_LIMB_FIN, 3, false, false, 0.30, {{0.00, 0.10}, {-0.55, 0.15}, {-0.40, 0.50}}, {-0.60, 0.60}},
};

static const ossai_limb whale[] = {
	{OSSAI_LIMB_HEAD, 0, false, false, 0.95, {{0.00, 0.12}, {0.00, 0.20}, {1.70, 0.20}}, {-0.40, 0.40}},
	{OSSAI_LIMB_TAIL, 0, true, false, 0.95, {{0.45, 0.20}, {0.00, 0.15}, {-1.50, 0.40}}, {-0.15, 0.60}},
	{OSSAI_LIMB_FIN, 1, true, false, 0.90, {{0.55, 0.20}, {-0.10, 0.20}, {0.35, 0.30}}, {-0.60, 0.60}},
	{OSSAI_LIMB_FIN, 2, false, false, 0.30, {{0.00, 0.10}, {0.40, 0.20}, {-0.30, 0.40}}, {-0.60, 0.60}},
};

static const ossai_limb ray[] = {
	{OSSAI_LIMB_TAIL, 0, false, false, 0.95, {{0.00, 0.15}, {0.10, 0.20}, {-2.40, 0.60}}, {-0.15, 0.60}},
	{OSSAI_LIMB_FIN, 1, true, false, 0.95, {{1.50, 0.25}, {-0.20, 0.40}, {0.00, 0.35}}, {-0.60, 0.60}},
	{OSSAI_LIMB_ANTENNA, 0, true, false, 0.60, {{0.30, 0.15}, {0.10, 0.15}, {1.30, 0.20}}, {-0.80, 0.60}},
	{OSSAI_LIMB_HEAD, 0, false, false, 0.40, {{0.00, 0.12}, {0.00, 0.15}, {1.30, 0.20}}, {-0.40, 0.40}},
};

static const ossai_limb straight_snake[] = {
	{OSSAI_LIMB_HEAD, 0, false, false, 0.97, {{0.00, 0.20}, {0.00, 0.20}, {1.80, 0.20}}, {0.00, 0.50}},
	{OSSAI_LIMB_TAIL, 0, false, false, 0.97, {{0.00, 0.20}, {0.00, 0.20}, {-1.90, 0.20}}, {0.00, 0.50}},
};

static const ossai_limb coiled_snake[] = {
	{OSSAI_LIMB_HEAD, 0, false, false, 0.95, {{0.00, 0.40}, {0.50, 0.60}, {1.20, 0.60}}, {-0.40, 0.40}},
	{OSSAI_LIMB_TAIL, 0, false, false, 0.95, {{0.00, 0.40}, {-0.40, 0.60}, {-1.40, 0.60}}, {-0.15, 0.60}},
};

/* fingers up, the back of the hand behind */
static const ossai_limb left_hand[] = {
	{OSSAI_LIMB_FINGER, 1, false, false, 0.95, {{-1.20, 0.20}, {0.35, 0.25}, {0.30, 0.30}}, {-0.40, 0.50}},
	{OSSAI_LIMB_FINGER, 2, false, false, 0.95, {{-0.50, 0.20}, {1.55, 0.20}, {0.00, 0.15}}, {-0.40, 0.50}},
	{OSSAI_LIMB_FINGER, 3, false, false, 0.95, {{-0.05, 0.20}, {1.75, 0.15}, {0.00, 0.15}}, {-0.40, 0.50}},
	{OSSAI_LIMB_FINGER, 4, false, false, 0.95, {{0.40, 0.20}, {1.70, 0.15}, {0.00, 0.15}}, {-0.40, 0.50}},
	{OSSAI_LIMB_FINGER, 5, false, false, 0.95, {{1.00, 0.20}, {1.10, 0.25}, {0.05, 0.15}}, {-0.40, 0.50}},
	{OSSAI_LIMB_WRIST, 0, false, false, 0.80, {{0.00, 0.15}, {-1.60, 0.20}, {0.00, 0.15}}, {-0.40, 0.60}},
};

static const ossai_limb right_hand[] = {
	{OSSAI_LIMB_FINGER, 1, false, false, 0.95, {{1.20, 0.20}, {0.35, 0.25}, {0.30, 0.30}}, {-0.40, 0.50}},
	{OSSAI_LIMB_FINGER, 2, false, false, 0.95, {{0.50, 0.20}, {1.55, 0.20}, {0.00, 0.15}}, {-0.40, 0.50}},
	{OSSAI_LIMB_FINGER, 3, false, false, 0.95, {{0.05, 0.20}, {1.75, 0.15}, {0.00, 0.15}}, {-0.40, 0.50}},
	{OSSAI_LIMB_FINGER, 4, false, false, 0.95, {{-0.40, 0.20}, {1.70, 0.15}, {0.00, 0.15}}, {-0.40, 0.50}},
	{OSSAI_LIMB_FINGER, 5, false, false, 0.95, {{-1.00, 0.20}, {1.10, 0.25}, {0.05, 0.15}}, {-0.40, 0.50}},
	{OSSAI_LIMB_WRIST, 0, false, false, 0.80, {{0.00, 0.15}, {-1.60, 0.20}, {0.00, 0.15}}, {-0.40, 0.60}},
};

static const ossai_limb spider[] = {
	{OSSAI_LIMB_LEG, 1, true, true, 0.90, {{0.95, 0.30}, {0.05, 0.10}, {1.20, 0.50}}, {-0.24, 0.45}},
	{OSSAI_LIMB_LEG, 2, true, true, 0.90, {{1.30, 0.25}, {0.05, 0.10}, {0.80, 0.50}}, {-0.24, 0.45}},
	{OSSAI_LIMB_LEG, 3, true, true, 0.90, {{1.40, 0.25}, {0.05, 0.10}, {-0.20, 0.40}}, {-0.24, 0.45}},
	{OSSAI_LIMB_LEG, 4, true, true, 0.90, {{1.05, 0.25}, {0.05, 0.10}, {-1.10, 0.30}}, {-0.24, 0.45}},
	{OSSAI_LIMB_ANTENNA, 0, true, true, 0.50, {{0.35, 0.20}, {0.30, 0.25}, {1.20, 0.40}}, {-0.80, 0.60}},
	{OSSAI_LIMB_TAIL, 0, false, true, 0.80, {{0.00, 0.15}, {0.60, 0.60}, {-0.90, 0.50}}, {-0.15, 0.60}},
};

static const ossai_limb insect[] = {
	{OSSAI_LIMB_LEG, 1, true, true, 0.90, {{0.80, 0.30}, {0.05, 0.10}, {0.90, 0.40}}, {-0.24, 0.45}},
	{OSSAI_LIMB_LEG, 2, true, true, 0.90, {{1.00, 0.30}, {0.05, 0.10}, {0.00, 0.30}}, {-0.24, 0.45}},
	{OSSAI_LIMB_LEG, 3, true, true, 0.90, {{0.90, 0.30}, {0.05, 0.10}, {-1.00, 0.40}}, {-0.24, 0.45}},
	{OSSAI_LIMB_ANTENNA, 0, true, true, 0.60, {{0.30, 0.25}, {0.80, 0.40}, {1.50, 0.30}}, {-0.80, 0.60}},
	{OSSAI_LIMB_HEAD, 0, false, true, 0.70, {{0.00, 0.15}, {0.40, 0.30}, {1.30, 0.30}}, {-0.40, 0.40}},
	{OSSAI_LIMB_TAIL, 0, false, true, 0.80, {{0.00, 0.15}, {0.50, 0.40}, {-1.50, 0.30}}, {-0.15, 0.60}},
};

static const ossai_limb octopus[] = {
	{OSSAI_LIMB_ARM, 1, true, true, 0.95, {{0.50, 0.25}, {0.10, 0.10}, {1.50, 0.40}}, {-0.37, 0.46}},
	{OSSAI_LIMB_ARM, 2, true, true, 0.95, {{1.40, 0.35}, {0.10, 0.10}, {0.65, 0.20}}, {-0.37, 0.46}},
	{OSSAI_LIMB_ARM, 3, true, true, 0.95, {{1.40, 0.35}, {0.10, 0.10}, {-0.65, 0.20}}, {-0.37, 0.46}},
	{OSSAI_LIMB_ARM, 4, true, true, 0.95, {{0.50, 0.25}, {0.10, 0.10}, {-1.50, 0.40}}, {-0.37, 0.46}},
	{OSSAI_LIMB_HEAD, 0, false, false, 0.80, {{0.00, 0.15}, {1.70, 0.50}, {-0.10, 0.30}}, {-0.40, 0.40}},
};

/* swimming, its arms below it */
static const ossai_limb hanging_octopus[] = {
	{OSSAI_LIMB_ARM, 1, true, true, 0.95, {{0.22, 0.15}, {0.03, 0.10}, {0.57, 0.15}}, {0.10, 0.40}},
	{OSSAI_LIMB_ARM, 2, true, true, 0.95, {{0.55, 0.15}, {0.03, 0.10}, {0.20, 0.15}}, {0.10, 0.40}},
	{OSSAI_LIMB_ARM, 3, true, true, 0.95, {{0.55, 0.15}, {0.03, 0.10}, {-0.24, 0.15}}, {0.10, 0.40}},
	{OSSAI_LIMB_ARM, 4, true, true, 0.95, {{0.23, 0.15}, {0.03, 0.10}, {-0.57, 0.15}}, {0.10, 0.40}},
	{OSSAI_LIMB_HEAD, 0, false, false, 0.80, {{0.00, 0.15}, {1.80, 0.40}, {0.00, 0.30}}, {-0.40, 0.40}},
};

const ossai_form ossai_forms[] = {
	{"human, arms out", OSSA_BODY_HUMAN, -3.5, {{-0.68, 0.18}, {-0.20, 0.10}, {-1.60, 0.38}}, {3.4, 0.5}, LIMBS(arms_out)},
	{"human, arms down", OSSA_BODY_HUMAN, -3.5, {{-1.01, 0.20}, {-0.11, 0.07}, {-1.52, 0.35}}, {3.4, 0.5}, LIMBS(arms_down)},
	{"human, posed", OSSA_BODY_HUMAN, -7, {{-0.87, 0.30}, {-0.20, 0.15}, {-1.20, 0.45}}, {3.4, 0.5}, LIMBS(posed)},
	{"quadruped", OSSA_BODY_QUADRUPED, -4, {{-1.39, 0.34}, {-0.70, 0.28}, {-0.23, 0.10}}, {3.1, 0.45}, LIMBS(quadruped)},
	{"bird, standing", OSSA_BODY_BIRD, -6, {{-1.14, 0.30}, {-0.69, 0.45}, {-0.29, 0.30}}, {3.0, 0.45}, LIMBS(standing_bird)},
	{"bird, flying", OSSA_BODY_BIRD, -6, {{-0.05, 0.06}, {-2.30, 0.90}, {-1.61, 0.70}}, {5.0, 0.8}, LIMBS(flying_bird)},
	{"theropod", OSSA_BODY_THEROPOD, -6, {{-1.27, 0.25}, {-0.71, 0.25}, {-0.19, 0.12}}, {3.1, 0.45}, LIMBS(theropod)},
	{"fish", OSSA_BODY_FISH, -6, {{-1.39, 0.35}, {-1.27, 0.25}, {-0.07, 0.07}}, {3.2, 0.4}, LIMBS(fish)},
	{"whale", OSSA_BODY_FISH, -7, {{-1.43, 0.30}, {-1.90, 0.40}, {-0.04, 0.05}}, {3.2, 0.4}, LIMBS(whale)},
	{"ray", OSSA_BODY_FISH, -7, {{-0.43, 0.20}, {-1.90, 0.35}, {-0.36, 0.20}}, {4.0, 0.5}, LIMBS(ray)},
	{"snake, straight", OSSA_BODY_SNAKE, -10, {{-1.80, 0.40}, {-2.20, 0.40}, {-0.03, 0.03}}, {3.6, 0.2}, LIMBS(straight_snake)},
	{"snake, coiled", OSSA_BODY_SNAKE, -6, {{-1.20, 0.60}, {-0.60, 0.60}, {-0.50, 0.40}}, {3.6, 0.2}, LIMBS(coiled_snake)},
	{"left hand", OSSA_BODY_HAND, -5, {{-0.73, 0.15}, {-0.15, 0.08}, {-1.51, 0.30}}, {3.1, 0.3}, LIMBS(left_hand)},
	{"right hand", OSSA_BODY_HAND, -5, {{-0.73, 0.15}, {-0.15, 0.08}, {-1.51, 0.30}}, {3.1, 0.3}, LIMBS(right_hand)},
	{"insect", OSSA_BODY_INSECT, -8, {{-0.69, 0.30}, {-1.20, 0.40}, {-0.22, 0.20}}, {4.0, 0.6}, LIMBS(insect)},
	{"spider", OSSA_BODY_SPIDER, -7, {{-0.43, 0.20}, {-1.05, 0.35}, {-0.40, 0.15}}, {4.3, 0.5}, LIMBS(spider)},
	{"octopus", OSSA_BODY_OCTOPUS, -7, {{-0.48, 0.15}, {-0.60, 0.35}, {-0.51, 0.15}}, {3.8, 0.5}, LIMBS(octopus)},
	{"octopus, hanging", OSSA_BODY_OCTOPUS, -8, {{-1.24, 0.30}, {-0.07, 0.07}, {-1.47, 0.30}}, {4.1, 0.5},
		LIMBS(hanging_octopus)},
};

const size_t ossai_form_count = sizeof ossai_forms / sizeof ossai_forms[0];
