/* samples/creature_rows.h: creatures as tables: a row a bone, a row a limb.

   Place in the path: tables (creatures.c, machines.c) -> here -> creature. Names that end in "-l"
   stand for two: the right side is mirrored. */
#ifndef OSSA_SAMPLES_CREATURE_ROWS_H
#define OSSA_SAMPLES_CREATURE_ROWS_H

#include "samples/creature.h"

/* a bone of a table; tail for bones without children only */
typedef struct bone_row {
	const char *name, *parent;
	double joint[3], tail[3]; /* the root's joint: the center of its own skin, as in every rig */
	double hinge[3];          /* axis of a hinge; 0 for a ball, which turns about x, y, z */
	double low[3], high[3];   /* degrees; of a hinge the first, of a universal joint two */
	const char *like;         /* the bone whose motion this one repeats */
	double second[3];         /* second axis of a universal joint; else 0 */
	bool goes_round;          /* a hinge that turns by a full circle */
	bool slides;              /* along the axis that a hinge has, by units in place of degrees */
} bone_row;

// clang-format off
#define HINGE(x, y, z, low, high) {x, y, z}, {low}, {high}, NULL, {0}, false, false
#define HINGE_ROUND(x, y, z) {x, y, z}, {0}, {360}, NULL, {0}, true, false
#define HINGE_LIKE(x, y, z, low, high, like) {x, y, z}, {low}, {high}, like, {0}, false, false
#define UNIVERSAL(x0, y0, z0, low0, high0, x1, y1, z1, low1, high1)                                                            \
	{x0, y0, z0}, {low0, low1}, {high0, high1}, NULL, {x1, y1, z1}, false, false
#define SLIDE(x, y, z, low, high) {x, y, z}, {low}, {high}, NULL, {0}, false, true
#define BALL(x0, x1, y0, y1, z0, z1) {0}, {x0, y0, z0}, {x1, y1, z1}, NULL, {0}, false, false
// clang-format on

/* a four-bar linkage of a table */
typedef struct linkage_row {
	const char *crank, *coupler, *rocker;
	double pin[3];
} linkage_row;

/* a twist bone of a table, on one side; its axis is along it, and the skin comes to it from
   another twist bone, `skin_below`, or NULL: its parent */
typedef struct twist_row {
	const char *bone, *driver, *skin_below;
	double ratio;
} twist_row;

/* flesh of a table, in the order in which it melts together */
typedef struct limb_row {
	const char *bones; /* in order along the points, separated by blanks */
	double blend;
	double flat[3]; /* scale of the cross-section along the axes */
	/* half sizes of a box around the first point, whose edges have its radius; 0 for none */
	double box[3];
	/* there is one on the other side too, as of all limbs with bones of a side */
	bool has_image;
	double points[LIMB_POINTS][4]; /* x y z radius, up to the first radius 0 */
} limb_row;

// clang-format off
#define ROUND {1, 1, 1}, {0}, false
#define FLAT(x, y, z) {x, y, z}, {0}, false
#define PAIR(x, y, z) {x, y, z}, {0}, true
#define BOX(x, y, z) {1, 1, 1}, {x, y, z}, false
// clang-format on

/* Adds a row's bone on one side; the bones of rows on both. Parents come first in a table. */
void ossai_creature_add_bone(ossai_creature *creature, const bone_row *row, bool right);
void ossai_creature_add_bones(ossai_creature *creature, const bone_row *rows, size_t count);

/* Adds flesh, whose bones are there already. `pieces`: a row that melts into nothing before it
   starts a closed surface of its own, on each side it has. */
void ossai_creature_add_limbs(ossai_creature *creature, const limb_row *rows, size_t count, bool pieces);

/* Adds a linkage of bones that are there already. */
void ossai_creature_add_linkage(ossai_creature *creature, const linkage_row *row);

/* Makes a hinge that is there already a twist bone. */
void ossai_creature_add_twist(ossai_creature *creature, const twist_row *row);

/* Puts a bone below another one as far as its skin goes; that comes first. */
void ossai_creature_skin_below(ossai_creature *creature, const char *name, const char *above);

/* Fills an empty creature with the tables of a name. */
#define ADD_TABLES(creature, name, pieces)                                                                                     \
	ossai_creature_add_bones(creature, name##_bones, sizeof name##_bones / sizeof name##_bones[0]);                            \
	ossai_creature_add_limbs(creature, name##_limbs, sizeof name##_limbs / sizeof name##_limbs[0], pieces)

/* Puts the tail of each bone with children at the mean of their joints. */
void ossai_creature_place_tails(ossai_creature *creature);

#endif
