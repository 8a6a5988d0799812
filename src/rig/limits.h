/* rig/limits.h: limits of a joint from a motion. */
#ifndef OSSAI_RIG_LIMITS_H
#define OSSAI_RIG_LIMITS_H

#include <ossa/rig.h>

/* Sets the limits of `bone`, which is bone `index` of the rig or a copy of it, to the range of its
   turns in the rig's clips, so much wider on both sides. False, and no limits, where the motion
   does not determine them: there is none, the joint is welded or never rotates. Cost: linear in
   frames. */
bool ossai_limits_of_motion(const ossa_rig *rig, size_t index, double slack_degrees, ossa_bone *bone);

/* ossa_rig_turn_range over all clips of the rig. */
bool ossai_turn_range_of_all(const ossa_rig *rig, size_t bone, double range[3][2]);

#endif
