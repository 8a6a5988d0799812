/* rig/errors.h: errors by frame and by bone in one pass over frames that are read one at a time.

   Place in the path: after the rig, beside metrics.h.  In: a rig, a stream of frames.  Out: errors. */
#ifndef OSSAI_RIG_ERRORS_H
#define OSSAI_RIG_ERRORS_H

#include "base/context.h"

#include <ossa/metrics.h>

/* As ossa_rig_frame_errors and ossa_rig_bone_errors; either of `frame_errors` (F) and `bone_rms` (B) may be NULL. */
ossa_status ossai_rig_errors(ossa_context *context, const ossa_rig *rig, const ossa_weights *weights, const ossa_clip *clip,
	ossa_frame_stream *frames, ossa_frame_error *frame_errors, double *bone_rms);

#endif
