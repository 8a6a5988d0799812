/* rig/ties.h: points of bones that are to coincide: joints turn until they do.

   Place in the path: under loops and IK.
   Input: a pose, pairs of points, the joints that may turn.
   Output: the pose, with rotations of these.
   Source: damped least squares: C. Wampler, Manipulator Inverse Kinematic Solutions Based on Vector
   Formulations and Damped Least-Squares Methods, 1986, as in ik.c, here on the gaps of all pairs at
   once: every round takes the smallest turns that close them, by the Jacobian of the gaps. */
#ifndef OSSAI_RIG_TIES_H
#define OSSAI_RIG_TIES_H

#include "base/context.h"
#include "math/vec.h"

#include <ossa/rig.h>

typedef struct ossai_tie {
	int32_t bone[2];     /* -1: the point is one of the world */
	ossai_vec3 point[2]; /* in the bone's own frame */
} ossai_tie;

/* Whether a bone is another one, or above it. */
static inline bool ossai_is_above(const ossa_skeleton *skeleton, int32_t above, int32_t bone)
{
	while (bone > above) bone = skeleton->bones[bone].parent;
	return bone == above;
}

/* A point of the rest pose in the frame of a bone. */
ossai_vec3 ossai_point_of_bone(const ossa_bone *bone, ossai_vec3 point);

/* Turns the joints that `turns` marks (B; not the root), about the axes that they turn about and
   within their limits (ik_link.h), in one frame of `clip` until the points of all ties coincide, or
   are as near as they get: the least sum of squares around the pose. Dependent bones turn with
   their drivers only, and those that are not marked stay. has_limits: limits are kept; else joints
   turn as far as it needs. gap (count): the distance that is left.
   Errors: OSSA_ERROR_MEMORY.  Cost: rounds of bones + count^2 x turning joints. */
ossa_status ossai_ties_close(ossai_arena *scratch, const ossa_rig *rig, ossa_clip *clip, size_t frame, size_t count,
	const ossai_tie *ties, const uint8_t *turns, bool has_limits, double *gap);

#endif
