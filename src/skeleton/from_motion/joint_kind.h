/* skeleton/from_motion/joint_kind.h: what kind of joint two bones have, by their motion.

   Place in the path: hierarchy's motion, joint_posterior's cores -> here -> rig.
   Input: motions of two bones, how sure their turns are.
   Output: welded, hinge, universal or ball; axes.
   The turn of pose k is the vector v = 2 sin(angle / 2) axis: about a fixed axis all of them are on
   one line, however far they turn, and an error of a small angle across the axis moves v by that
   angle. Model of rank d: v is normal, with covariance S + N, S of rank d, N the known covariance
   of errors. In units of N, with the eigenvalues l of the second moment of v, its likelihood is
   largest where S has the d largest of them less 1 (Tipping & Bishop, Probabilistic Principal
   Component Analysis, JRSS B 61, 1999). Of d = 0 ... 3 the least of Akaike's criterion is taken, as
   errors of a model are alike over the poses, so that these together count as one
   (joint_posterior.h):
     sum_{i <= d} (1 + log max(l_i, 1)) + sum_{i > d} l_i + 2 p,  p = 0, 3, 5, 6 numbers in S.
   So a second axis is one about which the bones turn 2.6 times as much as they are unsure.
   A universal joint (universal.h) is a surface of turns that bends through all three dimensions. It
   is compared with the best rank by the same criterion: its two angles have the two largest l, the
   third angle, off the joint, is an error, and there are p = 6 numbers, 3 of axes and 3 of the
   covariance of two angles. As its three numbers of axes suit three poses of anything, it counts
   the motion's N independent frames (independent_poses.h): the mean square of the third angle is
   multiplied by N / (N - 3), and that a ball, whose turns are off any plane by l_3, kept to such a
   surface in N - 3 poses by chance must be unlikely: (N - 3) log(1 + l_3) > 6, strong evidence (R.
   Kass, A. Raftery, Bayes Factors, JASA 90, 1995). */
#ifndef OSSAI_SKELETON_FROM_MOTION_JOINT_KIND_H
#define OSSAI_SKELETON_FROM_MOTION_JOINT_KIND_H

#include "skeleton/from_motion/joint_posterior.h"

/* Twice the logarithm of a likelihood ratio from which evidence is strong: Kass & Raftery. */
#define OSSAI_STRONG_EVIDENCE 6.0

/* The covariance of the errors of turns of one bone against the other, mean over the poses, square
   radians in the axes of the rest: by the errors of their vertices (joint_posterior.h), and as if
   all vertices of a bone were off together by what means nothing. core: B. */
void ossai_turn_noise(const ossai_bone_core *core, uint32_t a, uint32_t b, size_t pose_count, double noise[9]);

/* The same where nothing is known of them but their lengths, in diagonals. */
void ossai_turn_noise_of_lengths(double a, double b, double noise[9]);

/* The standard deviation of the turns of a joint of this kind, degrees: of a hinge about its axis,
   else about any, mean of the squares. */
double ossai_turn_deviation(const double noise[9], ossa_joint_kind kind, ossai_vec3 axis);

/* How many independent frames the motion of a tree of bones has (independent_poses.h). parent,
   core: by bone. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_independent_poses_of(
	ossai_arena *arena, const ossai_bone_motion *motion, const uint32_t *parent, const ossai_bone_core *core, double *poses);

/* How bone b turns against a. */
typedef struct ossai_turning {
	const ossai_bone_motion *motion;
	uint32_t a, b;
	double poses; /* independent ones of the whole motion */
} ossai_turning;

/* WELDED, HINGE, UNIVERSAL or BALL; axis: unit, at rest: of a hinge the first, of a universal joint
   both, that of the parent first; else 0. A ball that moved about one axis only is a hinge as far
   as the motion shows: in one pose everything is. A joint that turns by more than 2 degrees (RMS),
   though by no more than it is unsure, is a ball: nothing is known of it. */
ossa_joint_kind ossai_joint_kind_find(const ossai_turning *turning, const double noise[9], ossai_vec3 axis[2]);

#endif
