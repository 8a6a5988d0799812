/* rig/drive.h: moves dependent bones with their drivers.

   Place in the path: under posing and IK.
   Input: a joint that was turned in a frame.
   Output: the bones that turn as it does, turned by the ratio of that: of its angle, or of its
   twist about the dependency's axis. They move by what their driver is turned by, so that a motion
   keeps what it has beside the line. */
#ifndef OSSAI_RIG_DRIVE_H
#define OSSAI_RIG_DRIVE_H

#include "math/vec.h"

#include <ossa/dependencies.h>

/* Whether any bone depends on this one. */
bool ossai_drives(const ossa_rig *rig, size_t bone);

/* Turns the bones that depend on `driver` in a frame of `clip`: its local rotation there was
   `before` and becomes `after`, by the shorter way. */
void ossai_drive(const ossa_rig *rig, ossa_clip *clip, size_t frame, size_t driver, ossai_quat before, ossai_quat after);

/* The same for each joint that `turns` marks (B), whose local rotations were `before` (B x 4): what
   depends on it follows, but for bones that are marked themselves. */
void ossai_drive_others(const ossa_rig *rig, ossa_clip *clip, size_t frame, const uint8_t *turns, const double *before);

#endif
