/* ossa/edit_motion.h: changes to a motion as values: turn a joint, set keys, scale, crop. A list
   of them is a history: applied to the same clip it gives the same motion, and without its last
   entry the previous motion. */
#ifndef OSSA_EDIT_MOTION_H
#define OSSA_EDIT_MOTION_H

#include <ossa/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ossa_motion_edit_kind {
	OSSA_MOTION_TURN = 0, /* `rotation` is added to the bone's motion */
	/* its turn from the rest pose is `rotation` instead of its motion; the identity resets it, also
	   a joint that slides */
	OSSA_MOTION_SET,
	/* its turns interpolate `keys` smoothly instead, constant before the first and after the
	   last */
	OSSA_MOTION_KEYS,
	/* the angles of its turns from the rest pose are multiplied by `factor`: 0.5 calmer, 1.5
	   wilder; of a joint that slides its distance from where it is at rest */
	OSSA_MOTION_SCALE,
	/* the root, and with it all bones, is translated by `offset`: mesh units, world axes */
	OSSA_MOTION_MOVE,
	/* its turns, or its slide, are clamped to its limits; a bone without limits stays as it is */
	OSSA_MOTION_CLAMP,
	OSSA_MOTION_CROP, /* the frames first..last are kept, from time 0 on */
	/* the whole motion is played `factor` times as fast, from time 0 on */
	OSSA_MOTION_RETIME,
	/* the rig's loops (ossa/loops.h) are closed again in all frames in which edits before it turned
	   a joint of them: joints turn that none of these edits names there */
	OSSA_MOTION_CLOSE,
	/* the bone, whose joint slides (OSSA_JOINT_PRISMATIC), is `distance` along its axis from where
	   it is at rest instead of its motion */
	OSSA_MOTION_SLIDE
} ossa_motion_edit_kind;

/* The frame of the axes of OSSA_MOTION_TURN. */
typedef enum ossa_motion_axes {
	/* the joint's own frame as it is in each frame of the motion: local = local rotation */
	OSSA_AXES_OWN = 0,
	OSSA_AXES_PARENT, /* the frame of its parent: local = rotation local */
	OSSA_AXES_WORLD   /* the world's */
} ossa_motion_axes;

/* A turn against the rest pose (local = rest rotation) at a frame. */
typedef struct ossa_motion_key {
	size_t frame;
	double rotation[4]; /* x y z w; made unit */
} ossa_motion_key;

#define OSSA_ALL_BONES SIZE_MAX  /* as `bone` of an edit: every bone */
#define OSSA_LAST_FRAME SIZE_MAX /* as `last` of an edit: the clip's last frame */

/* One change. Start from ossa_motion_edit_default(): all frames, no turn, a factor of 1. Fields
   that a kind does not name are ignored. */
typedef struct ossa_motion_edit {
	uint32_t cookie; /* set by the default function; do not touch */
	ossa_motion_edit_kind kind;
	size_t bone;        /* of the rig, or OSSA_ALL_BONES; not used by MOVE, CROP, RETIME, CLOSE */
	size_t first, last; /* frames, both included; RETIME and CLOSE take all */
	/* frames before `first` and after `last` over which the change fades in and out */
	size_t ease;
	double rotation[4]; /* x y z w; made unit. ossa_turn_of_degrees, ossa_turn_about make one */
	ossa_motion_axes axes;
	double factor;
	double offset[3];
	double distance; /* mesh units */
	size_t key_count;
	const ossa_motion_key *keys; /* frames rising; not owned */
} ossa_motion_edit;

OSSA_API ossa_motion_edit ossa_motion_edit_default(ossa_motion_edit_kind kind, size_t bone);

/* A motion like `clip` (NULL: the rig's) to which `count` edits were applied in order; frames of an
   edit are those that the edits before it left. Where a part of a turn is taken (at eased frames,
   or scaled), it is along the shorter arc. Dependent bones (ossa/dependencies.h) turn with their
   drivers, also where all bones are turned; one that is named itself turns alone: warning
   "dependent-turned". A joint that slides is not turned: an edit that names it and turns it is an
   error, of one for all bones it is left out. Loops that CLOSE cannot close: warning "loops-open".
   Errors: OSSA_ERROR_ARGUMENT naming the edit, counted from 1, and what is wrong with it;
   OSSA_ERROR_MEMORY.
   Ownership: ossa_clip_free.
   Cost: linear in frames x bones to copy, then in the frames and bones that are changed. */
OSSA_API ossa_status ossa_motion_edit_apply(ossa_context *context, const ossa_rig *rig, const ossa_clip *clip, size_t count,
	const ossa_motion_edit *edits, ossa_clip **edited);

/* The rest pose as a motion of `frame_count` frames: what a rig without motion is edited from.
   Errors: OSSA_ERROR_ARGUMENT (no frames, a rate not above 0), OSSA_ERROR_MEMORY.
   Ownership: ossa_clip_free. */
OSSA_API ossa_status ossa_clip_of_rest(
	ossa_context *context, const ossa_rig *rig, size_t frame_count, double frames_per_second, ossa_clip **clip);

/* Rz Ry Rx as a quaternion x y z w, from degrees about x, y, z: the angles in which limits are
   given. */
OSSA_API void ossa_turn_of_degrees(const double degrees[3], double rotation[4]);

/* A turn about an axis (any length but 0; the identity for 0). */
OSSA_API void ossa_turn_about(const double axis[3], double degrees, double rotation[4]);

/* A bone's turn against its rest pose in a frame of `clip` (NULL: the rig's): as a quaternion,
   and as degrees about x, y, z (either may be NULL). No turn where there is no such bone, frame or
   motion. */
OSSA_API void ossa_rig_turn(
	const ossa_rig *rig, const ossa_clip *clip, size_t frame, size_t bone, double rotation[4], double degrees[3]);

#ifdef __cplusplus
}
#endif
#endif
