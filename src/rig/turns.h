/* rig/turns.h: a joint's turn, its rotation relative to its rest pose, in which limits, ranges and
   edits are given: local = rest turn. */
#ifndef OSSAI_RIG_TURNS_H
#define OSSAI_RIG_TURNS_H

#include "math/vec.h"

#include <ossa/rig.h>

/* The bone's local rotation at rest, unit. */
ossai_quat ossai_rest_rotation(const ossa_bone *bones, size_t bone);

/* The bone's turn in a frame, rest^-1 local, unit; back: the inverse of its rotation at rest. */
ossai_quat ossai_turn_in(const ossa_clip *clip, size_t frame, size_t bone, ossai_quat back);

/* The part of `turn` (unit) that lies within the bone's limits: each angle about the frame's own
   axes clamped to its range; of a hinge, where one of them is beyond, the turn about its axis
   alone, clamped to the limits of that (hinge.h), and of a universal joint that about its two axes
   (universal_joint.h). `past` is by how many degrees the worst of them
   exceeded it (0 where none did, and the turn is then unchanged). The bone has limits. */
ossai_quat ossai_turn_within_limits(const ossa_bone *bone, ossai_quat turn, double *past);

#endif
