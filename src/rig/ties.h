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

/* Whether a bone is in a loop: between its two bones and where their paths to the root meet. The
   joint where they meet is not, as it does not turn one against the other. */
static inline bool ossai_is_on_loop(const ossa_skeleton *skeleton, const ossa_loop *loop, int32_t bone)
{
	return ossai_is_above(skeleton, bone, loop->bones[0]) != ossai_is_above(skeleton, bone, loop->bones[1]);
}

/* Whether the kind of a bone's joint lets it turn. */
static inline bool ossai_joint_may_turn(const ossa_bone *bone)
{
	return bone->parent >= 0 && bone->kind != OSSA_JOINT_ROOT && bone->kind != OSSA_JOINT_WELDED &&
		bone->kind != OSSA_JOINT_PRISMATIC;
}

/* A point of the rest pose in the frame of a bone. */
ossai_vec3 ossai_point_of_bone(const ossa_bone *bone, ossai_vec3 point);

/* The center of a loop in both of its bones. */
ossai_tie ossai_tie_of_loop(const ossa_rig *rig, const ossa_loop *loop);

/* Puts the first point where the second one is in a pose, so that the gap of that pose is kept.
   world: of the two bones. */
void ossai_tie_keep_gap(const ossai_rigid world[2], ossai_tie *tie);

/* Turns the joints that `turns` marks (B; not the root), about the axes that they turn about and
   within their limits (ik_link.h), in one frame of `clip` until the points of all ties coincide, or
   are as near as they get: the least sum of squares around the pose. Dependent bones turn with
   their drivers only, and those that are not marked stay. has_limits: limits are kept; else joints
   turn as far as it needs. gap (count): the distance that is left.
   Errors: OSSA_ERROR_MEMORY.  Cost: rounds of bones + count^2 x turning joints. */
ossa_status ossai_ties_close(ossai_arena *scratch, const ossa_rig *rig, ossa_clip *clip, size_t frame, size_t count,
	const ossai_tie *ties, const uint8_t *turns, bool has_limits, double *gap);

#endif
