/* methods/motion_warnings.h: warnings about frames, and about motion that a rig does not reproduce.

   Place in the path: before and after every method for motion.
   Input: sizes of frames, errors of bones.
   Output: warnings. */
#ifndef OSSAI_METHODS_MOTION_TELL_H
#define OSSAI_METHODS_MOTION_TELL_H

#include "base/context.h"

#include <ossa/rig.h>

/* Warning "pose-size" where a frame is more than 1.5 times larger or smaller than the rest. ratio:
   its size over that of the rest. name: of the frame; NULL: it is named by its index. */
void ossai_warn_of_size(ossa_context *context, size_t frame, const char *name, double ratio);

/* Warning "unexplained" where the skin of bones has an RMS error above 1 % of the diagonal.
   bone_rms: B, in that unit; NAN where a bone has no skin. */
void ossai_warn_of_unexplained(ossa_context *context, const ossa_rig *rig, const double *bone_rms);

#endif
