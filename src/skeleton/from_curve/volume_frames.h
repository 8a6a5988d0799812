/* skeleton/from_curve/volume_frames.h: joint frames as section 3.4.2 of Wade and Parent 2002 has
   them.

   Place in the path: below skeleton/from_curve/volume_bones. */
#ifndef OSSAI_SKELETON_FROM_CURVE_VOLUME_FRAMES_H
#define OSSAI_SKELETON_FROM_CURVE_VOLUME_FRAMES_H

#include "math/vec.h"
#include "skeleton/tree.h"

/* Fills `frame` (B) with columns x y z: z from joint to tail, x perpendicular to z and to the
   direction of the bone before, y completes them right-handed. Where those two are parallel the
   nearest ancestor that is not counts, else the nearest descendant; else x is perpendicular to the
   world's axis least along z. A bone without length has its parent's z. The tree is sorted. Errors:
   OSSA_ERROR_MEMORY.  Cost: linear. */
ossa_status ossai_volume_frames_make(
	ossai_arena *arena, const ossai_tree *tree, const ossai_vec3 *joint, const ossai_vec3 *tail, ossai_mat3 *frame);

#endif
