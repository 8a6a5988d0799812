/* skeleton/from_motion/joint_prior.h: where a joint is by shape alone: at the center of the limb's
   cross section where the weights of both of its sides are equal.

   Place in the path: weights, tree -> here -> joint_posterior.
   Input: weights, a tree.
   Output: a Gaussian for each joint, in the limb's own radius.
   The section is the contour on the surface where the weights of all bones from the joint on sum to
   one half: on a closed surface always closed curves, wherever its vertices are. */
#ifndef OSSAI_SKELETON_FROM_MOTION_JOINT_PRIOR_H
#define OSSAI_SKELETON_FROM_MOTION_JOINT_PRIOR_H

#include "skeleton/tree.h"
#include "weights/bone_weights.h"

typedef struct ossai_joint_prior {
	ossai_vec3 mean;
	double precision[9]; /* the inverse of the covariance */
	double radius;       /* mean distance of the section from its center; 0: there is no section */
} ossai_joint_prior;

/* Fills prior (B) for the joints of all bones but the root. Parts of the contour count by how much
   the joint's own two bones weigh there: a limb that branches elsewhere has other curves. Where
   nothing blends (rigid pieces) the prior is around `shape` (B), by the deviation `doubt` in all
   directions. Errors: OSSA_ERROR_MEMORY. Cost: bones x faces. */
ossa_status ossai_joint_priors_make(ossa_context *context, const ossai_posed_surface *surface,
	const ossai_bone_weights *weights, const ossai_tree *tree, const ossai_vec3 *shape, double doubt, ossai_joint_prior *prior);

#endif
