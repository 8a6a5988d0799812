/* methods/make_rig.h: what making a rig of a still mesh and of frames share.

   Place in the path: choose -> make_rig -> make_still or make_moving -> the recipes. */
#ifndef OSSAI_METHODS_MAKE_RIG_H
#define OSSAI_METHODS_MAKE_RIG_H

#include "methods/choose.h"

/* What a candidate made, and by what that is judged. */
typedef struct ossai_attempt {
	ossa_rig *rig;            /* NULL: the method was not tried, or cannot do it */
	ossai_warnings *warnings; /* that making it gave */
	double rms_percent;       /* of frames: the hierarchy's over the key frames */
	double inside;            /* of a still mesh: share of the points along its bones that the surface winds around */
	double distance;          /* of the surface from the nearest bone, mean, over that from the surface's middle */
} ossai_attempt;

typedef struct ossai_making {
	ossa_context *context;
	const ossa_mesh *mesh; /* at rest */
	ossa_frame_stream *stream;
	const ossa_rig_options *options;
	ossai_candidates candidates;
	ossai_warnings *before;                    /* what was warned of before the first attempt */
	ossai_attempt attempts[OSSA_ATTEMPTS_MAX]; /* of each candidate */
	ossa_rig_result *result;
} ossai_making;

/* Fill the result but for the bones' names. Errors: the methods'. */
ossa_status ossai_make_still(ossai_making *m);
ossa_status ossai_make_moving(ossai_making *m);

/* ---- for these two ---- */

/* To be called before the first attempt. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_attempts_begin(ossai_making *m);

/* The rig of a candidate, as if nothing else had been tried. `frames`: of a method that takes motion. Errors: the method's. */
ossa_status ossai_attempt_make(ossai_making *m, size_t candidate, const ossa_frames *frames);

/* Gives back what a candidate that cannot do it has made. */
void ossai_attempt_drop(ossai_making *m, size_t candidate);

/* Gives the rig of a candidate, and what making it warned of, to the result. */
void ossai_attempt_take(ossai_making *m, size_t candidate);

/* The candidate's method, by its name. */
const char *ossai_attempt_name(const ossai_making *m, size_t candidate);

#endif
