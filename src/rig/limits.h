/* rig/limits.h: what a motion says of a joint's limits. */
#ifndef OSSAI_RIG_LIMITS_H
#define OSSAI_RIG_LIMITS_H

#include <ossa/rig.h>

/* Sets the limits of `bone`, which is bone `index` of the rig or a copy of it, to the range of its
   turns in the rig's clip, so much wider on both sides. False, and no limits, where the motion says
   nothing: there is none, the joint is welded or never turns. Cost: linear in frames. */
bool ossai_limits_of_motion(const ossa_rig *rig, size_t index, double slack_degrees, ossa_bone *bone);

#endif
