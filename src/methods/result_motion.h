/* methods/result_motion.h: the motion of a rig that was made of key frames, and its errors.

   Place in the path: make_moving -> here -> ossa_rig_result. */
#ifndef OSSAI_METHODS_RESULT_MOTION_H
#define OSSAI_METHODS_RESULT_MOTION_H

#include <ossa/method.h>

/* Fills the errors over the key frames: of the hierarchy, of free bones where the rig has them, and
   of each bone. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_result_measure(ossa_context *context, const ossa_frames *keys, ossa_rig_result *result);

/* Fits the motion to every frame, in place of that of the key frames, and its errors likewise.
   Errors: those of ossa_rig_fit_motion. */
ossa_status ossai_result_move(ossa_context *context, ossa_frame_stream *stream, ossa_rig_result *result);

#endif
