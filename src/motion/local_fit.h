/* motion/local_fit.h: a part of a hierarchy, some bones around one, whose rotations and joints are
   fitted while all others keep their rotations.

   Place in the path: subtree_moments -> here -> methods/moving_inside.
   Input: a hierarchy, its sums over vertices, and a motion that follows it.
   Output: the same sums for the bones of the part alone: what ossai_hierarchy_fit_part and
   ossai_hierarchy_place_joints take, at a cost that does not depend on the bones of the whole.
   With y_ib of pose_fit.h a posed vertex is x_i = g + sum_b R_b y_ib. Bones at the border of
   the part keep their rotations, so that every bone that rotates has its children and its parent in
   it. The terms of all others are constant and leave the targets, v_i' = v_i - sum R_b y_ib. A
   change of a joint moves everything below it, and the errors are those of all vertices. The root
   of the part keeps its motion unless it is the tree's and rotates. Its joint is at 0: then
   rotations and joints are fitted to the same targets. */
#ifndef OSSAI_MOTION_LOCAL_FIT_H
#define OSSAI_MOTION_LOCAL_FIT_H

#include "motion/hierarchy.h"

typedef struct ossai_local_fit {
	size_t count;             /* S bones */
	uint32_t *bone;           /* S: of the whole, in the order of its tree */
	ossai_tree tree;          /* S */
	ossai_vec3 *joint;        /* S: the first is 0 */
	uint8_t *moving;          /* S: bones that rotate */
	ossai_bone_motion motion; /* S x K: as in the whole, to begin with */
	ossai_moments moments;    /* pairs alone */
	ossai_subtree_moments sums;
} ossai_local_fit;

/* Marks the bones at most so many edges from one (near: B), by 1 and the edges that are left: by 1
   those at the border. Returns how many. Cost: B. */
size_t ossai_local_bones(const ossai_tree *tree, uint32_t bone, size_t steps, uint8_t *near);

/* Makes the part of the bones that ossai_local_bones marked. `motion` follows joints and
   tree, with the best translation; error (K): the squared error of each pose in it. Arrays are the
   arena's; the whole's sums and `fit` must stay where they are. Errors: OSSA_ERROR_MEMORY. Cost:
   S x K x the bones that share vertices with those of the part. */
ossa_status ossai_local_fit_make(ossai_arena *arena, const ossai_subtree_moments *sums, const ossai_hierarchy *hierarchy,
	const ossai_bone_motion *motion, const double *error, const uint8_t *near, ossai_local_fit *fit);

/* Gives the joints and rotations of the part to the whole, and makes all translations follow. */
void ossai_local_fit_give(const ossai_local_fit *fit, const ossai_hierarchy *hierarchy, ossai_bone_motion *motion);

#endif
