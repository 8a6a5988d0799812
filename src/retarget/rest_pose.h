/* retarget/rest_pose.h: a rig in an exact T or A, in a frame of its motion or as it was modelled,
   for those that write it.

   Place in the path: a rig -> here -> export.
   Input: a rig, a rest pose.
   Output: the same rig at rest in that pose. */
#ifndef OSSAI_RETARGET_REST_POSE_H
#define OSSAI_RETARGET_REST_POSE_H

#include "retarget/repose.h"

#include <ossa/rest_pose.h>

/* The rig in `pose`, as ossa_rig_set_rest_pose makes it, in the arena; NULL where it is in the pose
   already. */
ossa_status ossai_rest_pose(ossai_arena *arena, const ossa_rig *rig, int pose, ossai_reposed **posed);

#endif
