/* retarget/smooth_turns.h: turns of feet over all frames, made smooth.

   Place in the path: feet, how they have to turn in each frame -> here -> feet, the legs.
   Input: rotation vectors by frame and leg, the times of the frames.
   Output: the same, none shorter than it was.

   The longest turn within a window of time, then its mean over the same window: so feet begin to
   turn before they land, and do not cut through the ground between two frames. Both are of seconds:
   a motion with more frames has the same turns. */
#ifndef OSSAI_RETARGET_SMOOTH_TURNS_H
#define OSSAI_RETARGET_SMOOTH_TURNS_H

#include "math/vec.h"

#include <stddef.h>

/* turns: F x legs, in place; scratch: as large; times: F, seconds. Cost: F x legs x the frames
   within the window. */
void ossai_smooth_turns(const double *times, size_t frame_count, size_t legs, ossai_vec3 *turns, ossai_vec3 *scratch);

#endif
