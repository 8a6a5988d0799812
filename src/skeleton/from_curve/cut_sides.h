/* skeleton/from_curve/cut_sides.h: which bones meet where a loop of the shape was cut.

   Place in the path: curve/tree, curve_bones -> here -> limb_weights, rig. */
#ifndef OSSAI_SKELETON_FROM_CURVE_CUT_SIDES_H
#define OSSAI_SKELETON_FROM_CURVE_CUT_SIDES_H

#include "skeleton/from_curve/curve_bones.h"

/* the bone nearest to the cut, and the one on its other side */
typedef struct ossai_cut_sides {
	uint32_t bones[2];
} ossai_cut_sides;

/* One for each of the curve's cuts; an array of the arena. The other side is the bone that is close
   to the cut in space but distant from the first one through the tree; with a single bone both
   sides are its own. Cost: cuts x bones x depth. */
ossa_status ossai_cut_sides_find(
	ossai_arena *arena, const ossai_curve *curve, const ossai_curve_bones *bones, ossai_cut_sides **sides);

#endif
