/* report/bones.h: the skeleton as a solid: bones as long octahedra, joints as balls, each with a
   dark contour.

   Place in the path: pictures.
   Input: a rig's posed joints.
   Output: triangles. */
#ifndef OSSAI_REPORT_BONES_H
#define OSSAI_REPORT_BONES_H

#include "report/camera.h"
#include "report/solid.h"
#include <ossa/rig.h>

/* The posed skeleton in unit space. */
typedef struct ossai_posed_bones {
	const ossa_skeleton *skeleton;
	const uint8_t *shown; /* B: whether it is drawn: it or a bone below it moves something */
	/* B: whether none of its children is shown, so that it runs to its tail */
	const uint8_t *ends;
	float *joints; /* B x 3 */
	float *tails;  /* B x 3 */
} ossai_posed_bones;

/* Builds the solid in `arena`, its parts large enough to be visible from `camera`. Triangles past
   solid->lit_count are the contour: hulls around the parts that show only their far side. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_bones_solid(
	ossai_arena *arena, const ossai_posed_bones *bones, const ossai_camera *camera, ossai_solid *solid);

#endif
