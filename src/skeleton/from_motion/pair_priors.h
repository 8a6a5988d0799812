/* skeleton/from_motion/pair_priors.h: where the joint of any two bones is by shape, before there is
   a tree.

   Place in the path: weights, bone graph -> here -> tree_search.
   Input: weights, pairs of bones.
   Output: a Gaussian for each pair, as those of joint_prior.h.
   The section of two bones is the contour where both weigh the same, each of its parts by how much
   they do: where a third bone weighs more it hardly counts. Of two bones with others between them
   it is only a part of the limb's section, which is whole once the tree is known. */
#ifndef OSSAI_SKELETON_FROM_MOTION_PAIR_PRIORS_H
#define OSSAI_SKELETON_FROM_MOTION_PAIR_PRIORS_H

#include "skeleton/from_motion/bone_graph.h"
#include "skeleton/from_motion/joint_prior.h"

/* Fills prior (the graph's pair_count). Without a section it is around the pair's prior point.
   Errors: OSSA_ERROR_MEMORY. Cost: faces x pairs of bones on a face. */
ossa_status ossai_pair_priors_make(ossa_context *context, const ossai_posed_surface *surface, const ossai_bone_weights *weights,
	const ossai_bone_graph *graph, double doubt, ossai_joint_prior *prior);

#endif
