/* samples/arms.c: arms as rigs of characters have them: twist bones that turn about the limb by a
   part of another joint's twist.

   Place in the path: tables -> creature. */
#include "samples/arms.h"

#include "samples/creature_rows.h"

/* The skin next to the shoulder turns back against the twist of the upper arm; that of the forearm
   takes the twist of the hand by and by. The bones of the twist are leaves beside the next joint.
   */
static const bone_row arms_bones[] = {
	{"chest", NULL, {0, 1.3, 0}, {0}, BALL(-8, 8, -20, 20, -8, 8)},
	{"upper-arm-l", "chest", {0.24, 1.40, 0}, {0}, BALL(-60, 70, -30, 40, -45, 25)},
	{"upper-arm-twist-l", "upper-arm-l", {0.24, 1.40, 0}, {0.49, 1.25, 0.05}, HINGE(1, 0, 0, 0, 0)},
	{"forearm-l", "upper-arm-l", {0.74, 1.10, 0.10}, {0}, HINGE(-0.514, -0.857, 0, -10, 90)},
	{"forearm-twist-l", "forearm-l", {0.98, 0.94, 0.18}, {1.22, 0.78, 0.26}, HINGE(1, 0, 0, 0, 0)},
	{"hand-l", "forearm-l", {1.22, 0.78, 0.26}, {1.42, 0.65, 0.32}, BALL(-75, 85, -30, 25, -45, 40)},
};
static const limb_row arms_limbs[] = {
	{"chest", 0, BOX(0.17, 0.26, 0.13), {{0, 1.3, 0, 0.06}}},
	{"chest upper-arm-twist-l upper-arm-l forearm-l forearm-twist-l hand-l", 0.06, ROUND,
		{{0.12, 1.42, 0, 0.08}, {0.24, 1.40, 0, 0.08}, {0.49, 1.25, 0.05, 0.07}, {0.74, 1.10, 0.10, 0.065},
			{0.98, 0.94, 0.18, 0.068}, {1.22, 0.78, 0.26, 0.05}, {1.32, 0.71, 0.29, 0.068}, {1.42, 0.65, 0.32, 0.055}}},
};
static const twist_row arms_twists[] = {
	{"upper-arm-twist-l", "upper-arm-l", NULL, -1.0 / 2},
	{"upper-arm-twist-r", "upper-arm-r", NULL, -1.0 / 3},
	{"forearm-twist-l", "hand-l", NULL, 1.0 / 2},
	{"forearm-twist-r", "hand-r", NULL, 1.0 / 3},
};

void ossai_arms_build(ossai_creature *creature)
{
	ADD_TABLES(creature, arms, false);
	for (size_t i = 0; i < sizeof arms_twists / sizeof arms_twists[0]; i++) ossai_creature_add_twist(creature, &arms_twists[i]);
	ossai_creature_skin_below(creature, "hand-l", "forearm-twist-l");
	ossai_creature_skin_below(creature, "hand-r", "forearm-twist-r");
}
