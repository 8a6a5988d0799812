/* samples/machines.c: machines as tables: joints of two axes, joints that depend on each other,
   joints that form loops, joints that slide.

   Place in the path: tables -> creature. */
#include "samples/machines.h"

#include "samples/creature_rows.h"

/* Three arms on a base, most of whose joints turn about two axes, one after the other: square to
   the arm, along and across it, slanted. */
static const bone_row gimbals_bones[] = {
	{"base", NULL, {0, 0.36, 0}, {0}, BALL(-8, 8, -20, 20, -8, 8)},
	{"lever-1", "base", {-0.36, 0.52, 0}, {0}, UNIVERSAL(1, 0, 0, -35, 45, 0, 0, 1, -30, 25)},
	{"lever-2", "lever-1", {-0.36, 0.88, 0}, {-0.36, 1.25, 0}, HINGE(1, 0, 0, -50, 30)},
	{"mast", "base", {0, 0.52, 0}, {0}, UNIVERSAL(0, 1, 0, -60, 40, 1, 0, 0, -25, 35)},
	{"boom", "mast", {0, 0.90, 0}, {0}, UNIVERSAL(1, 0, 0, -20, 60, 0, 0, 1, -40, 30)},
	{"hook", "boom", {0, 1.24, 0}, {0, 1.5, 0}, BALL(-35, 35, -30, 30, -40, 40)},
	{"stick-1", "base", {0.36, 0.52, 0}, {0}, UNIVERSAL(0.6, 0, 0.8, -30, 35, 0.8, 0, -0.6, -40, 20)},
	{"stick-2", "stick-1", {0.36, 0.88, 0}, {0.36, 1.25, 0}, UNIVERSAL(0.48, 0.6, 0.64, -35, 30, -0.36, 0.8, -0.48, -20, 45)},
};
static const limb_row gimbals_limbs[] = {
	{"base", 0, BOX(0.56, 0.16, 0.26), {{0, 0.3, 0, 0.05}}},
	{"base lever-1 lever-2", 0.06, FLAT(1, 1, 0.8),
		{{-0.36, 0.40, 0, 0.11}, {-0.36, 0.52, 0, 0.08}, {-0.36, 0.70, 0, 0.07}, {-0.36, 0.88, 0, 0.07}, {-0.36, 1.02, 0, 0.06},
			{-0.36, 1.17, 0, 0.06}}},
	{"base mast boom hook", 0.06, FLAT(1, 1, 0.85),
		{{0, 0.40, 0, 0.11}, {0, 0.52, 0, 0.085}, {0, 0.70, 0, 0.075}, {0, 0.90, 0, 0.075}, {0, 1.06, 0, 0.065},
			{0, 1.24, 0, 0.065}, {0, 1.44, 0, 0.06}}},
	{"base stick-1 stick-2", 0.06, FLAT(0.8, 1, 1),
		{{0.36, 0.40, 0, 0.11}, {0.36, 0.52, 0, 0.08}, {0.36, 0.70, 0, 0.07}, {0.36, 0.88, 0, 0.07}, {0.36, 1.02, 0, 0.06},
			{0.36, 1.17, 0, 0.06}}},
};

/* A machine whose joints depend on each other: a crank turns two wheels, one backwards and faster,
   one slower, which stands 10 degrees further on than the rest pose has it; a finger bends in its
   three joints at once. A lever moves on its own. */
