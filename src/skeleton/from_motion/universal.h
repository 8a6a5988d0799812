/* skeleton/from_motion/universal.h: joints that turn about two axes, one after the other.

   Place in the path: motion of two bones -> here -> joint_kind.c.
   Input: motions of two bones.
   Output: the axes that suit them best, and how far the turns are off.
   The turn of a universal joint is R(a, s) R(b, t): about an axis a of the parent and an axis b of
   the child, square to a at rest. With c = a x b and the unit quaternion (v, w) of a turn, that is
   so exactly where
     w (c v) = (a v) (b v);
   twice the difference of both sides is sin(u) cos(t) of R(a, s) R(b, t) R(c, u): to first order
   the angle by which the turn is off all that the joint can make. Its square is of degree two in
   the products of the four numbers: summed over the poses once, it costs the same for any axes. */
#ifndef OSSAI_SKELETON_FROM_MOTION_UNIVERSAL_H
#define OSSAI_SKELETON_FROM_MOTION_UNIVERSAL_H

#include "weights/bone_weights.h"

typedef struct ossai_universal {
	ossai_vec3 first, second; /* unit, at rest, square to each other */
	double square;            /* mean of the squared angle off the joint, radians */
} ossai_universal;

/* The least squares over all axes, of bone b against a. Deterministic; the direction of the axes
   means nothing. */
ossai_universal ossai_universal_fit(const ossai_bone_motion *motion, uint32_t a, uint32_t b);

#endif
