/* edit/plan_parts.h: what the files that make a planned rig share. */
#ifndef OSSAI_EDIT_PLAN_PARTS_H
#define OSSAI_EDIT_PLAN_PARTS_H

#include "edit/plan.h"

/* A plan while it is executed. Bones are numbered as in the new rig. */
typedef struct ossai_replan {
	ossai_arena *arena;
	const ossai_tree_plan *plan;
	ossai_edit_state *state;
	const ossa_rig *old; /* the rig as it was: the state's, until its parts are replaced */
	size_t count;
	double diagonal;
	bool is_free;           /* a face: its bones move freely, under any parent */
	uint32_t *rank;         /* of planned bones: their number */
	uint32_t *planned;      /* and back */
	ossa_bone *bones;       /* the new ones; parents are numbers */
	uint8_t *turns_alike;   /* it rotates against its parent as before: same two motions */
	uint8_t *has_same_axes; /* and in the same frames */
	uint8_t *is_reshaped;   /* without motion: its segment has changed */
} ossai_replan;

static inline const ossai_planned_bone *ossai_planned(const ossai_replan *r, size_t bone)
{
	return &r->plan->bones[r->planned[bone]];
}

/* The motion of the new bones. Fills kinds, axes and turns of those that rotate differently from
   the rig's own clip. Warnings: "bones-slide". */
ossa_status ossai_replan_clip(const ossai_replan *r, const ossa_clip *old, bool is_free, ossa_clip **clip);
ossa_status ossai_replan_judge(const ossai_replan *r);

/* Fills is_reshaped: weights of a rig without motion follow from the segments of its bones, from
   their joints to their children's or to their tails. */
ossa_status ossai_replan_shapes(const ossai_replan *r);

/* The weights of the new bones, in place: where the parts of the divided bone do not both fit, the
   larger takes the weight. */
ossa_status ossai_replan_weights(const ossai_replan *r, ossa_weights *weights);

/* the new index of the bone that takes over a bone as it was */
static inline uint32_t ossai_new_bone(const ossai_replan *r, size_t old_bone) { return r->rank[r->plan->successor[old_bone]]; }

/* Moves loops, dependent bones and levels to the new bones. Warnings: "loops-dropped",
   "dependencies-dropped". Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_replan_links(const ossai_replan *r);

/* Moves the marks of stale bones (plan_marks.c). Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_replan_marks(const ossai_replan *r);

/* Moves the constraints; old_ids: of the bones as they were. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_replan_holds(const ossai_replan *r, const uint32_t *old_ids);

#endif
