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

/* The same for the bones that `moving` (B) marks; the others stay where they are, bit for bit, and
   so does the root's joint unless the root moves too. Nothing may hang on a bone that moves and
   stay itself. */
ossa_status ossai_hierarchy_fit_some(ossa_context *context, const ossai_moments *moments, const ossai_hierarchy *hierarchy,
	const uint8_t *moving, int sweeps, int newton, ossai_bone_motion *motion);

/* Fits of single poses, for whoever chooses where each begins. The sums of y are for all poses of
   the moments. */
typedef struct ossai_pose_fit {
	const ossai_hierarchy *hierarchy;
	ossai_subtree_moments sums;
	double *n;    /* B x B x 9: sum y_b y_c^T */
	double *y;    /* K x B x 9: sum y_b v^T */
	double *mean; /* B x 3: mean of y_b */
	int sweeps, newton;
	bool is_stiff;
	size_t moving_count;    /* bones that are fitted */
	uint32_t *moving;       /* rising */
	const ossai_vec3 *root; /* K: where the root's joint is held; NULL: free */
	size_t scratch_size;    /* doubles that a fit works in */
} ossai_pose_fit;

/* `stiffness` of each joint: what |R_b - R_parent|^2 costs, as so many vertices moved by one
   diagonal: a bone whose vertices do not tell how it turns then turns with those that it hangs
   between. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_pose_fit_begin(ossai_arena *arena, const ossai_moments *moments, const ossai_hierarchy *hierarchy, int sweeps,
	int newton, double stiffness, ossai_pose_fit *fit);

/* Improves the B world rotations in `r`, as ossai_hierarchy_fit does. Makes no memory and may run
   in any thread. */
void ossai_pose_fit_rotations(const ossai_pose_fit *fit, size_t pose, ossai_mat3 *r, double *scratch);

/* The squared error of rotations in a pose, with what stiffness costs. */
double ossai_pose_fit_error(const ossai_pose_fit *fit, size_t pose, const ossai_mat3 *r);

/* The bones' motions for rotations in a pose: rigid[b * stride]. */
void ossai_pose_fit_place(const ossai_pose_fit *fit, size_t pose, const ossai_mat3 *r, ossai_rigid *rigid, size_t stride);

/* Moves the joints to where the vertices want them with the rotations as they are, each held to
   `anchor` as by `hold` vertices that cost one squared unit per unit of distance in every pose, by
   half as many where it is 1 % of the diagonal away before the call, and so on: repeated calls make
   it pay for the distance rather than its square, so that joints stay but for those that have much
   to gain. A hinge is also held along its axis, of which its motion hardly speaks, unless `hold` is
   0. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_hierarchy_place_joints(ossa_context *context, const ossai_moments *moments, ossai_hierarchy *hierarchy,
	const ossai_bone_motion *motion, const ossai_vec3 *anchor, double hold);

/* The same for the joints of bones that `movable` (B) marks, the others and the root's where they
   are. */
ossa_status ossai_hierarchy_place_some(ossa_context *context, const ossai_moments *moments, ossai_hierarchy *hierarchy,
	const ossai_bone_motion *motion, const uint8_t *movable, const ossai_vec3 *anchor, double hold);

#endif
