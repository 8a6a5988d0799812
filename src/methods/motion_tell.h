/* methods/motion_tell.h: what is wrong with frames, and what a motion does not repeat, said.

   Place in the path: before and after every method.  In: sizes of frames, errors of bones.  Out: warnings. */
#ifndef OSSAI_METHODS_MOTION_TELL_H
#define OSSAI_METHODS_MOTION_TELL_H

#include "base/context.h"

#include <ossa/rig.h>

/* Warning "pose-size": a frame that is much larger or smaller than the rest, `ratio`. It is called by its name, or where that is NULL by its index. */
void ossai_tell_size(ossa_context *context, size_t frame, const char *name, double ratio);

/* Warning "unexplained": bones whose skin is off by more than 1 % of the diagonal; `bone_rms`: B. */
void ossai_tell_unexplained(ossa_context *context, const ossa_rig *rig, const double *bone_rms);

#endif
