/* skeleton/from_motion/independent_poses.h: how many independent poses a motion has.

   Place in the path: turns of joints -> here -> joint_kind.c, find_dependencies.c.
   Input: how joints turn in frames.
   Output: a number from 1 to that of the joints that turn on their own.
   The participation ratio (sum e)^2 / sum e^2 of the eigenvalues e of the correlation of the
   joints' turns, rest pose included. Turns that are as small as they are unsure count as little.
   One motion in many frames has few poses, however many frames these are. */
#ifndef OSSAI_SKELETON_FROM_MOTION_INDEPENDENT_POSES_H
#define OSSAI_SKELETON_FROM_MOTION_INDEPENDENT_POSES_H

#include "math/vec.h"

/* Poses by which independent ones are counted, evenly spaced: more hold no more of them. */
enum { OSSAI_COUNTED_POSES = 256 };

/* turns: pose_count x joint_count vectors v = 2 sin(angle / 2) axis, changed; one of the poses is
   the rest pose, in which all are 0, and joints that are not to count turn in none. variance: by
   joint, of the errors of its turns, square radians. Cost: joints x the square of poses. */
double ossai_independent_poses(size_t pose_count, size_t joint_count, ossai_vec3 *turns, const double *variance);

/* The same without what few joints make of it. N above is at most M, the participation ratio that
   the joints would have if none correlated with another; joints that move independently in T
   independent poses correlate by chance, so that 1 / N = 1 / M + 1 / T. Answers T, which is at most
   pose_count, and N where there are too few joints to correlate. */
double ossai_independent_frames(size_t pose_count, size_t joint_count, ossai_vec3 *turns, const double *variance);

#endif
