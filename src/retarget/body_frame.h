/* retarget/body_frame.h: a body's own axes, and its bones by role.

   Place in the path: a skeleton whose bones have roles -> here -> rest poses, retargeting.
   Input: joints at rest, roles.
   Output: left, up and front, in which bodies that face and stand differently are compared. */
#ifndef OSSAI_RETARGET_BODY_FRAME_H
#define OSSAI_RETARGET_BODY_FRAME_H

#include "math/vec.h"

#include <ossa/rig.h>

/* Left, up and front: unit and perpendicular, in the axes of the mesh. A point in the body's frame
   has its x to the left, its y up and its z ahead. */
typedef struct ossai_body_frame {
	ossai_vec3 left, up, front;
} ossai_body_frame;

/* The frame at rest. Up is the axis of the mesh nearest to the direction from the hips to the head,
   of animals to that from the feet to where the legs begin: floors are level in files. Left is the
   horizontal direction from the right leg to the left one, of bodies without legs from arm to arm.
   False where a bone for one of these is
   missing, or they are at one place. role: B. */
bool ossai_find_body_frame(const ossa_skeleton *skeleton, const ossa_role *role, ossai_body_frame *frame);

ossai_vec3 ossai_to_body(const ossai_body_frame *frame, ossai_vec3 v);
ossai_vec3 ossai_from_body(const ossai_body_frame *frame, ossai_vec3 v);

/* The same for a rotation. */
ossai_quat ossai_turn_to_body(const ossai_body_frame *frame, ossai_quat turn);
ossai_quat ossai_turn_from_body(const ossai_body_frame *frame, ossai_quat turn);

/* The bone of a part and side, of several the one nearest to the trunk; OSSA_NONE where there is
   none. role: B. */
uint32_t ossai_bone_of(const ossa_skeleton *skeleton, const ossa_role *role, ossa_body_part part, int side);

/* All bones of a part and side, from the trunk outward, in `bones`, which has space for `space`;
   how many. */
size_t ossai_bones_of(
	const ossa_skeleton *skeleton, const ossa_role *role, ossa_body_part part, int side, uint32_t *bones, size_t space);

#endif
