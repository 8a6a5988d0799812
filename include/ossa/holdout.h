/* ossa/holdout.h: the errors of a rig on frames that it was not made from. */
#ifndef OSSA_HOLDOUT_H
#define OSSA_HOLDOUT_H

#include <ossa/metrics.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Errors on the frames that skeleton and weights were fitted to, on those that were held out, and
   on both together. The units are ossa_metrics'; NAN where the rig has no such motion. */
typedef struct ossa_holdout_errors {
	double rms_percent[3]; /* fitted, held, all */
	double max_percent[3];
	double accu_percent[3];
} ossa_holdout_errors;

typedef struct ossa_holdout {
	size_t fitted_count, held_count; /* frames */
	ossa_holdout_errors hierarchy;   /* constant bone lengths: ossa_rig's clip and weights */
	ossa_holdout_errors free_bones;  /* its free_clip and free_weights */
} ossa_holdout;

/* Measures `rig`, as a method made it from the frames `fitted`, on these frames with its own
   motion, and on the frames `held` with a motion that is fitted to them, while skeleton and weights
   stay.
   Errors: OSSA_ERROR_INPUT where vertices differ or a set is empty, OSSA_ERROR_MEMORY,
   OSSA_ERROR_CANCELLED.
   Cost: linear in frames x vertices. */
OSSA_API ossa_status ossa_holdout_measure(
	ossa_context *context, const ossa_rig *rig, const ossa_frames *fitted, const ossa_frames *held, ossa_holdout *holdout);

#ifdef __cplusplus
}
#endif
#endif
