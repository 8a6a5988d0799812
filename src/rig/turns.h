/* rig/turns.h: a joint's turn against its rest pose, which limits, ranges and edits are told in:
   local = rest turn. */
#ifndef OSSAI_RIG_TURNS_H
#define OSSAI_RIG_TURNS_H

#include "math/vec.h"

#include <ossa/rig.h>

/* The bone's local rotation at rest, unit. */
ossai_quat ossai_rest_rotation(const ossa_bone *bones, size_t bone);

/* The part of `turn` (unit) that lies within the bone's limits: each angle about the frame's own
   axes cut to its range. `past` is how many degrees the worst of them was beyond it (0 where none
   was, and the turn is then as it came). The bone has limits. */
ossai_quat ossai_turn_within_limits(const ossa_bone *bone, ossai_quat turn, double *past);

#endif
