/* math/euler.h: rotations as three angles about the axes, for formats that know no quaternions.

   Place in the path: under limits and the writers of Maya and BVH.  In: unit quaternions.  Out: degrees about x, y, z that stay
   near the angles before them, so that curves through them are smooth. */
#ifndef OSSAI_MATH_EULER_H
#define OSSAI_MATH_EULER_H

#include "math/vec.h"

/* Which of the three turns comes first when read from the left of a product for column vectors: {2, 1, 0} is Rz Ry Rx, which
   Maya and Blender call XYZ. A permutation of 0, 1, 2. */
typedef struct ossai_euler_order {
	int axis[3];
} ossai_euler_order;

/* The order of ossa_bone's limits: local = rest Rz Ry Rx. */
#define OSSAI_EULER_ZYX ((ossai_euler_order){{2, 1, 0}})

/* Degrees about x, y and z whose product in `order` is `turn` (unit): of all such triples the one nearest to `near` by the sum of
   squares. In gimbal lock, where a whole line of triples makes the same turn, the nearest point of that line. `near` and
   `degrees` are two arrays. */
void ossai_euler_near(ossai_quat turn, ossai_euler_order order, const double near[3], double degrees[3]);

/* The product of the three turns. */
ossai_quat ossai_euler_quat(const double degrees[3], ossai_euler_order order);

#endif
