/* math/turn_path.h: a smooth curve through rotations at given times.

   Place in the path: under edits of motion.
   Input: unit quaternions, times.
   Output: a unit quaternion.
   Source: K. Shoemake, Animating Rotation with Quaternion Curves, SIGGRAPH 1985: Bezier curves by
   repeated slerp.
   Departures: the angular velocity at a key is that of the parabola through it and its neighbours;
   it is zero at the first and the last key and where the curve reverses; and it is at most three
   times that of the slower side. So the curve comes to rest at its ends and does not overshoot its
   extremes. */
#ifndef OSSAI_MATH_TURN_PATH_H
#define OSSAI_MATH_TURN_PATH_H

#include "math/vec.h"

/* Part of a rotation: `share` times its angle about its axis, by the shorter rotation; shares below
   0 and above 1 extrapolate. */
ossai_quat ossai_quat_power(ossai_quat turn, double share);

/* Radians times axis, of the shorter rotation. */
ossai_vec3 ossai_quat_log(ossai_quat turn);

typedef struct ossai_turn_key {
	double time; /* ascending */
	ossai_quat turn;
} ossai_turn_key;

/* The path at `time`; the first key before all, the last after them. `count` >= 1. */
ossai_quat ossai_turn_path_at(const ossai_turn_key *keys, size_t count, double time);

#endif
