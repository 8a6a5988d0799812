/* retarget/two_bones.h: inverse kinematics of an arm or a leg, in closed form. */
#ifndef OSSAI_RETARGET_TWO_BONES_H
#define OSSAI_RETARGET_TWO_BONES_H

#include "retarget/moved.h"

/* Turns upper and lower segment of a placed limb so that its end is at the goal, or as near as
   `most_reach` of its length gets it, in the plane in which it bends. A straight limb bends its
   middle to where `ahead` points at rest. Joints are placed by the next ossai_moved_place.
   Source: the law of cosines. */
void ossai_reach(ossai_moved *moved, const ossai_actor_limb *limb, ossai_vec3 goal, double most_reach, ossai_vec3 ahead);

#endif
