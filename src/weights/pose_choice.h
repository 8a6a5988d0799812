/* weights/pose_choice.h: chooses a few poses that represent all of a motion.

   Place in the path: below heat, whose cost is proportional to the number of poses.
   Input: bones' segments and motion.
   Output: poses and their weights.
   Source: farthest point clustering: T. Gonzalez, Clustering to Minimize the Maximum Intercluster
   Distance, 1985. */
#ifndef OSSAI_WEIGHTS_POSE_CHOICE_H
#define OSSAI_WEIGHTS_POSE_CHOICE_H

#include "weights/bone_segments.h"

typedef struct ossai_pose_choice {
	size_t count;
	size_t *pose;  /* ascending; OSSAI_REST_POSE, which is always there, is the first */
	double *share; /* share of all poses, the rest included, that are nearest to this one; sum 1 */
} ossai_pose_choice;

/* Chooses at most `wanted` poses (1 or more) of the rest and the motion's (NULL: the rest alone),
   each the farthest from those chosen before, beginning with the rest. The distance of two poses is
   that of the distances between the bones' ends, so that the position and orientation of the body
   do not count. Duplicates of chosen poses are not chosen. Arrays are the arena's. Errors:
   OSSA_ERROR_MEMORY.  Cost: wanted x poses x segments. */
ossa_status ossai_pose_choose(ossai_arena *arena, const ossai_bone_segments *segments, const ossai_bone_motion *motion,
	size_t wanted, ossai_pose_choice *choice);

#endif
