/* skeleton/from_motion/loop_joints.h: joints that the tree leaves out: loops.

   Place in the path: hierarchy, motion of free bones -> here -> the rig's loops.
   Input: motions of free bones, how sure they are, the bone graph, the tree.
   Output: pairs of bones that are no parent and child but have a joint.
   Of each pair of the graph that the tree has not, the joint's place x is found as of any joint
   (joint_posterior.h). It is one where
   - both motions agree on x in all poses within what is unsure: with s the mean square of the gap
     in units of its variance, s - 1 - log s < 2, where Akaike's criterion sees no motion in it;
   - x is where the bones meet: within two standard deviations (joint_prior.h) of the nearest place
     where their patches touch. Pieces may touch all along, and have the joint at one end;
   - the bones turn against each other, and at least three joints of the tree between them turn:
     three joints in a ring hold three bones in place, and what chains of three bones do alike, as
     a spine that bends evenly, is no joint;
   - other joints do not say so already: each way over joints of the tree, bones that touch and
     never turn against each other, and loops found before has one that moves x. And that x kept in
     place by chance in N independent poses, of which one places x, is unlikely:
     (N - 1) log(1 + s) > 6 + 2 log(pairs), s being that of the joint that moves x (strong evidence
     after the choice among all pairs; R. Kass, A. Raftery, Bayes Factors, JASA 90, 1995). */
#ifndef OSSAI_SKELETON_FROM_MOTION_LOOP_JOINTS_H
#define OSSAI_SKELETON_FROM_MOTION_LOOP_JOINTS_H

#include "skeleton/from_motion/bone_graph.h"
#include "skeleton/from_motion/joint_posterior.h"
#include "skeleton/tree.h"

typedef struct ossai_loop_search {
	const ossai_posed_surface *surface;
	const ossai_bone_motion *motion;
	const ossai_bone_core *core; /* B */
	const double *size;          /* B: ossai_bone_sizes */
	const ossai_bone_graph *graph;
	const ossai_joint_prior *prior; /* by pair of the graph */
	const ossai_tree *tree;
} ossai_loop_search;

typedef struct ossai_loop_joint {
	uint32_t a, b;
	ossai_vec3 place;
	double share; /* mean square of the gap in units of its variance */
} ossai_loop_joint;

/* Finds the loops, the surest first; the list is the arena's. Errors: OSSA_ERROR_MEMORY.
   Cost: pairs x poses, and for those that agree, joints x poses. */
ossa_status ossai_loop_joints_find(ossai_arena *arena, const ossai_loop_search *in, ossai_loop_joint **loops, size_t *count);

#endif
