/* skeleton/from_curve/curve_inside.h: moves joints that lie outside of the shape inside.

   Place in the path: below skeleton/from_curve/curve_bones.
   Input: bones with joints.
   Output: the same, with joints inside where that is possible. */
#ifndef OSSAI_SKELETON_FROM_CURVE_CURVE_INSIDE_H
#define OSSAI_SKELETON_FROM_CURVE_CURVE_INSIDE_H

#include "skeleton/from_curve/curve_bones.h"

/* Moves each joint that the proxy, where it is closed, does not enclose towards the nearest node of
   the curve that it does enclose, by no more than is needed. Merged junctions and the beginnings of
   limbs may lie in the gap between two limbs. Errors: OSSA_ERROR_MEMORY.
   Cost: that of a tree of winding numbers, and one of them for each node and joint. */
ossa_status ossai_curve_bones_keep_inside(
	ossai_arena *scratch, const ossai_proxy *proxy, const ossai_curve *curve, ossai_curve_bones *bones);

#endif
