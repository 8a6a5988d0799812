/* skeleton/from_curve/limb_weights.h: removes weight bleeding: no vertex follows two limbs.

   Place in the path: weights, tree -> here -> rig.
   Input: weights and a tree of bones.
   Output: weights of one limb at each vertex. */
#ifndef OSSAI_SKELETON_FROM_CURVE_LIMB_WEIGHTS_H
#define OSSAI_SKELETON_FROM_CURVE_LIMB_WEIGHTS_H

#include "skeleton/from_curve/cut_sides.h"
#include "weights/bone_weights.h"

/* Of two bones of different limbs (ossai_bones_apart) at most one keeps a weight at a vertex. Each
   passes to its parent as much as the largest weight of another limb, or all that it has, until no
   two are left. So weight moves towards the common ancestor of the limbs; a smooth transition from
   one limb to another stays smooth and runs through the body, and a vertex of nearly one limb alone
   keeps nearly its weights. The largest that fit are kept, in falling order, with sum 1. Vertices
   without such bones keep their weights bit by bit. Where a loop of the shape was cut (`sides`, of
   `cut_count`), the limbs on both sides are one: bones that are closer over the cut than through
   the tree share the skin there. Errors: OSSA_ERROR_MEMORY.  Cost: linear; where limbs meet, times
   cuts and depth. */
ossa_status ossai_limb_weights_part(
	ossa_context *context, const ossai_tree *tree, size_t cut_count, const ossai_cut_sides *sides, ossai_bone_weights *weights);

#endif
