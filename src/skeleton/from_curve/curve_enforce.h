/* skeleton/from_curve/curve_enforce.h: makes bones symmetric by mirroring those of one side.

   Place in the path: below skeleton/from_curve/curve_bones. */
#ifndef OSSAI_SKELETON_FROM_CURVE_CURVE_ENFORCE_H
#define OSSAI_SKELETON_FROM_CURVE_CURVE_ENFORCE_H

#include "skeleton/from_curve/curve_bones.h"

/* Bones near the plane are moved onto it. Of the limbs beside it those of the side with the larger
   total length are kept, and their mirror images replace the others. Arrays are the arena's.
   Errors: OSSA_ERROR_MEMORY.  Cost: vertices x log faces. */
ossa_status ossai_curve_bones_enforce(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_mirror *mirror, ossai_curve_bones *bones);

/* Allocates arrays for so many bones and vertices; `mirrored` and the tree's `pair` are
   OSSA_NONE. */
ossa_status ossai_curve_bones_new(ossai_arena *arena, size_t count, size_t vertex_count, ossai_curve_bones *bones);

#endif
