/* math/turn_path.h: a smooth path through rotations at given times.

   Place in the path: under edits of motion.  In: unit quaternions, times.  Out: a unit quaternion.
   Source: K. Shoemake, Animating Rotation with Quaternion Curves, SIGGRAPH 1985: Bezier curves by
   repeated slerp. Departure: the angular velocity at a key is the one of the parabola through it
   and its neighbours, and none at the first and the last key and where the path turns back, and
   never more than three times the slower side's, so that a path comes to rest at its ends and does
   not swing past its extremes. */
#ifndef OSSAI_MATH_TURN_PATH_H
#define OSSAI_MATH_TURN_PATH_H

#include "math/vec.h"

/* Part of a turn: `share` times its angle about its axis, the short way; shares below 0 and above 1
   go on. */
ossai_quat ossai_quat_power(ossai_quat turn, double share);

/* Radians times axis, the short way. */
ossai_vec3 ossai_quat_log(ossai_quat turn);

typedef struct ossai_turn_key {
	double time; /* rising */
	ossai_quat turn;
} ossai_turn_key;

/* The path at `time`; the first key before all, the last after them. `count` >= 1. */
ossai_quat ossai_turn_path_at(const ossai_turn_key *keys, size_t count, double time);

#endif
