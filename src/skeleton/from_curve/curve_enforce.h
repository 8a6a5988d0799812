/* skeleton/from_curve/curve_enforce.h: the bones of one side as those of both.

   Place in the path: below skeleton/from_curve/curve_bones. */
#ifndef OSSAI_SKELETON_FROM_CURVE_CURVE_ENFORCE_H
#define OSSAI_SKELETON_FROM_CURVE_CURVE_ENFORCE_H

#include "skeleton/from_curve/curve_bones.h"

/* Bones near the plane are put on it; of the limbs beside it those of the side that has more length of them stay, and their images take the
   place of the others. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY.  Cost: vertices x log faces. */
ossa_status ossai_curve_bones_enforce(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_mirror *mirror, ossai_curve_bones *bones);

/* Takes arrays for so many bones and vertices; `mirrored` and the tree's `pair` are OSSA_NONE. */
ossa_status ossai_curve_bones_new(ossai_arena *arena, size_t count, size_t vertex_count, ossai_curve_bones *bones);

#endif
