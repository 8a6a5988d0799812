/* skeleton/from_motion/joint_posterior.h: where a joint is by motion and by shape: a Gaussian.

   Place in the path: joint_prior, motion of free bones -> here -> hierarchy, rig.
   Input: motions of two bones, how sure they are, a prior.
   Output: mean and covariance of the joint's position.
   In pose k the gap at x is e = D x + d, D and d the differences of the two bones' motions. Its
   covariance is that of the two motions at x, each known from the vertices of its bone, and a model
   error, the same in all poses: skin is not exactly blended from rigid bones. The poses are
   correlated, and a model error does not average out: all of them together count as one
   (docs/examples.md says what else was tried). */
#ifndef OSSAI_SKELETON_FROM_MOTION_JOINT_POSTERIOR_H
#define OSSAI_SKELETON_FROM_MOTION_JOINT_POSTERIOR_H

#include "skeleton/from_motion/joint_prior.h"

/* What a bone's motion is known from: its vertices by the squares of their weights, and their
   error. */
typedef struct ossai_bone_core {
	double weight; /* sum of squares */
	ossai_vec3 center;
	double turn[9]; /* the inverse of the inertia about the center */
	double *noise;  /* K: mean squared error of a coordinate */
} ossai_bone_core;

/* Errors of neighbouring vertices are alike: so many count as one. */
#define OSSAI_CORRELATED_VERTICES 10
/* The least error of the model, a share of the diagonal: below it a gap means nothing. */
#define OSSAI_LEAST_ERROR 1e-4

/* Fills core (B); noise is the arena's. Errors: OSSA_ERROR_MEMORY. Cost: V x influences x K. */
ossa_status ossai_bone_cores_make(ossai_arena *arena, const ossai_posed_surface *surface, const ossai_bone_weights *weights,
	const ossai_bone_motion *motion, ossai_bone_core *core);

/* The variance of the gap of two bones at x, the sum of those along three axes, mean over the
   poses: by the errors of their vertices, and as if all vertices of a bone were off together by
   what means nothing. Both bones move vertices. core: B. */
double ossai_gap_variance(const ossai_bone_core *core, uint32_t a, uint32_t b, size_t pose_count, ossai_vec3 x);

typedef struct ossai_joint_posterior {
	ossai_vec3 mean;
	double precision[9], covariance[9];
} ossai_joint_posterior;

/* core: B. */
ossai_joint_posterior ossai_joint_posterior_find(
	const ossai_bone_motion *motion, const ossai_bone_core *core, uint32_t a, uint32_t b, const ossai_joint_prior *prior);

#endif
