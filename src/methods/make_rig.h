/* methods/make_rig.h: what make_still.c and make_moving.c share: the attempts of the methods that
   are tried.

   Place in the path: choose -> make_rig -> make_still or make_moving -> the methods. */
#ifndef OSSAI_METHODS_MAKE_RIG_H
#define OSSAI_METHODS_MAKE_RIG_H

#include "methods/choose.h"
#include "methods/registry.h"

/* The rig of a candidate, and what it is judged by. */
typedef struct ossai_attempt {
	ossa_rig *rig;            /* NULL: the method was not tried, or failed, or made a draft only */
	ossai_draft *draft;       /* of frames: a rig that is begun, or NULL */
	ossai_warnings *warnings; /* of making it */
	/* of frames: the error of the hierarchy over the key frames, in the draft if there is one */
	double rms_percent;
	/* of one mesh: the share of points along the bones that lie inside it */
	double inside;
	/* of one mesh: the mean distance of the surface from the nearest bone, divided by that from the
	   centroid of the surface */
	double distance;
	/* of one mesh, as the method has warned: it has no limbs; parts of it have no bones; it has
	   props, which follow one bone each */
	bool has_no_limbs, leaves_parts_out, has_props;
} ossai_attempt;

typedef struct ossai_making {
	ossa_context *context;
	const ossa_mesh *mesh; /* at rest */
	ossa_frame_stream *stream;
	const ossa_rig_options *options;
	ossai_candidates candidates;               /* a method as often as it makes drafts */
	ossai_warnings *before;                    /* warnings before the first attempt */
	ossai_attempt attempts[OSSA_ATTEMPTS_MAX]; /* of each candidate */
	ossa_rig_result *result;
} ossai_making;

/* Fill the result except for the names of bones. Errors: those of the methods. */
ossa_status ossai_make_still(ossai_making *m);
ossa_status ossai_make_moving(ossai_making *m);

/* ---- make_rig.c ---- */

/* No candidate is tried yet. */
void ossai_attempts_clear(ossai_making *m);

/* Has to be called before the first attempt. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_attempts_begin(ossai_making *m);

/* Makes the rig of a candidate, with the warnings that it would have without earlier attempts.
   frames: for methods that take motion. Errors: those of the method. */
ossa_status ossai_attempt_make(ossai_making *m, size_t candidate, const ossa_frames *frames);

/* Begins it, for a method that makes drafts. earlier: another attempt's draft, or NULL. */
ossa_status ossai_attempt_begin_draft(ossai_making *m, size_t candidate, const ossa_frames *frames, const ossai_draft *earlier);

/* Runs a draft that is begun, or waits for one that runs beside. Errors: those of the method. */
ossa_status ossai_attempt_run_draft(ossai_making *m, size_t candidate);
ossa_status ossai_attempt_wait_for_draft(ossai_making *m, size_t candidate);

/* Makes the rig of a draft, with the draft's warnings before its own. plan: as of
   ossai_draft_finish. */
ossa_status ossai_attempt_finish(ossai_making *m, size_t candidate, ossa_rig *plan);

/* Keeps the warnings since the attempt began. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_attempt_keep_warnings(ossai_making *m, size_t candidate);

/* Whether a later rig is closer to the frames than an earlier one by more than noise. */
bool ossai_attempt_is_closer(const ossai_attempt *late, const ossai_attempt *early);

/* Frees what a candidate has made. */
void ossai_attempt_drop(ossai_making *m, size_t candidate);

/* Moves the rig of a candidate and its warnings to the result. */
void ossai_attempt_take(ossai_making *m, size_t candidate);

/* Frees what all candidates have made. */
void ossai_attempts_end(ossai_making *m);

/* The name of the candidate's method. */
const char *ossai_attempt_name(const ossai_making *m, size_t candidate);

#endif
