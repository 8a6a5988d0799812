/* skeleton/from_curve/curve_enforce.h: makes bones symmetric.

   Place in the path: below skeleton/from_curve/curve_bones.
   Input: bones and a plane of symmetry.
   Output: bones of which each has a mirror image, or lies on the plane. */
#ifndef OSSAI_SKELETON_FROM_CURVE_CURVE_ENFORCE_H
#define OSSAI_SKELETON_FROM_CURVE_CURVE_ENFORCE_H

#include "skeleton/from_curve/curve_bones.h"

/* Moves bones near the plane onto it. Limbs beside it are kept on the side where they are longer in
   all, and replace those of the other side by their mirror images. Arrays are the arena's.
   Errors: OSSA_ERROR_MEMORY.  Cost: vertices x log faces. */
ossa_status ossai_curve_bones_enforce(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_mirror *mirror, ossai_curve_bones *bones);

#endif
