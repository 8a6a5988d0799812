/* edit/plan.h: a planned skeleton, described in bones of the present one, and the rig made from the
   plan.

   Place in the path: an edit of the tree -> here -> the state's rig: bones in order, weights,
   motion, loops, levels, marks, all of them. A planned bone follows the motion of one present bone:
   its source. */
#ifndef OSSAI_EDIT_PLAN_H
#define OSSAI_EDIT_PLAN_H

#include "edit/solve.h"
#include "edit/state.h"
#include "math/vec.h"

typedef struct ossai_planned_bone {
	ossa_bone bone;  /* parent: among the planned bones, in any order; -1 for the one root */
	uint32_t source; /* of the rig's bones: whose motion */
	uint32_t kept;   /* of the rig's bones: which one it is; OSSA_NONE: a new one */
	/* parents first, else by this: the index of a bone that stays, a half after it */
	double order;
	uint8_t stale;  /* in addition to its old marks */
	uint8_t level;  /* as ossa_rig.last_level has it */
	bool keep_tail; /* the tail stays, whatever children the bone has */
	/* without motion kind and axis are those of `bone` although its parent changes */
	bool keeps_kind;
	/* where +Y runs along the bone: the smallest rotation from the world's +Y, not from the old
	   frame */
	bool turn_again;
	bool is_placed; /* frame and limits are as given */
} ossai_planned_bone;

typedef struct ossai_tree_plan {
	size_t count, capacity;
	ossai_planned_bone *bones;
	/* B: the planned bone that takes over a bone's weights and its part in loops and constraints */
	uint32_t *successor;
	uint8_t *forgets; /* B: constraints of this bone follow it */
	/* a bone whose weights are split: `share` (V, 0 to 1) of them goes to the planned bone `half`
	   instead; NULL: none */
	uint32_t divided, half;
	float *share;
	bool may_slide;  /* bones may slide against their parents so that the motion does not change */
	bool makes_half; /* constraints of `divided` are those of both parts */
} ossai_tree_plan;

/* The present skeleton, with capacity for so many more bones. */
ossa_status ossai_tree_plan_begin(ossai_arena *arena, const ossai_edit_state *state, size_t more, ossai_tree_plan *plan);

/* Adds a bone after `after` (of the rig), with its properties and its parent, until they are
   changed. Returns its index. There must be capacity for it. */
uint32_t ossai_tree_plan_add(ossai_tree_plan *plan, const ossai_edit_state *state, uint32_t after);

/* Removes a planned bone: weights and children go to `heir`, also planned. */
void ossai_tree_plan_remove(ossai_tree_plan *plan, const ossai_edit_state *state, uint32_t bone, uint32_t heir);

/* Makes the state's rig from the plan. Warnings: what had to be dropped. After a failure the state
   must not be used any more. */
ossa_status ossai_tree_plan_apply(ossai_arena *arena, ossai_tree_plan *plan, ossai_edit_state *state);

#endif
