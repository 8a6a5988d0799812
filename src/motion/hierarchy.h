/* motion/hierarchy.h: one rotation per joint and one translation at the root: the motion an
   animator can edit.

   Place in the path: moments, tree, joints -> here -> refine, rig.
   Rotations are fitted pose by pose (pose_fit.h), joints for all poses at once. Who fits a tree
   several times to the same weights makes its sums once (subtree_moments.h). */
#ifndef OSSAI_MOTION_HIERARCHY_H
#define OSSAI_MOTION_HIERARCHY_H

#include "motion/pose_fit.h"

/* Improves the rotations in `motion` and the root's translation for given weights and joints, then
   makes all translations follow the tree. `sweeps` closed-form sweeps over the bones, then `newton`
   Gauss-Newton steps where they lower the error (none in trees that make them costly: several
   hundred bones in a chain). The error never rises from that of the hierarchy with the rotations
   that come in; `error` (or NULL) receives it, summed over the poses. Poses run in parallel.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_hierarchy_fit(ossa_context *context, const ossai_subtree_moments *sums, const ossai_hierarchy *hierarchy,
	int sweeps, int newton, ossai_bone_motion *motion, double *error);

/* The same for the bones that `moving` (B, or NULL: all) marks, with the squared error of each pose
   (K, or NULL), which rounding may make negative. */
ossa_status ossai_hierarchy_fit_part(ossa_context *context, const ossai_subtree_moments *sums, const ossai_hierarchy *hierarchy,
	const uint8_t *moving, int sweeps, int newton, ossai_bone_motion *motion, double *error);

/* The sum of the squared errors of so many poses. */
static inline double ossai_error_of_poses(size_t count, const double *error)
{
	double sum = 0;
	for (size_t k = 0; k < count; k++) sum += ossai_larger(error[k], 0);
	return sum;
}

/* ossai_hierarchy_fit for the bones that `moving` (B, or NULL: all) marks; the others keep their
   motion, bit for bit, and so does the root's joint unless the root moves too. The descendants of a
   bone that moves must be marked too. */
ossa_status ossai_hierarchy_fit_some(ossa_context *context, const ossai_moments *moments, const ossai_hierarchy *hierarchy,
	const uint8_t *moving, int sweeps, int newton, ossai_bone_motion *motion);

/* Moves the joints to their least-squares positions for the given rotations. A penalty pulls each
   joint to `anchor`: its weight is that of `hold` vertices, one squared unit per unit of distance
   in every pose, half of that where the joint is 1 % of the diagonal away before the call, and so
   on. Repeated calls so make the penalty linear in the distance rather than quadratic: most joints
   stay, and those with much to gain move. A hinge is also penalised along its axis, where its
   motion hardly determines the joint, unless `hold` is 0. movable: B, or NULL: joints that are not
   marked stay, as the root's does. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_hierarchy_place_joints(ossa_context *context, const ossai_subtree_moments *sums, ossai_hierarchy *hierarchy,
	const ossai_bone_motion *motion, const uint8_t *movable, const ossai_vec3 *anchor, double hold);

/* The same for the joints of bones that `movable` (B) marks; the others and the root's are
   fixed. */
ossa_status ossai_hierarchy_place_some(ossa_context *context, const ossai_moments *moments, ossai_hierarchy *hierarchy,
	const ossai_bone_motion *motion, const uint8_t *movable, const ossai_vec3 *anchor, double hold);

#endif
