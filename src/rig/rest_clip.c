/* rig/rest_clip.c: the rest pose as a motion.

   Place in the path: before edits of a motion, for a rig that has none.
   Input: a rig, a number of frames.
   Output: a clip in which all bones stand still: ossa_clip_of_rest. */
#include "rig/pose.h"
#include "rig/turns.h"

#include <math.h>
#include <ossa/edit_motion.h>
#include <stdio.h>

ossa_status ossa_clip_of_rest(
	ossa_context *context, const ossa_rig *rig, size_t frame_count, double frames_per_second, ossa_clip **clip)
{
	if (clip) *clip = NULL;
	OSSAI_NEED(context, rig, clip);
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	if (frame_count == 0 || !(frames_per_second > 0) || !isfinite(frames_per_second)) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "a motion of %zu frames at %g per second is not possible",
			frame_count, frames_per_second);
	}
	const size_t bones = rig->skeleton.bone_count;
	OSSAI_TRY(ossa_clip_create(context, frame_count, bones, false, clip));
	snprintf((*clip)->name, sizeof(*clip)->name, "rest");
	for (size_t f = 0; f < frame_count; f++) {
		(*clip)->times[f] = (double)f / frames_per_second;
		for (size_t b = 0; b < bones; b++)
			ossai_quat_store(ossai_rest_rotation(rig->skeleton.bones, b), (*clip)->rotations + 4 * (f * bones + b));
		for (int axis = 0; axis < 3 && bones > 0; axis++)
			(*clip)->root_positions[3 * f + (size_t)axis] = rig->skeleton.bones[0].joint[axis];
	}
	return OSSA_OK;
}
