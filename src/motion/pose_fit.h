/* motion/pose_fit.h: the rotations of a hierarchy in single poses.

   Place in the path: subtree_moments -> here -> hierarchy.
   With joints c_b at rest and A_ib the weight of the whole subtree of b at vertex i, a posed vertex
   of a hierarchy of constant bone lengths is linear in the bones' world rotations (methods: the
   common rig):
     x_i = g + sum_b R_b y_ib,   y_ib = a_ib p_i - A_ib c_b + sum_{children d of b} A_id c_d,
   and the y do not depend on the pose. So all fits need only N_bc = sum y_b y_c^T and
   Y_b = sum y_b v^T, which follow from the moments. N_bc is 0 where the subtrees of b and c share
   no vertex: of bones on different limbs. The translation g of the root's joint is the last
   unknown: eliminating it first would couple all bones. */
#ifndef OSSAI_MOTION_POSE_FIT_H
#define OSSAI_MOTION_POSE_FIT_H

#include "math/cholesky.h"
#include "motion/subtree_moments.h"

typedef struct ossai_hierarchy {
	const ossai_tree *tree;
	ossai_vec3 *joint; /* B, rest, normalised; the root's has no effect on the fit */
	/* of tree and joints, which stay symmetric where joints move; NULL: none */
	const struct ossai_symmetry *symmetry;
} ossai_hierarchy;

/* Fits of single poses, for callers that choose the initial rotations. Sums of y are for all poses
   of the moments. */
typedef struct ossai_pose_fit {
	const ossai_hierarchy *hierarchy;
	const ossai_subtree_moments *sums;
	/* row b lists the bones with N_bc, ascending, without itself; those below b come before
	   `middle` (B) */
	size_t *row; /* B + 1 */
	size_t *middle;
	uint32_t *other;
	double *n;    /* 9 for each entry of the rows: N_bc */
	double *self; /* B x 9: N_bb */
	double *y;    /* K x B x 9: Y_b */
	double *mean; /* B x 3: mean of y_b */
	double trace; /* of all N_bb */
	int sweeps, newton;
	bool is_stiff;
	size_t moving_count;     /* bones that are fitted */
	uint32_t *moving;        /* ascending */
	uint32_t *place;         /* B: its block in the normal equations; OSSA_NONE: fixed */
	ossai_skyline equations; /* children before their parent, g last */
	size_t scratch_size;     /* doubles of scratch that a fit of OSSAI_LANES poses needs */
} ossai_pose_fit;

/* What to fit; zeros and NULL: of all bones nothing. */
typedef struct ossai_pose_fit_plan {
	const uint8_t *moving; /* B: bones that are fitted; NULL: all */
	int sweeps;            /* closed-form rounds over the bones */
	int newton;            /* Gauss-Newton steps after them, of all bones together */
	/* of each joint: the weight of |R_b - R_parent|^2, as a number of vertices moved by one
	   diagonal: a bone whose rotation its vertices do not determine then rotates with its parent
	   and children */
	double stiffness;
	/* B: at rest, unit: the axis about which a bone turns against its parent, zero: any; or NULL.
	   |R_b axis - R_parent axis|^2 counts with this weight, in the unit of stiffness: turns off
	   the axis are as small as it is large */
	const ossai_vec3 *hinge;
	double hinge_weight;
} ossai_pose_fit_plan;

/* Sums and hierarchy must stay; arrays are the arena's. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_pose_fit_begin(ossai_arena *arena, const ossai_subtree_moments *sums, const ossai_hierarchy *hierarchy,
	const ossai_pose_fit_plan *plan, ossai_pose_fit *fit);

/* Improves the B world rotations r[i] of up to OSSAI_LANES poses (or starts: a pose may be there
   more than once), each as if it were alone. The squared errors, including stiffness, never rise;
   `error` (count, or NULL) receives them. Allocates nothing and may run in any thread. */
void ossai_pose_fit_rotations(
	const ossai_pose_fit *fit, size_t count, const size_t *pose, ossai_mat3 *const *r, double *error, double *scratch);

/* The bones' motions for rotations in a pose: rigid[b * stride]. */
void ossai_pose_fit_store(const ossai_pose_fit *fit, size_t pose, const ossai_mat3 *r, ossai_rigid *rigid, size_t stride);

#endif
