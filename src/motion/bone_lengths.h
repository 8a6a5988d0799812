/* motion/bone_lengths.h: projects joint positions over time onto those of a skeleton of constant
   bone lengths.

   Place in the path: joints over time -> here -> descent.
   Input: joint positions in every pose.
   Output: joint positions of constant bone lengths, and the lengths.
   Source: de Aguiar, Theobalt, Thrun, Seidel, Automatic Conversion of Mesh Animations into
   Skeleton-based Animations, Eurographics 2008: from the root outwards the positions nearest to
   those found and one length,
     S(x_t, l) = sum_t |x_t - c_t|^2  with  |x_t - parent_t| = l,
   whose minimum is closed: l is the mean distance to the parent, x_t lies on the ray from the
   parent through c_t.
   Departures: the printed form has the lengths as a second term, which only halves their drift. */
#ifndef OSSAI_MOTION_BONE_LENGTHS_H
#define OSSAI_MOTION_BONE_LENGTHS_H

#include "math/vec.h"
#include "skeleton/tree.h"

/* joint (B, rest) and position (B x K) go in as found and come out with constant lengths; the rest
   pose is a frame like the others. length: B, from the parent's joint to the bone's own, 0 for the
   root. Where a joint coincides with its parent's the direction of the frame before is used; a bone
   that never has a length is at its parent's joint. */
void ossai_bone_lengths_project(
	const ossai_tree *tree, size_t pose_count, ossai_vec3 *joint, ossai_vec3 *position, double *length);

#endif
