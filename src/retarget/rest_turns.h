/* retarget/rest_turns.h: how every bone of a human body turns into a T or an A.

   Place in the path: roles, a body's frame -> here -> repose.h.
   Input: joints at rest, roles.
   Output: a rotation for every bone. */
#ifndef OSSAI_RETARGET_REST_TURNS_H
#define OSSAI_RETARGET_REST_TURNS_H

#include "base/context.h"
#include "math/vec.h"
#include "retarget/body_trees.h"

#include <ossa/rest_pose.h>

/* How bones turn. */
typedef struct ossai_rest_turns {
	ossai_quat *turn; /* B: world rotations from the rest pose */
	/* B: the bone whose end a joint stays at: the parent; the lower leg of a foot that only inverse
	   kinematics connect to it; OSSA_NONE for the root */
	uint32_t *above;
	uint32_t *order; /* B: all bones, each after the one above it */
	bool any;        /* a bone is farther from the pose than files round to */
	int64_t others;  /* bodies beside the humans, which stay as they are */
} ossai_rest_turns;

/* From the rest pose to `pose`, which is T or A; arrays of the arena. Of several bodies each human
   is posed as if it were alone.
   Errors: OSSA_ERROR_INPUT naming what the body lacks; OSSA_ERROR_MEMORY. */
ossa_status ossai_find_rest_turns(
	ossai_arena *arena, const ossa_rig *rig, const ossai_body_trees *bodies, int pose, ossai_rest_turns *turns);

#endif
