/* skeleton/from_curve/curve_inside.h: joints that lie outside of the shape, brought inside.

   Place in the path: inside curve_bones.  In: bones whose joints are placed.  Out: the same, none outside that can be helped. */
#ifndef OSSAI_SKELETON_FROM_CURVE_CURVE_INSIDE_H
#define OSSAI_SKELETON_FROM_CURVE_CURVE_INSIDE_H

#include "skeleton/from_curve/curve_bones.h"

/* Moves each joint that the proxy, where it is closed, does not enclose towards the nearest node of the curve that it does enclose, no farther
   than needed. Branchings made one, and limbs that begin beside them, leave hollow places between limbs. Errors: OSSA_ERROR_MEMORY.
   Cost: of the tree of winding numbers, and one of them for each node and joint. */
ossa_status ossai_curve_bones_keep_inside(
	ossai_arena *scratch, const ossai_proxy *proxy, const ossai_curve *curve, ossai_curve_bones *bones);

#endif
