/* rig/ik_loops.h: inverse kinematics of joints that are in loops.

   Place in the path: under ik.c, over ties.h. */
#ifndef OSSAI_RIG_IK_LOOPS_H
#define OSSAI_RIG_IK_LOOPS_H

#include "base/context.h"

#include <ossa/ik.h>

/* Whether any of the marked bones (B) is in a loop. Then `turns` also receives the other joints of
   its loops, and of those that these are in, and `loops` (loop_count bytes) which these are. */
bool ossai_ik_mark_loops(const ossa_rig *rig, uint8_t *turns, uint8_t *loops);

/* Turns the marked joints in a frame so that the goal is met and the marked loops have the gaps
   that they have there, by least squares of both; then the loops alone are closed, so that where
   both cannot be it is the goal that is missed. Dependent bones follow. distance: what is left to
   the goal. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_ik_reach_in_loops(ossai_arena *arena, const ossa_rig *rig, const ossa_ik_goal *goal, const uint8_t *turns,
	const uint8_t *loops, ossa_clip *clip, size_t frame, double *distance);

#endif
