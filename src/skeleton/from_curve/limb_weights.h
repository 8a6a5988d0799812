/* skeleton/from_curve/limb_weights.h: no vertex follows two limbs at once.

   Place in the path: weights, tree -> here -> rig. */
#ifndef OSSAI_SKELETON_FROM_CURVE_LIMB_WEIGHTS_H
#define OSSAI_SKELETON_FROM_CURVE_LIMB_WEIGHTS_H

#include "skeleton/from_curve/cut_sides.h"
#include "weights/bone_weights.h"

/* Of two bones that are apart (tree_chains.h) at most one keeps a weight at a vertex. Each gives its parent as much as the largest one
   apart from it has, or all it has, until no two are left: so weight goes towards what both limbs hang on, what goes over smoothly
   from one limb to another still does by way of the body, and what is nearly all one limb's stays nearly so. The largest that fit
   stay, falling, sum 1. Vertices without such bones keep theirs bit by bit.
   Where a loop of the shape was cut (`sides`, of `cut_count`) the limbs on both sides are one: their bones that are nearer to each other over the cut
   than through the tree share the skin there.
   Errors: OSSA_ERROR_MEMORY.  Cost: linear; where limbs meet times cuts and depth. */
ossa_status ossai_limb_weights_part(
	ossa_context *context, const ossai_tree *tree, size_t cut_count, const ossai_cut_sides *sides, ossai_bone_weights *weights);

#endif