static const bone_row machine_bones[] = {
	{"base", NULL, {0, 0.36, 0}, {0}, BALL(-8, 8, -20, 20, -8, 8)},
	{"crank", "base", {-0.36, 0.3, 0.36}, {-0.36, 0.3, 0.52}, HINGE(0, 0, 1, -80, 80)},
	{"wheel-1", "base", {0, 0.3, 0.36}, {0, 0.3, 0.52}, HINGE_LIKE(0, 0, 1, 120, -120, "crank")},
	{"wheel-2", "base", {0.36, 0.3, 0.36}, {0.36, 0.3, 0.52}, HINGE_LIKE(0, 0, 1, -30, 50, "crank")},
	{"finger-1", "base", {-0.3, 0.52, 0}, {0}, HINGE(1, 0, 0, 0, 60)},
	{"finger-2", "finger-1", {-0.3, 0.80, 0}, {0}, HINGE_LIKE(1, 0, 0, 0, 48, "finger-1")},
	{"finger-3", "finger-2", {-0.3, 1.04, 0}, {-0.3, 1.25, 0}, HINGE_LIKE(1, 0, 0, 0, 75, "finger-1")},
	{"lever-1", "base", {0.3, 0.52, 0}, {0}, HINGE(1, 0, 0, -35, 45)},
	{"lever-2", "lever-1", {0.3, 0.88, 0}, {0.3, 1.25, 0}, HINGE(0, 0, 1, -50, 30)},
	{"mast", "base", {0, 0.52, 0}, {0}, HINGE(0, 1, 0, -60, 40)},
	{"boom", "mast", {0, 0.90, 0}, {0}, HINGE(1, 0, 0, -20, 70)},
	{"hook", "boom", {0, 1.24, 0}, {0, 1.5, 0}, BALL(-35, 35, -30, 30, -40, 40)},
};
static const limb_row machine_limbs[] = {
	{"base", 0, BOX(0.5, 0.16, 0.26), {{0, 0.3, 0, 0.05}}},
	{"base finger-1 finger-2 finger-3", 0.06, ROUND,
		{{-0.3, 0.40, 0, 0.10}, {-0.3, 0.52, 0, 0.075}, {-0.3, 0.66, 0, 0.068}, {-0.3, 0.80, 0, 0.066}, {-0.3, 0.92, 0, 0.058},
			{-0.3, 1.04, 0, 0.058}, {-0.3, 1.18, 0, 0.05}}},
	{"base lever-1 lever-2", 0.06, ROUND,
		{{0.3, 0.40, 0, 0.11}, {0.3, 0.52, 0, 0.08}, {0.3, 0.70, 0, 0.07}, {0.3, 0.88, 0, 0.07}, {0.3, 1.02, 0, 0.06},
			{0.3, 1.17, 0, 0.06}}},
	{"base mast boom hook", 0.06, FLAT(1, 1, 0.85),
		{{0, 0.40, 0, 0.11}, {0, 0.52, 0, 0.085}, {0, 0.70, 0, 0.075}, {0, 0.90, 0, 0.075}, {0, 1.06, 0, 0.065},
			{0, 1.24, 0, 0.065}, {0, 1.44, 0, 0.06}}},
	{"crank", 0, FLAT(1, 1, 0.5), {{-0.38, 0.3, 0.42, 0.12}, {-0.34, 0.32, 0.42, 0.12}}},
	{"crank", 0.01, ROUND, {{-0.36, 0.38, 0.46, 0.03}, {-0.36, 0.38, 0.54, 0.03}}},
	{"wheel-1", 0, FLAT(1, 1, 0.5), {{0, 0.3, 0.42, 0.12}, {0.02, 0.29, 0.42, 0.12}}},
	{"wheel-1", 0.01, ROUND, {{0.06, 0.3, 0.46, 0.03}, {0.06, 0.3, 0.52, 0.03}}},
	{"wheel-2", 0, FLAT(1, 1, 0.5), {{0.36, 0.3, 0.42, 0.15}, {0.36, 0.31, 0.42, 0.15}}},
	{"wheel-2", 0.01, ROUND, {{0.36, 0.4, 0.46, 0.03}, {0.36, 0.4, 0.54, 0.03}}},
};

/* Two four-bar linkages on a wall, whose joints form loops. A crank turns by full circles and
   swings a rocker, which a coupler pulls; two levers of one length lift a plate, which stays
   level. */
static const bone_row linkage_bones[] = {
	{"wall", NULL, {0, 0.6, 0}, {0}, BALL(-8, 8, -20, 20, -8, 8)},
	{"crank", "wall", {-0.62, 0.5, 0.095}, {0}, HINGE_ROUND(0, 0, 1)},
	{"coupler", "crank", {-0.55, 0.61, 0.185}, {-0.2, 0.8, 0.185}, HINGE(0, 0, 1, 0, 0)},
	{"rocker", "wall", {-0.14, 0.5, 0.095}, {-0.2, 0.8, 0.185}, HINGE(0, 0, 1, 0, 0)},
	{"lever-1", "wall", {0.2, 0.45, 0.095}, {0}, HINGE(0, 0, 1, -50, 40)},
	{"plate", "lever-1", {0.2, 0.85, 0.185}, {0.56, 0.85, 0.185}, HINGE_LIKE(0, 0, 1, 50, -40, "lever-1")},
	{"lever-2", "wall", {0.56, 0.45, 0.095}, {0.56, 0.85, 0.185}, HINGE_LIKE(0, 0, 1, -50, 40, "lever-1")},
};
static const limb_row linkage_limbs[] = {
	{"wall", 0, BOX(0.8, 0.5, 0.08), {{0, 0.6, 0, 0.04}}},
	{"crank", 0, FLAT(1, 1, 0.6), {{-0.62, 0.5, 0.14, 0.05}, {-0.55, 0.61, 0.14, 0.05}}},
	{"coupler", 0, FLAT(1, 1, 0.6), {{-0.55, 0.61, 0.23, 0.05}, {-0.2, 0.8, 0.23, 0.05}}},
	{"rocker", 0, FLAT(1, 1, 0.6), {{-0.14, 0.5, 0.14, 0.05}, {-0.2, 0.8, 0.14, 0.05}}},
	{"lever-1", 0, FLAT(1, 1, 0.6), {{0.2, 0.45, 0.14, 0.05}, {0.2, 0.85, 0.14, 0.05}}},
	{"plate", 0, FLAT(1, 1, 0.6), {{0.2, 0.85, 0.23, 0.05}, {0.56, 0.85, 0.23, 0.05}}},
	{"lever-2", 0, FLAT(1, 1, 0.6), {{0.56, 0.45, 0.14, 0.05}, {0.56, 0.85, 0.14, 0.05}}},
};
static const linkage_row linkage_linkages[] = {
	{"crank", "coupler", "rocker", {-0.2, 0.8, 0.185}},
	{"lever-1", "plate", "lever-2", {0.56, 0.85, 0.185}},
};

