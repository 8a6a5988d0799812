/* retarget/feet.h: feet that stand as the source's do.

   Place in the path: a moved body, its stride -> here -> the same with legs that reach the places of
   their feet.
   Input: the source's joints in a frame, the target's pose with the source's directions.
   Output: turns of the target's legs and feet, its hips.

   A foot goes to its place by inverse kinematics of two bones, in the plane in which the leg bends
   already; high above the ground its direction counts instead. Feet that would be below the ground
   turn towards level and are raised. */
#ifndef OSSAI_RETARGET_FEET_H
#define OSSAI_RETARGET_FEET_H

#include "retarget/legs.h"

/* How the feet of a placed body have to turn, before anything else, so as not to be below the ground:
   rotation vectors, by pair of legs. Moves the body up or down for them. worlds: the source's joints, B x 12. */
void ossai_level_feet(const ossai_legs *legs, ossai_moved *moved, const double *worlds, ossai_vec3 *turns);

/* Turns the feet of a placed body and puts them where they belong, then places it again. */
void ossai_place_feet(const ossai_legs *legs, ossai_moved *moved, const double *worlds, const ossai_vec3 *turns);

#endif
