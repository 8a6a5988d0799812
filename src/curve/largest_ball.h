/* curve/largest_ball.h: the largest ball inside a shape that holds a junction of its curve.

   Input: a junction's position, the radius of the limbs there, and their directions.
   Output: a ball. Junctions inside one body have about the same ball.
   Used by: curve/center, curve/junctions. */
#ifndef OSSAI_CURVE_LARGEST_BALL_H
#define OSSAI_CURVE_LARGEST_BALL_H

#include "curve/curve.h"
#include "query/clearance.h"

/* Most limbs at one junction that are considered. */
enum { OSSAI_JUNCTION_LIMBS = 16 };

typedef struct ossai_junction_size {
	double radius; /* mean of the limbs that meet */
	uint32_t count;
	ossai_vec3 limb[OSSAI_JUNCTION_LIMBS]; /* unit directions */
} ossai_junction_size;

/* Climbs from the node, away from the surface and along the limbs in both directions, in ever
   shorter steps, as long as the ball grows and holds the node. A node in a crotch, close to the
   surface, need not be held.  Cost: some ten queries of the clearance a limb. */
ossai_ball ossai_largest_ball(const ossai_clearance *clearance, const ossai_junction_size *size, ossai_vec3 node);

/* Fills curve->ball, where it is NULL: of junctions the largest ball, of other nodes that of their
   own radius. The array is the arena's.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_curve_find_balls(ossai_arena *arena, const ossai_clearance *clearance, ossai_curve *curve);

#endif
