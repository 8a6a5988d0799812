/* weights/pose_choice.h: a few poses that stand for all of a motion.

   Place in the path: below heat, which costs as much for each pose.  In: bones' segments and
   motion.  Out: poses and their shares. */
#ifndef OSSAI_WEIGHTS_POSE_CHOICE_H
#define OSSAI_WEIGHTS_POSE_CHOICE_H

#include "weights/bone_segments.h"

typedef struct ossai_pose_choice {
	size_t count;
	size_t *pose;  /* rising; OSSAI_REST_POSE, which is always there, is the first */
	double *share; /* of all poses and the rest, the part that is nearest to this one; sum 1 */
} ossai_pose_choice;

/* Chooses at most `wanted` poses (1 or more) of the rest and the motion's (NULL: the rest alone),
   each the farthest from those chosen before, beginning with the rest (T. Gonzalez, Clustering to
   Minimize the Maximum Intercluster Distance, 1985). Poses differ as the distances between the
   bones' ends do, so that where and how the body stands does not count. Poses like one chosen are
   not chosen again. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY.  Cost: wanted x poses x
   segments. */
ossa_status ossai_pose_choose(ossai_arena *arena, const ossai_bone_segments *segments, const ossai_bone_motion *motion,
	size_t wanted, ossai_pose_choice *choice);

#endif
