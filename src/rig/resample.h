/* rig/resample.h: a motion at other times.

   Place in the path: clip -> here -> formats with even frames, frame rates on demand.
   Input: a clip with any ascending times.
   Output: the same motion at other times: rotations by slerp, positions linearly. */
#ifndef OSSAI_RIG_RESAMPLE_H
#define OSSAI_RIG_RESAMPLE_H

#include "base/context.h"
#include <ossa/clip.h>

/* The most frames that a motion is sampled at. */
enum { OSSAI_RESAMPLED_MAX = 10000000 };

/* The motion of `clip` (at least one frame) at `times` (count, ascending, from the clip's first on;
   after its last it stands still). Ownership: ossa_clip_free. */
ossa_status ossai_clip_at_times(
	ossa_context *context, const ossa_clip *clip, size_t count, const double *times, ossa_clip **sampled);

#endif
