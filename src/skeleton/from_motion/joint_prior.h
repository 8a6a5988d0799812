/* skeleton/from_motion/joint_prior.h: where a joint is by shape alone: at the center of the limb's
   cross section where the weights of both of its sides are equal.

   Place in the path: weights, tree -> here -> joint_posterior, moving_inside.
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
   nothing blends (rigid pieces) the prior is around `shape` (B), in all directions by the size of
   the smaller of the two bones, by `doubt` at most. Errors: OSSA_ERROR_MEMORY. Cost: bones x
   faces. */
ossa_status ossai_joint_priors_make(ossa_context *context, const ossai_posed_surface *surface,
	const ossai_bone_weights *weights, const ossai_tree *tree, const ossai_vec3 *shape, double doubt, ossai_joint_prior *prior);

/* The prior of a section of this center and radius; `along`: the limb's direction there, of length
   1, or zero: it is not known. */
ossai_joint_prior ossai_joint_prior_of_section(ossai_vec3 center, double radius, ossai_vec3 along);

/* The same deviation in all directions. */
ossai_joint_prior ossai_joint_prior_around(ossai_vec3 center, double deviation);

/* A section of a smaller radius (diagonals) is a point and says nothing. */
#define OSSAI_LEAST_SECTION 1e-6

/* B: the RMS distance of what a bone moves from its center, by weight; the arena's, NULL where
   memory ends. */
double *ossai_bone_sizes(ossai_arena *arena, const ossai_posed_surface *surface, const ossai_bone_weights *weights);

/* The deviation of a joint of two bones between which there is no section: the size of the smaller
   one, `most` at most, and where that is a point or nothing. */
double ossai_joint_doubt(const double *size, uint32_t a, uint32_t b, double most);

/* The squared distance of a point from the mean in standard deviations (Mahalanobis). */
double ossai_joint_prior_distance2(const ossai_joint_prior *prior, ossai_vec3 x);

/* By so many standard deviations a joint is pulled hardest: what is farther may be an exception. */
#define OSSAI_JOINT_PULLED 2

/* How unlikely a joint is at x: the negative logarithm of the density, 0 at the mean. Of Student's
   t with 4 degrees of freedom, as artists' joints are: many near the center, some far from it. */
double ossai_joint_surprise(const ossai_joint_prior *prior, ossai_vec3 x);

/* The negative logarithm of the likelihood of a hierarchy with this sum of squared errors, but for
   a constant: with the surprises of its joints it is the energy (negative log posterior) by which
   hierarchies of the same number of bones are compared. Errors are those of the model, skin that is
   not exactly blended from rigid bones: alike over the vertices of a bone and over the poses, so
   that they count as three independent vectors a bone, whatever the numbers of vertices and poses.
   Their variance is not known, but errors of a percent of the diagonal are less and less likely
   to be accepted as the model's: where bones are far too few, no place of a joint is worth them. */
double ossai_hierarchy_surprise(double error, double vertices, size_t poses, size_t bones);

#endif
