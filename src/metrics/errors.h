/* metrics/errors.h: errors by frame and by bone in one pass over frames that are read one at a
   time.

   Place in the path: after the rig, beside metrics.h.
   Input: a rig, a stream of frames.
   Output: errors. */
#ifndef OSSAI_METRICS_ERRORS_H
#define OSSAI_METRICS_ERRORS_H

#include "base/context.h"

#include <ossa/metrics.h>

/* As ossa_rig_frame_errors and ossa_rig_bone_errors; either of `frame_errors` (F) and `bone_rms`
   (B) may be NULL. */
ossa_status ossai_rig_errors(ossa_context *context, const ossa_rig *rig, const ossa_weights *weights, const ossa_clip *clip,
	ossa_frame_stream *frames, ossa_frame_error *frame_errors, double *bone_rms);

/* RMS of the vertices that follow each bone most, in %; NAN where none does. `square` (V): of
   each vertex in use the sum of its squared errors, which times `unit` are means in diagonals. */
ossa_status ossai_bone_errors(ossai_arena *arena, const ossa_rig *rig, const ossa_weights *weights, const uint8_t *used,
	const double *square, double unit, double *bone_rms);

#endif
