/* motion/tree_search.h: re-parents bones where the whole hierarchy then fits better.

   Place in the path: tree, joints -> here -> the hierarchy's alternation.
   Input: a tree, the bone graph, moments.
   Output: a tree of lower error.

   A joint that fits its two bones well can still be the wrong edge of the tree: what counts is the
   energy of all bones together, of the hierarchy's error and of how unlikely its joints are by
   shape. A foot that no joint in the leg can follow does not make one outside of it likely. With
   moments the cost of a trial does not depend on the vertices. */
#ifndef OSSAI_MOTION_TREE_SEARCH_H
#define OSSAI_MOTION_TREE_SEARCH_H

#include "motion/hierarchy.h"
#include "skeleton/from_motion/joint_prior.h"
#include "skeleton/from_motion/joints.h"
#include "weights/symmetry.h"

/* Tries to make bones the children of others that they share a pair of the graph with, the most
   promising joints first and as many as keep the cost low, and makes the changes that each lower
   the energy (joint_prior.h). `tree` and `joint` (B, the caller's, also the hierarchy's) are
   changed in place; `joint_of_pair` gives the joint of a new edge, `prior_of_pair` where it is by
   shape. Evaluated on at most 8 of the poses, evenly sampled. symmetry: of the tree and the graph,
   which each change keeps; or NULL.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. */
ossa_status ossai_tree_search(ossa_context *context, const ossai_moments *moments, const ossai_bone_graph *graph,
	const ossai_joint *joint_of_pair, const ossai_joint_prior *prior_of_pair, const ossai_bone_motion *motion, double hold,
	const ossai_symmetry *symmetry, ossai_tree *tree, ossai_vec3 *joint);

#endif
