/* skeleton/from_motion/joints.h: where two bones meet: the point that moves least against both.

   Place in the path: bone graph, bones' motion -> here -> tree, hierarchy.
   Source: Schaefer & Yuksel 2007, section 5.2: min_x sum_k |X_1k x - X_2k x|^2, near a guess where
   the motion is silent. */
#ifndef OSSAI_SKELETON_FROM_MOTION_JOINTS_H
#define OSSAI_SKELETON_FROM_MOTION_JOINTS_H

#include "skeleton/from_motion/bone_graph.h"
#include <ossa/rig.h>

typedef struct ossai_joint {
	ossai_vec3 position;
	double residual;       /* RMS over poses of the distance between the two images of the joint */
	double prior_distance; /* how far the motion moved it from the guess */
	/* eigenvalues of mean D^T D, falling: how much the pair turns about the other two axes */
	double spread[3];
	ossai_vec3 axis;      /* direction of the smallest eigenvalue: the hinge's axis */
	ossa_joint_kind kind; /* by ossai_joint_judge; the fits leave it unknown */
} ossai_joint;

/* What the pair's motion tells of its joint whatever its place: fills spread, axis and kind. A
   joint that turns less than 2 degrees (RMS) is welded; one whose third axis sees less than 6 % of
   what the first does is a hinge. */
void ossai_joint_judge(const ossai_bone_motion *motion, uint32_t a, uint32_t b, ossai_joint *joint);

/* How silent the motion is on where along its axis a judged joint lies: from 1, a hinge that turns
   about nothing else, to 0, one that is no hinge. */
double ossai_joint_silence(const ossai_joint *joint);

/* How far a joint is believed to be from where the shape has it, as a standard deviation; below
   what noise of two bones' motion a gap between them means nothing; and what a way from that place
   costs next to the residual where one joint is to be better than another: see docs/examples.md for
   how they were found. Shares of the diagonal. */
#define OSSAI_JOINT_DOUBT 0.05
#define OSSAI_JOINT_NOISE 1e-4
#define OSSAI_JOINT_PRIOR_PRICE 0.1

/* What a joint's first place weighs when a hierarchy is refitted, as a share of all vertices. */
#define OSSAI_JOINT_HOLD 1e-4

/* The published fit: pseudo-inverse about the guess; eigenvalues below `tolerance` of the largest
   count as silent. */
ossai_joint ossai_joint_fit(const ossai_bone_motion *motion, uint32_t a, uint32_t b, ossai_vec3 prior, double tolerance);

/* The same with a soft belief instead of a cut: the guess counts as a measurement of the standard
   deviation `doubt` in every pose, the poses' own as measurements of deviation `noise` at least,
   else what is left of the residual. */
ossai_joint ossai_joint_fit_soft(
	const ossai_bone_motion *motion, uint32_t a, uint32_t b, ossai_vec3 prior, double doubt, double noise);

#endif
