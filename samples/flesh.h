/* samples/flesh.h: a creature's flesh as a field over space: below 0 inside, 0 on the skin, above 0
   outside.

   Place in the path: creature -> field -> surface nets (skin.c) and weights. Round cones (hulls of
   two balls) along each limb, melted together; every value is a lower bound of the distance to the
   skin, so that empty space can be skipped. */
#ifndef OSSA_SAMPLES_FLESH_H
#define OSSA_SAMPLES_FLESH_H

#include "base/context.h"
#include "samples/creature.h"

enum {
	/* cones between two points of a limb */
	CURVE_STEPS = 12,
	FLESH_CONES = CREATURE_LIMBS * (LIMB_POINTS - 1) * CURVE_STEPS /* most */
};

/* A round cone from `a` along `direction` in its limb's scaled space. */
typedef struct flesh_cone {
	ossai_vec3 a, direction;
	double length, radius;
	/* the radius shrinks by `slope` per length; lean = slope / sqrt(1 - slope^2) */
	double slope, lean;
	double arc; /* arc length of `a` along the limb */
	int limb;
} flesh_cone;

/* Where a limb's flesh passes from one of its bones to the next. */
typedef struct flesh_crossing {
	ossai_vec3 joint, normal;
	/* weights change within `width` of the plane; beyond `reach` of arc the side is certain */
	double arc, width, reach;
} flesh_crossing;

typedef struct flesh_limb {
	ossai_vec3 unscale; /* world -> the limb's space, where cross-sections are round */
	double scale;       /* the limb's distances -> lower bounds of the world's */
	ossai_vec3 box;     /* half sizes less the edges' radius, where `is_box` */
	bool is_box;
	double blend;
	int piece;
	int bone_count;
	int bones[LIMB_BONES];
	flesh_crossing crossings[LIMB_BONES];
} flesh_limb;

typedef struct ossai_flesh {
	const ossai_creature *creature;
	int limb_count;
	flesh_limb *limbs;
	size_t cone_count;
	flesh_cone *cones; /* in the order of their limbs */
	double blend;      /* the widest */
	double area;       /* of all cones' sides: about the skin's */
} ossai_flesh;

/* Makes the field; cones are at least `thinnest` thick, so that a coarse grid cannot miss them. The
   arrays are the arena's. */
ossa_status ossai_flesh_build(const ossai_creature *creature, double thinnest, ossai_arena *arena, ossai_flesh *flesh);

/* The field of the cones `list` (ascending) at p; `gradient` may be NULL. Far from all of them:
   1e30. */
double ossai_flesh_at(const ossai_flesh *flesh, const uint16_t *list, size_t count, ossai_vec3 p, ossai_vec3 *gradient);

/* Keeps those cones of `list` that can matter within `radius` of p, where the field has the value
   `field`. */
size_t ossai_flesh_cull(
	const ossai_flesh *flesh, const uint16_t *list, size_t count, ossai_vec3 p, double radius, double field, uint16_t *kept);

/* The true weights of a point of the skin: one per bone, sum 1. Bones with weight lie on one path
   down the tree: never two legs, never two fingers. */
void ossai_flesh_weights(const ossai_flesh *flesh, const uint16_t *list, size_t count, ossai_vec3 p, double *weights);

#endif
