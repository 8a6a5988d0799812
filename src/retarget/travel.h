/* retarget/travel.h: the way that a body takes over the ground, without its sway.

   Place in the path: a rig and a motion of it -> here -> root motion, loops.
   Input: the hips' positions and rotations in all frames.
   Output: where the ground under the body would move to, were it a cart that carries the body. */
#ifndef OSSAI_RETARGET_TRAVEL_H
#define OSSAI_RETARGET_TRAVEL_H

#include "base/context.h"
#include "math/vec.h"
#include <ossa/clip.h>

typedef struct ossai_travel {
	size_t frame_count;
	ossai_vec3 up;     /* unit */
	ossai_vec3 center; /* the hips' joint in the first frame: the heading turns about the vertical through it */
	ossai_vec3 *shift; /* F: over the ground since the first frame; the first is zero */
	double *heading;   /* F: radians about `up` since the first frame; the first is 0 */
	bool moves, turns; /* the last frame is elsewhere than the first; faces elsewhere */
	uint32_t hips;     /* the bone that it is measured by */
	double height;     /* of the hips over the lowest joint at rest, mesh units */
} ossai_travel;

/* The bone that a body is carried by, and the axis that points up: the hips; without hips the root,
   or its one child where it moves no vertex itself. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_find_carried(ossai_arena *arena, const ossa_rig *rig, uint32_t *bone, ossai_vec3 *up);

/* The travel of a motion of the rig, as ossa_clip_set_root_motion defines it; in the arena. The clip
   has at least one frame and fits the rig. Errors: OSSA_ERROR_MEMORY. Cost: linear in frames. */
ossa_status ossai_travel_find(ossai_arena *arena, const ossa_rig *rig, const ossa_clip *clip, ossai_travel *travel);

/* The map from the ground in the first frame to that in another. */
ossai_rigid ossai_travel_at(const ossai_travel *travel, size_t frame);

#endif
