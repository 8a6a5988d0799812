/* samples/face.c: see face.h. */
#include "samples/face.h"

#include "samples/creature_rows.h"

#include <stdio.h>
#include <string.h>

/* a patch of skin, and how far it slides and turns; on the right side its mirror image */
typedef struct patch_row {
	const char *name;
	double center[3], reach[3];
	double slide[3];            /* up to so far to both sides */
	double turn_low, turn_high; /* degrees about x */
	bool has_image;
} patch_row;

static const bone_row head_bone = {"head", NULL, {0, 0.52, 0.0}, {0, 1, 0}, BALL(-10, 10, -16, 16, -6, 6)};

static const limb_row head_limbs[] = {
	{"head", 0, ROUND, {{0, -0.1, -0.08, 0.17}, {0, 0.16, -0.05, 0.16}}},
	{"head", 0.08, FLAT(0.86, 1, 1), {{0, 0.24, 0.1, 0.17}, {0, 0.48, 0.03, 0.3}, {0, 0.7, -0.03, 0.34}}},
	{"head", 0.03, ROUND, {{0, 0.55, 0.3, 0.03}, {0, 0.44, 0.37, 0.045}}},
	{"head", 0.03, PAIR(1, 1, 1), {{0.27, 0.46, -0.05, 0.05}, {0.29, 0.56, -0.07, 0.05}}},
};

static const patch_row patches[] = {
	{"jaw", {0, 0.13, 0.2}, {0.26, 0.17, 0.22}, {0.012, 0.02, 0.015}, 0, 9, false},
	{"lip_lower", {0, 0.26, 0.3}, {0.13, 0.07, 0.13}, {0.006, 0.018, 0.008}, -4, 4, false},
	{"lip_upper", {0, 0.345, 0.32}, {0.13, 0.06, 0.13}, {0.006, 0.014, 0.008}, -4, 4, false},
	{"mouth_l", {0.115, 0.3, 0.265}, {0.075, 0.075, 0.1}, {0.022, 0.02, 0.01}, 0, 0, true},
	{"cheek_l", {0.165, 0.42, 0.235}, {0.11, 0.1, 0.14}, {0.01, 0.022, 0.012}, 0, 0, true},
	{"brow_l", {0.06, 0.66, 0.315}, {0.085, 0.09, 0.12}, {0.012, 0.026, 0.004}, 0, 0, true},
	{"temple_l", {0.18, 0.66, 0.25}, {0.08, 0.09, 0.13}, {0.006, 0.024, 0.006}, 0, 0, true},
};

static void add_patch(ossai_creature *creature, const patch_row *row, bool right)
{
	const int index = creature->bone_count++;
	const double side = right ? -1 : 1;
	creature_bone *bone = &creature->bones[index];
	*bone = (creature_bone){.parent = 0,
		.kind = OSSA_JOINT_FREE,
		.like = index,
		.joint = ossai_v3(side * row->center[0], row->center[1], row->center[2]),
		.reach = ossai_v3_of(row->reach),
		.slide = ossai_v3_of(row->slide),
		.axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		.low = {row->turn_low},
		.high = {row->turn_high}};
	bone->tail = ossai_madd(bone->joint, 0.1, ossai_v3(0, 0, 1));
	snprintf(bone->name, sizeof bone->name, "%s", row->name);
	if (right) bone->name[strlen(bone->name) - 1] = 'r';
}

void ossai_face_build(ossai_creature *creature)
{
	ossai_creature_add_bone(creature, &head_bone, false);
	ossai_creature_add_limbs(creature, head_limbs, sizeof head_limbs / sizeof head_limbs[0], false);
	for (size_t i = 0; i < sizeof patches / sizeof patches[0]; i++) {
		for (int right = 0; right <= patches[i].has_image; right++) add_patch(creature, &patches[i], right);
	}
}

/* 1 at the joint, 0 from the reach on, smooth at both */
static double share_of(const creature_bone *bone, ossai_vec3 point)
{
	const ossai_vec3 off = ossai_sub(point, bone->joint);
	const double x = off.x / bone->reach.x, y = off.y / bone->reach.y, z = off.z / bone->reach.z;
	const double left = 1 - (x * x + y * y + z * z);
	return left > 0 ? left * left : 0;
}

void ossai_face_weights(const ossai_creature *creature, ossai_vec3 point, double *weights)
{
	double share[CREATURE_BONES] = {0}, sum = 0;
	for (int b = 0; b < creature->bone_count; b++) {
		if (creature->bones[b].kind == OSSA_JOINT_FREE) sum += share[b] = share_of(&creature->bones[b], point);
	}
	if (sum == 0) return;
	const double most = sum > 1 ? sum : 1;
	for (int b = 0; b < creature->bone_count; b++) weights[b] = weights[b] * (1 - sum / most) + share[b] / most;
}
