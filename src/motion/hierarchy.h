/* motion/hierarchy.h: one rotation per joint and one translation at the root: the motion an
   animator can edit.

   Place in the path: moments, tree, joints -> here -> refine, rig.
   With joints c_b at rest and A_ib the weight of the whole subtree of b at vertex i, a posed vertex
   of a hierarchy of constant bone lengths is linear in the bones' world rotations (methods: the
   common rig):
     x_i = g + sum_b R_b y_ib,   y_ib = a_ib p_i - A_ib c_b + sum_{children d of b} A_id c_d,
   and the y do not depend on the pose. So all fits need only sums of y y^T and y v^T, which follow
   from the moments. */
#ifndef OSSAI_MOTION_HIERARCHY_H
#define OSSAI_MOTION_HIERARCHY_H

#include "motion/subtree_moments.h"

typedef struct ossai_hierarchy {
	const ossai_tree *tree;
	ossai_vec3 *joint; /* B, rest, normalised; the root's has no effect on the fit */
} ossai_hierarchy;

/* Improves the rotations in `motion` and the root's translation for given weights and joints, then
   makes all translations follow the tree. `sweeps` closed-form sweeps over the bones, then, for up
   to 150 bones, `newton` Gauss-Newton steps where they lower the error. The error never rises from
   that of the hierarchy with the rotations that come in. Poses run in parallel. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_hierarchy_fit(ossa_context *context, const ossai_moments *moments, const ossai_hierarchy *hierarchy,
	int sweeps, int newton, ossai_bone_motion *motion);

/* The same for the bones that `moving` (B) marks; the others keep their motion, bit for bit, and so
   does the root's joint unless the root moves too. The descendants of a bone that moves must be
   marked too. */
ossa_status ossai_hierarchy_fit_some(ossa_context *context, const ossai_moments *moments, const ossai_hierarchy *hierarchy,
	const uint8_t *moving, int sweeps, int newton, ossai_bone_motion *motion);

/* Fits of single poses, for callers that choose the initial rotations. The sums of y are for all
   poses of the moments. */
typedef struct ossai_pose_fit {
	const ossai_hierarchy *hierarchy;
	ossai_subtree_moments sums;
	double *n;    /* B x B x 9: sum y_b y_c^T */
	double *y;    /* K x B x 9: sum y_b v^T */
	double *mean; /* B x 3: mean of y_b */
	int sweeps, newton;
	bool is_stiff;
	size_t moving_count;    /* bones that are fitted */
	uint32_t *moving;       /* ascending */
	const ossai_vec3 *root; /* K: fixed positions of the root's joint; NULL: free */
	size_t scratch_size;    /* doubles of scratch that a fit needs */
} ossai_pose_fit;

/* `stiffness` of each joint: the weight of |R_b - R_parent|^2, as a number of vertices moved by one
   diagonal: a bone whose rotation its vertices do not determine then rotates with its parent and
   children. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_pose_fit_begin(ossai_arena *arena, const ossai_moments *moments, const ossai_hierarchy *hierarchy, int sweeps,
	int newton, double stiffness, ossai_pose_fit *fit);

/* Improves the B world rotations in `r`, as ossai_hierarchy_fit does. Allocates nothing and may run
   in any thread. */
void ossai_pose_fit_rotations(const ossai_pose_fit *fit, size_t pose, ossai_mat3 *r, double *scratch);

/* The squared error of rotations in a pose, including stiffness. */
double ossai_pose_fit_error(const ossai_pose_fit *fit, size_t pose, const ossai_mat3 *r);

/* The bones' motions for rotations in a pose: rigid[b * stride]. */
void ossai_pose_fit_store(const ossai_pose_fit *fit, size_t pose, const ossai_mat3 *r, ossai_rigid *rigid, size_t stride);

/* Moves the joints to their least-squares positions for the given rotations. A penalty pulls each
   joint to `anchor`: its weight is that of `hold` vertices, one squared unit per unit of distance
   in every pose, half of that where the joint is 1 % of the diagonal away before the call, and so
   on. Repeated calls so make the penalty linear in the distance rather than quadratic: most joints
   stay, and those with much to gain move. A hinge is also penalised along its axis, where its
   motion hardly determines the joint, unless `hold` is 0. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_hierarchy_place_joints(ossa_context *context, const ossai_moments *moments, ossai_hierarchy *hierarchy,
	const ossai_bone_motion *motion, const ossai_vec3 *anchor, double hold);

/* The same for the joints of bones that `movable` (B) marks; the others and the root's are
   fixed. */
ossa_status ossai_hierarchy_place_some(ossa_context *context, const ossai_moments *moments, ossai_hierarchy *hierarchy,
	const ossai_bone_motion *motion, const uint8_t *movable, const ossai_vec3 *anchor, double hold);

#endif
