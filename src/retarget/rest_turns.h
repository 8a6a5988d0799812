/* retarget/rest_turns.h: how every bone of a human body turns into a T or an A.

   Place in the path: roles, a body's frame -> here -> repose.h.
   Input: joints at rest, roles.
   Output: a rotation for every bone. */
#ifndef OSSAI_RETARGET_REST_TURNS_H
#define OSSAI_RETARGET_REST_TURNS_H

#include "base/context.h"
#include "math/vec.h"

#include <ossa/rest_pose.h>

/* turn: B: world rotations from the rest pose to `pose`, which is T or A. any: whether a bone is
   farther from it than files round to. kind: of the body, NONE where it is
   not known. role: B.
   Errors: OSSA_ERROR_INPUT naming what the body lacks; OSSA_ERROR_MEMORY. */
ossa_status ossai_rest_turns(
	ossai_arena *arena, const ossa_rig *rig, ossa_body_kind kind, const ossa_role *role, int pose, ossai_quat *turn, bool *any);

/* The diagonal of the box around the joints. */
double ossai_skeleton_size(const ossa_skeleton *skeleton);

#endif
