/* skeleton/from_curve/volume_frames.h: the joint frames of section 3.4.2 of Wade and Parent 2002.

   Place in the path: below skeleton/from_curve/volume_bones.
   Input: joints, tails, a tree.
   Output: frames. */
#ifndef OSSAI_SKELETON_FROM_CURVE_VOLUME_FRAMES_H
#define OSSAI_SKELETON_FROM_CURVE_VOLUME_FRAMES_H

#include "math/vec.h"
#include "skeleton/tree.h"

/* Fills `frame` (B) with columns x y z, right-handed: z from joint to tail, x normal to the plane
   of z and the direction before the joint. Where these are parallel, the direction is that of the
   nearest ancestor that is not parallel to z, else of the nearest descendant; else x is normal to
   the world's axis with the smallest component of z. A bone without length has the z of its parent.
   The tree is sorted. Errors: OSSA_ERROR_MEMORY.  Cost: linear. */
ossa_status ossai_volume_frames_make(
	ossai_arena *arena, const ossai_tree *tree, const ossai_vec3 *joint, const ossai_vec3 *tail, ossai_mat3 *frame);

#endif
