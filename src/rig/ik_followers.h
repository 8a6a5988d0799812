/* rig/ik_followers.h: dependent bones in an IK chain.

   Place in the path: under ik.c.
   Input: the links of a chain.
   Output: which of them turn as others do; their part in columns and turns.
   A dependent bone has no angle of its own: its column is a part of its driver's, or it stays where
   the driver is not in the chain. */
#ifndef OSSAI_RIG_IK_FOLLOWERS_H
#define OSSAI_RIG_IK_FOLLOWERS_H

#include "base/context.h"
#include "rig/ik_link.h"

/* Links; driver OSSA_NONE: not in the chain. */
typedef struct ossai_ik_follower {
	uint32_t link, driver;
	double ratio;
	bool by_twist;
	ossai_vec3 axis; /* of the twist, in the driver's own frame */
} ossai_ik_follower;

typedef struct ossai_ik_followers {
	size_t count;
	ossai_ik_follower *list;
} ossai_ik_followers;

/* Finds those of a chain that has begun, and narrows the range of hinges that drive to that of what
   depends on them, in the chain or not; what a twist drives has no limits. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_ik_followers_find(ossai_arena *arena, const ossa_rig *rig, const ossa_clip *clip, size_t frame,
	size_t link_count, ossai_ik_link *links, ossai_ik_followers *followers);

bool ossai_ik_is_follower(const ossai_ik_followers *followers, size_t link);

/* Adds their columns to their drivers' and clears them. axis (in the world), column: links x
   OSSAI_IK_AXES. */
void ossai_ik_join_columns(
	const ossai_ik_followers *followers, const ossai_ik_link *links, const ossai_vec3 *axis, ossai_vec3 *column);

/* Turns them by the ratio of what their drivers turned from `before` to `links`. */
void ossai_ik_follow(const ossai_ik_followers *followers, const ossai_ik_link *before, ossai_ik_link *links);

#endif
