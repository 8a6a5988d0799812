/* motion/joint_system.h: the normal equations of all joints of a hierarchy but the root's.

   Place in the path: subtree_moments -> here -> place_joints.
   With A_id the weight of the subtree of bone d at vertex i, a posed vertex is
     x_i = g + sum_b R_b P_ib + sum_d A_id (R_parent - R_d) c_d,
   linear in the joints c and in the translation g of each pose. Joints d and e are coupled by
   sum A_d A_e, which is 0 where their subtrees share no vertex, and through g. With g eliminated
   first all joints are coupled: the system is dense. With g of every pose as an unknown behind the
   joints, and joints of children before their parent's, elimination fills in few blocks, and the
   cost is about linear in the bones. Few bones are cheaper in the first form. */
#ifndef OSSAI_MOTION_JOINT_SYSTEM_H
#define OSSAI_MOTION_JOINT_SYSTEM_H

#include "base/csr.h"
#include "math/cholesky.h"
#include "motion/subtree_moments.h"

typedef struct ossai_joint_system {
	const ossai_subtree_moments *sums;
	bool is_sparse;        /* translations are unknowns */
	uint32_t *place;       /* B: block of each bone; the root has none */
	ossai_skyline shape;   /* B - 1 joints, then the translations */
	double *h, *g;         /* normal equations, as ossai_skyline_solve_one takes them */
	const uint32_t *start; /* B + 1: of the tree's n-th bone in `coupled` */
	uint32_t *coupled;     /* as indices in the tree's order, from 1 to its own */
	ossai_csr points;      /* of each bone: the bones b with sum A_d P_b, rising */
	ossai_lanes *r;        /* B x 9: rotations of some poses, by bone */
	ossai_lanes *bend;     /* B x 9: R_parent - R_d, in the tree's order */
} ossai_joint_system;

typedef enum ossai_joint_form {
	OSSAI_JOINTS_CHEAPER,
	OSSAI_JOINTS_DENSE,
	OSSAI_JOINTS_SPARSE,
} ossai_joint_form;

/* Makes the equations for the rotations in `motion`; of at least two bones. Arrays are the arena's.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. */
ossa_status ossai_joint_system_make(ossai_arena *arena, const ossai_subtree_moments *sums, const ossai_bone_motion *motion,
	ossai_joint_form form, ossai_joint_system *system);

/* An entry of h, by two unknowns in either order; NULL where it is always 0. */
double *ossai_joint_system_entry(const ossai_joint_system *system, size_t i, size_t j);

#endif
