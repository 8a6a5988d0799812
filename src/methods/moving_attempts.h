/* methods/moving_attempts.h: the rigs of the methods that are tried for moving input, and which of
   them is closest to the key frames.

   Place in the path: key frames -> here -> make_moving. */
#ifndef OSSAI_METHODS_MOVING_ATTEMPTS_H
#define OSSAI_METHODS_MOVING_ATTEMPTS_H

#include "methods/make_rig.h"
#include "methods/rest_rig.h"
#include "proxy/mirror.h"

/* progress: what is done when the key frames are read, when the rig is made from them, and when its
   body is known */
static const double share_keys = 0.05, share_rig = 0.85, share_body = 0.9;

/* Moving input whose rig is made. */
typedef struct ossai_moving_making {
	ossai_making *making;
	ossa_context *context;
	ossa_mesh *reference; /* the mesh in the shape of the reference frame, or NULL */
	ossa_frames *keys;    /* the frames that the rig is made from */
	/* the rig of the rest shape alone, or NULL: made by a draft, which wants to know its limbs, or
	   beside what is made */
	ossa_rig *rest;
	ossai_rest_wish wish;
	ossai_rest_task *rest_task;
	ossai_warnings *rest_warnings; /* of the draft that made it */
	bool has_no_rest;              /* the draft could not make what a person insists on */
	ossai_mirror plane;            /* of a symmetric rig, in the mesh's units */
	const uint32_t *counterpart;   /* likewise: the draft's; else NULL */
	bool is_planned;               /* bones are a human's, in its tree */
	ossa_rig_result *result;
} ossai_moving_making;

/* Makes the rig of each candidate, or its draft, from the key frames, and the rig of the rest shape
   by a draft or beside. With the least effort the first candidate is the only one.
   Errors: those of the first method; of a later one all but OSSA_ERROR_INPUT. */
ossa_status ossai_moving_try_candidates(ossai_moving_making *m);

/* Moves the rig with the smallest error over the key frames to the result; a draft is finished
   first. Errors: those of the method. */
ossa_status ossai_moving_keep_closest(ossai_moving_making *m);

/* After an error one may still run on what is freed next. */
void ossai_moving_stop_drafts(ossai_moving_making *m);

/* Whether drafts of all candidates are compared, or their whole rigs. */
bool ossai_moving_makes_drafts(const ossai_moving_making *m);

/* Whether a method makes the rig of its paper: `refine 0`. */
bool ossai_moving_is_published(const ossai_moving_making *m, size_t method);

/* Whether the bones are those of a face. */
bool ossai_moving_is_face(const ossai_moving_making *m);

/* Whether a person names another root than the default's. */
bool ossai_has_root_bone(const ossa_rig_options *options);

#endif
