/* skeleton/from_curve/limb_weights.h: removes weight bleeding: no vertex follows two limbs.

   Place in the path: weights, tree -> here -> rig. */
#ifndef OSSAI_SKELETON_FROM_CURVE_LIMB_WEIGHTS_H
#define OSSAI_SKELETON_FROM_CURVE_LIMB_WEIGHTS_H

#include "skeleton/from_curve/cut_sides.h"
#include "weights/bone_weights.h"

/* Of two bones of different limbs (tree_chains.h) at most one keeps a weight at a vertex. Each
   passes as much weight to its parent as the largest bone of another limb has, or all it has, until
   no two are left. So weight moves towards the common ancestors of both limbs, a smooth transition
   between limbs stays smooth through the body, and a vertex that nearly follows one limb still
   does. The largest weights that fit are kept, in descending order, with sum 1. Vertices without
   such bones keep theirs bit by bit. Where a loop of the shape was cut (`sides`, of `cut_count`)
   the limbs on both sides are connected: bones that are closer to each other over the cut than
   through the tree share the skin there.
   Errors: OSSA_ERROR_MEMORY.  Cost: linear; where limbs meet times cuts and depth. */
ossa_status ossai_limb_weights_part(
	ossa_context *context, const ossai_tree *tree, size_t cut_count, const ossai_cut_sides *sides, ossai_bone_weights *weights);

#endif
