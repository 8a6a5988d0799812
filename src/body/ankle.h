/* body/ankle.h: where the shin meets the foot.

   Place in the path: body/limb_line -> here -> body/joints. */
#ifndef OSSAI_BODY_ANKLE_H
#define OSSAI_BODY_ANKLE_H

#include "body/limb_line.h"

/* Finds the ankle of a leg and makes the line straight from there to the tip of the foot, as the
   axis of a large foot cuts the corner between both. up: unit; unit: the height from the floor to
   the neck. Returns the arc length from the hip to the ankle. Cost: the line's points. */
double ossai_ankle_find(ossai_limb_line *line, ossai_vec3 up, double unit);

#endif
