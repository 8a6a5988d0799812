/* skeleton/naming/plan_tree.h: the tree of a body's plan for the bones of a rig from motion.

   Place in the path: names of bones (rest_parts.h) -> here -> methods/moving_plan.
   Input: bones whose parts are known; the bones of the rest shape's rig, in the plan's tree.
   Output: a parent for each of our bones, and which of them are beside the plan.

   Programs for humanoids want each segment of a limb as one bone, below the one before. As much of
   the rig's own tree stays as agrees with that. Of several bones of a part the one with which most
   of that tree can stay is it, then the one with most of the part's skin; others are helpers: they
   bend or twist a segment that goes on beside them. The spine are those of its bones that bear
   more than half of neck and arms, clavicle and neck what bears an arm and the head. */
#ifndef OSSAI_SKELETON_NAMING_PLAN_TREE_H
#define OSSAI_SKELETON_NAMING_PLAN_TREE_H

#include "skeleton/naming/shared_skin.h"

typedef struct ossai_plan_tree {
	uint32_t *parent;   /* B; OSSA_NONE at the hips */
	bool is_new;        /* bones are joined that the rig's own tree does not join */
	uint8_t *is_helper; /* B: of a part that another bone stands for */
	int *number;        /* B: in its part, 0 where the plan has one; not of helpers */
} ossai_plan_tree;

/* rest: of a human, its hips first; root: which of ours is the hips. Arrays are the arena's.
   Errors: OSSA_ERROR_MEMORY. Cost: B^2 R. */
ossa_status ossai_plan_tree_find(
	ossai_arena *arena, const ossa_skeleton *rest, const ossai_shared_skin *skin, uint32_t root, ossai_plan_tree *found);

#endif
