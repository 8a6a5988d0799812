/* ossa/motion.h: fits the motion of an existing rig to frames of its mesh. */
#ifndef OSSA_MOTION_H
#define OSSA_MOTION_H

#include <ossa/metrics.h>
#include <ossa/options.h>
#include <ossa/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a motion is fitted. Start from ossa_motion_default(). */
typedef struct ossa_motion_options {
	uint32_t cookie;  /* set by the default function; do not touch */
	bool free_motion; /* also fit every bone independently of its parent */
	bool keep_hinges; /* hinges turn about their axis alone; their limits are not kept */
} ossa_motion_options;

OSSA_API ossa_motion_options ossa_motion_default(void);
OSSA_API const ossa_option_table *ossa_motion_option_table(void);

/* A motion and its errors against the frames. */
typedef struct ossa_motion_fit {
	/* one rotation for each joint and the root's position; F frames with the stream's times. Of
	   several bodies with translations, the root in its place */
	ossa_clip *clip;
	/* rms_percent, max_percent, max_vertex, max_frame, accu_percent, compression; the others
	   do not apply */
	ossa_metrics errors;
	double *frame_rms; /* F: RMS of each frame, % of the diagonal */
	/* F: size of each frame over that of the rest: not about 1 where units differ */
	double *frame_size;
	/* B: RMS of the skin that follows each bone most, as by ossa_rig_bone_errors */
	double *bone_rms;
	ossa_clip *free_clip; /* with translations, or NULL */
	ossa_metrics free_errors;
} ossa_motion_fit;

/* Fits the motion of `rig` (its joints and weights stay) to every frame of a stream of the same
   vertices: for each frame the rotations of all joints and the position of the root with the
   smallest error, starting from the frame before and from the bones' own vertices, whichever ends
   better. Where several bodies stand under a common root (OSSA_JOINT_ROOT), each is fitted as if
   it were alone. A bone that moves no vertex rotates with its neighbours. Free bones blend by the
   rig's free_weights where it has them. The stream is read once, forwards, some frames at a time:
   only the clip's memory grows with the frames.
   Errors: OSSA_ERROR_INPUT (a rig without mesh or bones, another number of vertices, no frames, a
   frame that is not finite, bodies that share vertices), OSSA_ERROR_ARGUMENT, OSSA_ERROR_READ,
   OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.
   Ownership: ossa_motion_fit_free.
   Threads: the context's; the same bytes for any number.
   Cost: for each frame linear in influences, and the cube of up to 150 bones. */
OSSA_API ossa_status ossa_rig_fit_motion(ossa_context *context, const ossa_rig *rig, ossa_frame_stream *stream,
	const ossa_motion_options *options, ossa_motion_fit **fit);

/* Warns of what a fit shows to be wrong: "pose-size", of frames much larger or smaller than the
   rig's mesh, and "unexplained", of bones whose skin is off by more than 1 % of the diagonal. */
OSSA_API void ossa_motion_fit_warn(ossa_context *context, const ossa_rig *rig, const ossa_motion_fit *fit);

/* Moves the fit's clips to the rig, in place of its own, and updates the bones' turn_degrees. A
   free clip of the rig is freed where the fit has none. */
OSSA_API void ossa_rig_take_motion(ossa_context *context, ossa_rig *rig, ossa_motion_fit *fit);

/* Frees a fit with the clips that it still owns. NULL is allowed. */
OSSA_API void ossa_motion_fit_free(ossa_context *context, ossa_motion_fit *fit);

#ifdef __cplusplus
}
#endif
#endif
