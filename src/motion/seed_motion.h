/* motion/seed_motion.h: the rigid motion of each part from its seeds alone.

   Place in the path: parts, seeds -> here -> joints, descent.
   Input: seeds and their parts, a posed surface.
   Output: a rigid motion for each part and pose.
   Source: de Aguiar, Theobalt, Thrun, Seidel, Automatic Conversion of Mesh Animations into
   Skeleton-based Animations, Eurographics 2008, section 5, after B. Horn, Closed-form solution of
   absolute orientation using unit quaternions, 1987. */
#ifndef OSSAI_MOTION_SEED_MOTION_H
#define OSSAI_MOTION_SEED_MOTION_H

#include "weights/bone_weights.h"

/* Fills `motion` (made for `surface` and the parts): the best rigid motion of each part's
   vertices, all of one weight. part: count, OSSA_NONE without. A part without vertices stays where
   it is. Errors: OSSA_ERROR_MEMORY.
   Cost: vertices x poses. */
ossa_status ossai_seed_motion_fit(ossa_context *context, const ossai_posed_surface *surface, size_t count,
	const uint32_t *vertex, const uint32_t *part, ossai_bone_motion *motion);

#endif
