/* motion/refine.h: weights and bones made to fit each other, in turns; bones too many pruned.

   Place in the path: first weights and motion of the clusters -> here -> tree, joints, hierarchy.
   Source: Le & Deng 2012, 2014 for the alternation. Departure: bone motion on moments, weights chosen from the bones near by,
   and pruning: begin with more bones than wanted, remove the one that is missed least, alternate, again. */
#ifndef OSSAI_MOTION_REFINE_H
#define OSSAI_MOTION_REFINE_H

#include "motion/hierarchy.h"

/* What is being fitted: weights and motion are improved in place. */
typedef struct ossai_fit {
	ossa_context *context;
	const ossai_posed_surface *surface;
	ossai_bone_weights weights;
	ossai_bone_weights spare;      /* room for the next weights */
	ossai_bone_motion motion;
	double *range_sums;            /* scratch of ossai_blend_error */
	double *slot_cost;             /* scratch, V x width */
} ossai_fit;

/* Takes the arrays of a fit of at most `bone_count` bones from the arena. */
ossa_status ossai_fit_new(ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface, size_t bone_count,
	size_t influences, ossai_fit *fit);
void ossai_fit_copy(const ossai_fit *from, ossai_fit *to);

/* Sum of squared errors of the fit as it is. */
double ossai_fit_error(ossai_fit *fit);

/* Rounds of weights -> free bones until `rounds` are done or a round lowers the RMS by less than `least` of itself. */
ossa_status ossai_fit_alternate(ossai_fit *fit, int rounds, double least);

/* Removes bones one at a time, each time the one whose absence (weights solved again without it) costs least, with
   `rounds` of alternation after each, until `bones` are left. */
ossa_status ossai_fit_prune(ossai_fit *fit, size_t bones, int rounds);

/* Rounds of weights -> rotations (-> joints) of a hierarchy; see ossai_hierarchy_place_joints for `anchor` and `hold`. */
ossa_status ossai_fit_alternate_hierarchy(
	ossai_fit *fit, ossai_hierarchy *hierarchy, const ossai_vec3 *anchor, double hold, int rounds, double least);

#endif