/* A crane whose arm turns and gets longer in two stages, a drawer with a handle that turns, and a
   ram that slides on a slant. */
static const bone_row slides_bones[] = {
	{"base", NULL, {0, 0.3, 0}, {0}, BALL(-8, 8, -20, 20, -8, 8)},
	{"mast", "base", {-0.2, 0.6, 0}, {0}, HINGE(0, 1, 0, -60, 40)},
	{"boom", "mast", {-0.2, 0.98, 0}, {0}, HINGE(0, 0, 1, -20, 50)},
	{"stage-1", "boom", {0.2, 0.98, 0}, {0}, SLIDE(1, 0, 0, -0.1, 0.25)},
	{"stage-2", "stage-1", {0.55, 0.98, 0}, {1, 0.98, 0}, SLIDE(1, 0, 0, -0.08, 0.2)},
	{"drawer", "base", {0.12, 0.3, 0.14}, {0}, SLIDE(0, 0, 1, -0.04, 0.22)},
	{"handle", "drawer", {0.12, 0.3, 0.44}, {0.12, 0.46, 0.44}, HINGE(0, 0, 1, -70, 70)},
	{"ram", "base", {0.41, 0.46, 0.01}, {0.41, 0.75, 0.225}, SLIDE(0, 0.8, 0.6, -0.06, 0.2)},
};
static const limb_row slides_limbs[] = {
	{"base", 0, BOX(0.5, 0.28, 0.36), {{0, 0.3, 0, 0.05}}},
	{"mast", 0, ROUND, {{-0.2, 0.68, 0, 0.1}, {-0.2, 0.88, 0, 0.1}}},
	{"boom", 0, ROUND, {{-0.2, 0.98, 0, 0.1}, {0.1, 0.98, 0, 0.1}, {0.42, 0.98, 0, 0.1}}},
	{"stage-1", 0, ROUND, {{0, 0.98, 0, 0.07}, {0.35, 0.98, 0, 0.07}, {0.72, 0.98, 0, 0.07}}},
	{"stage-2", 0, ROUND, {{0.36, 0.98, 0, 0.045}, {0.68, 0.98, 0, 0.045}, {1, 0.98, 0, 0.045}}},
	{"drawer", 0, BOX(0.16, 0.12, 0.2), {{0.12, 0.3, 0.24, 0.02}}},
	{"handle", 0, ROUND, {{0.12, 0.3, 0.48, 0.035}, {0.12, 0.46, 0.48, 0.035}}},
	{"ram", 0, ROUND, {{0.41, 0.22, -0.17, 0.055}, {0.41, 0.46, 0.01, 0.055}, {0.41, 0.70, 0.19, 0.055}}},
};

/* ---- build ---- */

void ossai_gimbals_build(ossai_creature *creature) { ADD_TABLES(creature, gimbals, false); }

void ossai_machine_build(ossai_creature *creature) { ADD_TABLES(creature, machine, true); }

void ossai_slides_build(ossai_creature *creature) { ADD_TABLES(creature, slides, true); }

void ossai_linkage_build(ossai_creature *creature)
{
	ADD_TABLES(creature, linkage, true);
	for (size_t i = 0; i < sizeof linkage_linkages / sizeof linkage_linkages[0]; i++)
		ossai_creature_add_linkage(creature, &linkage_linkages[i]);
}
