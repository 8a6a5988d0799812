/* skeleton/from_curve/body_bones.h: bones of a recognized body.

   Place in the path: body/joints -> here -> rest_weights, rig.
   Input: the joints of a body plan, the curve.
   Output: bones: those of the plan, and a chain for each limb that the plan does not know (tails,
   ears, hair, weapons), a child of the bone that it begins at. */
#ifndef OSSAI_SKELETON_FROM_CURVE_BODY_BONES_H
#define OSSAI_SKELETON_FROM_CURVE_BODY_BONES_H

#include "body/joints.h"
#include "body/landmarks.h"
#include "skeleton/from_curve/curve_bones.h"

/* Fills `bones`, with their roles. mirror: the plane of symmetry of the bones; may not exist; with
   enforced symmetry all pairs are made mirror images. marks: points that joints are found by.
   Arrays are the arena's. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_body_bones_make(ossai_arena *arena, const ossai_figure *figure, const ossai_body *body, uint32_t root,
	const ossai_mirror *mirror, const ossai_marks *marks, const ossai_curve_bones_options *options, ossai_curve_bones *bones);

#endif
