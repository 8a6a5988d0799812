/* ossa/clip.h: motions as a whole: frame rates, loops, and what the root does. */
#ifndef OSSA_CLIP_H
#define OSSA_CLIP_H

#include <ossa/rig.h>
#include <ossa/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Samples a motion at a steady rate from its first time on: rotations by slerp, positions linearly.
   The last frame is kept at its own time, also where the steps before it do not reach it evenly.
   frames_per_second: above 0.
   Errors: OSSA_ERROR_ARGUMENT, OSSA_ERROR_LIMIT (more than ten million frames), OSSA_ERROR_MEMORY.
   Ownership: ossa_clip_free. */
OSSA_API ossa_status ossa_clip_resample(
	ossa_context *context, const ossa_clip *clip, double frames_per_second, ossa_clip **resampled);

/* Frames first to first + count - 1 of a motion as one of its own, from 0 seconds on.
   Errors: OSSA_ERROR_ARGUMENT (there are no such frames), OSSA_ERROR_MEMORY.
   Ownership: ossa_clip_free. */
OSSA_API ossa_status ossa_clip_part(ossa_context *context, const ossa_clip *clip, size_t first, size_t count, ossa_clip **part);

/* Cuts the motion of a rig, over all frames of a stream, where the stream's takes begin: each
   becomes a clip of its name (names that stand twice get numbers), in place of all clips that the
   rig has; the rig's `clip` is the first. Of one take it stays as it is. free_clip keeps all
   frames.
   Errors: OSSA_ERROR_ARGUMENT (the motion has other frames), OSSA_ERROR_MEMORY; the rig is then as
   it was. */
OSSA_API ossa_status ossa_rig_split_takes(ossa_context *context, ossa_rig *rig, const ossa_frame_stream *stream);

/* What becomes of the way that a body takes over the ground (docs/formats.md). */
typedef enum ossa_root_motion {
	OSSA_ROOT_KEEP,     /* as it is */
	OSSA_ROOT_IN_PLACE, /* the travel is removed; sway, height and heading stay */
	OSSA_ROOT_EXTRACT   /* the root bone travels and turns, others are where they were */
} ossa_root_motion;

/* A motion of the rig (`clip` NULL: its own) with its travel kept, removed or on the root bone. The
   travel is the path of the hips over the ground without sway: where the last frame is farther
   from the first than 0.15 of the hips' height, the shortest path between the two that stays within
   that distance of the hips'; of a body that comes back, nothing but what is beyond 0.6 of that
   height, which it cannot have reached without a step. The same of its heading, with 10 and 90
   degrees. Bodies without hips travel as their root does, or as the one bone that it
   carries.
   EXTRACT puts the root bone where it is at rest in the first frame, and gives the clip
   translations.
   Errors: OSSA_ERROR_INPUT (EXTRACT, and no bone is above the hips: ossa_rig_add_root),
   OSSA_ERROR_MEMORY.
   Ownership: ossa_clip_free.
   Source: in place as Mixamo has it, with the sway of the hips left in; EXTRACT makes what
   Unreal Engine calls root motion, and what Unity computes as the root transform of a clip. */
OSSA_API ossa_status ossa_clip_set_root_motion(
	ossa_context *context, const ossa_rig *rig, const ossa_clip *clip, ossa_root_motion root_motion, ossa_clip **result);

/* Adds a root bone on the ground under the hips where these are the root, or where the rig has
   none: bone 0, without weights, with the axes of the mesh. No pose changes; motions get
   translations. added: whether a bone was added; may be NULL.
   Errors: OSSA_ERROR_LIMIT, OSSA_ERROR_MEMORY; the rig is then as it was. */
OSSA_API ossa_status ossa_rig_add_root(ossa_context *context, ossa_rig *rig, bool *added);

/* By how much the last frame of a motion differed from the first before its loop was closed. */
typedef struct ossa_clip_gap {
	double degrees;  /* the largest difference of a bone's rotation */
	size_t bone;     /* that bone */
	double distance; /* of the hips' position, mesh units, apart from the travel */
	bool travels;    /* the travel over the ground was left in: the loop continues elsewhere */
	bool turns;      /* so was the change of heading */
} ossa_clip_gap;

/* A motion of the rig (`clip` NULL: its own) whose last frame is the first again, apart from the
   travel and the change of heading of a body that travels (ossa_clip_set_root_motion). The
   difference is spread evenly over time, half of it before the middle and half after: the most
   that a frame changes is half the difference, and no step between two frames grows by more than
   its share. gap: may be NULL.
   Errors: OSSA_ERROR_ARGUMENT (fewer than two frames), OSSA_ERROR_MEMORY.
   Ownership: ossa_clip_free. */
OSSA_API ossa_status ossa_clip_close_loop(
	ossa_context *context, const ossa_rig *rig, const ossa_clip *clip, ossa_clip **closed, ossa_clip_gap *gap);

#ifdef __cplusplus
}
#endif
#endif
