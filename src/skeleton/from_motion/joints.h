/* skeleton/from_motion/joints.h: the joint of two bones: the point that moves least relative to
   both.

   Place in the path: bone graph, bones' motion -> here -> tree, hierarchy.
   Input: the motions of two bones, a prior.
   Output: a point, its residual, how much they turn about which axes.
   Source: Schaefer & Yuksel 2007, section 5.2: min_x sum_k |X_1k x - X_2k x|^2, near a prior where
   the motion does not determine x. */
#ifndef OSSAI_SKELETON_FROM_MOTION_JOINTS_H
#define OSSAI_SKELETON_FROM_MOTION_JOINTS_H

#include "skeleton/from_motion/bone_graph.h"
#include <ossa/rig.h>

typedef struct ossai_joint {
	ossai_vec3 position;
	/* RMS over poses of the distance between the joint's positions under the two motions */
	double residual;
	double prior_distance; /* distance from the prior */
	/* eigenvalues of mean D^T D, descending: how much the pair rotates about the other two axes */
	double spread[3];
	ossai_vec3 axis; /* direction of the smallest eigenvalue: the axis about which it turns most */
} ossai_joint;

/* Measures the pair's turns, independent of the joint's position: fills spread and axis. */
void ossai_joint_measure_turns(const ossai_bone_motion *motion, uint32_t a, uint32_t b, ossai_joint *joint);

/* How little turns of this spread determine the joint's position along its axis, whatever its kind
   is: from 1, turns about the axis only, to 0 where the third eigenvalue has 6 % of the first, and
   where it hardly turns at all. */
double ossai_joint_silence(const double spread[3]);

/* The standard deviation of a joint from its prior; the noise of two bones' motion, below which a
   gap between them means nothing; and the penalty of the distance from the prior relative to the
   residual where joints are compared: docs/examples.md says how they were found. Shares of the
   diagonal. */
#define OSSAI_JOINT_DOUBT 0.05
#define OSSAI_JOINT_NOISE 1e-4
#define OSSAI_JOINT_PRIOR_PRICE 0.1

/* The weight of a joint's first position when a hierarchy is refitted, as a share of all
   vertices. */
#define OSSAI_JOINT_HOLD 1e-4

/* The published fit: pseudo-inverse about the prior; eigenvalues below `tolerance` of the largest
   are ignored. */
ossai_joint ossai_joint_fit(const ossai_bone_motion *motion, uint32_t a, uint32_t b, ossai_vec3 prior, double tolerance);

/* The same as a maximum a posteriori estimate instead of a cutoff: the prior counts as a
   measurement of the standard deviation `doubt` in every pose, the poses' own as measurements of
   deviation `noise` at least, else of the remaining residual. */
ossai_joint ossai_joint_fit_soft(
	const ossai_bone_motion *motion, uint32_t a, uint32_t b, ossai_vec3 prior, double doubt, double noise);

#endif
