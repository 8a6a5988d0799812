/* math/euler.h: rotations as three angles about the axes, for formats that know no quaternions.

   Place in the path: under limits and the writers of Maya and BVH.
   Input: unit quaternions.
   Output: degrees about x, y, z that stay near the angles before them, so that curves through them
   are smooth; and the order of the three turns that keeps them so. */
#ifndef OSSAI_MATH_EULER_H
#define OSSAI_MATH_EULER_H

#include "math/vec.h"

/* Which of the three turns comes first when read from the left of a product for column vectors: {2,
   1, 0} is Rz Ry Rx, which Maya and Blender call XYZ. A permutation of 0, 1, 2. */
typedef struct ossai_euler_order {
	int axis[3];
} ossai_euler_order;

/* The order of ossa_bone's limits: local = rest Rz Ry Rx. */
#define OSSAI_EULER_ZYX ((ossai_euler_order){{2, 1, 0}})

/* Degrees about x, y and z whose product in `order` is `turn` (unit): of all such triples the one
   nearest to `near` by the sum of squares. In gimbal lock, where a whole line of triples makes the
   same turn, the nearest point of that line. `near` and `degrees` are two arrays. */
void ossai_euler_near(ossai_quat turn, ossai_euler_order order, const double near[3], double degrees[3]);

/* The product of the three turns. */
ossai_quat ossai_euler_quat(const double degrees[3], ossai_euler_order order);

/* ---- orders ---- */

enum { OSSAI_EULER_ORDERS = 6, OSSAI_EULER_XYZ = 0, OSSAI_EULER_YXZ = 4 };

/* All orders, numbered and named as Maya's rotateOrder is: xyz yzx zxy xzy yxz zyx, the turn that
   is made first named first. */
extern const ossai_euler_order ossai_euler_orders[OSSAI_EULER_ORDERS];

/* How close the rotations so far came to each order's gimbal lock: the largest |sine| of its middle
   angle. Begin with zeros. */
typedef struct ossai_euler_locks {
	double sine[OSSAI_EULER_ORDERS];
} ossai_euler_locks;

void ossai_euler_watch(ossai_euler_locks *locks, ossai_quat turn);

/* The number of the order whose middle angle stayed farthest from +-90 degrees. `preferred` where
   that comes no nearer than 30 degrees, or no other order stays 5 degrees farther away, because
   every program supports the usual order best. */
int ossai_euler_choose(const ossai_euler_locks *locks, int preferred);

#endif
