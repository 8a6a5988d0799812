/* skeleton/from_motion/variance_joints.h: joints as the points whose distances from the skin
   around them have the least variance over time.

   Place in the path: boundary graph, tree, parts' motion -> here -> bone lengths, hierarchy.
   Input: parts, their motion, seeds.
   Output: a joint for each edge of the tree.
   Source: de Aguiar, Theobalt, Thrun, Seidel, Automatic Conversion of Mesh Animations into
   Skeleton-based Animations, Eurographics 2008: for patches A (nearer the root) and B
     J(c) = mean_{a of A} sigma_t |c_t - a_t| + mean_{b of B} sigma_t |c_t - b_t| + alpha |c - b_r|,
     c_t = T_A,t c,
   with seeds a, b on the skin, T_A,t the motion of A and b_r the centroid of the boundary curve;
   rest is a frame like the poses. Sigma is the standard deviation: the text speaks of a variance,
   but then alpha would have a unit (with lengths in diagonals 0.05 would hold every joint at b_r).
   Departure: a part of fewer than three seeds gets more, evenly from its vertices. */
#ifndef OSSAI_SKELETON_FROM_MOTION_VARIANCE_JOINTS_H
#define OSSAI_SKELETON_FROM_MOTION_VARIANCE_JOINTS_H

#include "skeleton/from_motion/joints.h"
#include "skeleton/tree.h"

typedef struct ossai_variance_evidence {
	const ossai_posed_surface *surface;
	const ossai_bone_graph *graph; /* of ossai_boundary_graph_make */
	const ossai_tree *tree;
	const ossai_bone_motion *motion; /* of the parts */
	size_t seed_count;
	const uint32_t *seed_vertex;  /* seed_count */
	const uint32_t *part_of_seed; /* seed_count; OSSA_NONE: none */
} ossai_variance_evidence;

/* Fills a joint for each pair of the graph: by J where the tree uses the pair, else the prior; with
   residual, prior_distance, spread and axis. A pair that does not turn stays at its prior.
   alpha: 0.05, a share of lengths. Tree edges run in parallel.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.  Cost: Levenberg-Marquardt of about ten steps,
   each seeds x poses (the square root in J has no closed form); 20 joints, 24 seeds a part, 175
   poses: 0.02 s. */
ossa_status ossai_variance_joints_fit(
	ossa_context *context, const ossai_variance_evidence *evidence, double alpha, ossai_joint *joint_of_pair);

/* joint: B, the tree's joints at rest (the root's and those without a pair: their part's center);
   position: B x K, their positions under the parent's motion (the root's own). */
void ossai_joint_paths(const ossai_bone_graph *graph, const ossai_tree *tree, const ossai_joint *joint_of_pair,
	const ossai_bone_motion *motion, ossai_vec3 *joint, ossai_vec3 *position);

#endif
