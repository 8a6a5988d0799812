/* metrics/holdout.c: the errors of a rig on frames that it was not made from.

   Place in the path: after a method.
   Input: a rig, the frames it was made from, others.
   Output: errors on both.
   The others get a motion of their own (refit.c); skeleton and weights stay as they are. */
#include <ossa/holdout.h>

#include "base/context.h"

#include <math.h>
#include "rig/pose.h"
#include <ossa/motion.h>

static void take_errors(ossa_holdout_errors *errors, int set, const ossa_metrics *metrics)
{
	errors->rms_percent[set] = metrics->rms_percent;
	errors->max_percent[set] = metrics->max_percent;
	errors->accu_percent[set] = metrics->accu_percent;
}

/* of all frames, from those of the two sets */
static void join_errors(ossa_holdout_errors *errors, size_t fitted, size_t held)
{
	const double all = (double)(fitted + held), a = (double)fitted / all, b = (double)held / all;
	const double *rms = errors->rms_percent, *accu = errors->accu_percent, *max = errors->max_percent;
	errors->rms_percent[2] = sqrt(a * rms[0] * rms[0] + b * rms[1] * rms[1]);
	errors->accu_percent[2] = a * accu[0] + b * accu[1];
	errors->max_percent[2] = max[0] > max[1] ? max[0] : max[1];
}

static ossa_holdout_errors no_errors(void) { return (ossa_holdout_errors){{NAN, NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}}; }

static ossa_status measure_fitted(ossa_context *context, const ossa_rig *rig, const ossa_frames *fitted, ossa_holdout *holdout)
{
	const ossa_weights *free_weights = rig->free_weights.vertex_count > 0 ? &rig->free_weights : &rig->weights;
	ossa_metrics metrics;
	OSSAI_TRY(ossa_rig_measure(context, rig, NULL, NULL, fitted, &metrics));
	take_errors(&holdout->hierarchy, 0, &metrics);
	if (!rig->free_clip) return OSSA_OK;
	OSSAI_TRY(ossa_rig_measure(context, rig, free_weights, rig->free_clip, fitted, &metrics));
	take_errors(&holdout->free_bones, 0, &metrics);
	return OSSA_OK;
}

static ossa_status measure_held(ossa_context *context, const ossa_rig *rig, const ossa_frames *held, ossa_holdout *holdout)
{
	ossa_motion_options options = ossa_motion_default();
	options.free_motion = rig->free_clip != NULL;
	ossa_frame_stream *stream = NULL;
	ossa_motion_fit *fit = NULL;
	OSSAI_TRY(ossa_frame_stream_of_frames(context, held, &stream));
	const ossa_status status = ossa_rig_fit_motion(context, rig, stream, &options, &fit);
	if (status == OSSA_OK) take_errors(&holdout->hierarchy, 1, &fit->errors);
	if (status == OSSA_OK && options.free_motion) take_errors(&holdout->free_bones, 1, &fit->free_errors);
	ossa_motion_fit_free(context, fit);
	ossa_frame_stream_free(context, stream);
	return status;
}

ossa_status ossa_holdout_measure(
	ossa_context *context, const ossa_rig *rig, const ossa_frames *fitted, const ossa_frames *held, ossa_holdout *holdout)
{
	if (holdout) *holdout = (ossa_holdout){0, 0, no_errors(), no_errors()};
	OSSAI_NEED(context, rig, fitted, held, holdout);
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	*holdout = (ossa_holdout){fitted->frame_count, held->frame_count, no_errors(), no_errors()};
	if (fitted->frame_count == 0 || held->frame_count == 0) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
			"%zu frames to fit and %zu to hold out: at least one of each is needed", fitted->frame_count, held->frame_count);
	}
	OSSAI_TRY(measure_fitted(context, rig, fitted, holdout));
	OSSAI_TRY(measure_held(context, rig, held, holdout));
	join_errors(&holdout->hierarchy, fitted->frame_count, held->frame_count);
	if (rig->free_clip) join_errors(&holdout->free_bones, fitted->frame_count, held->frame_count);
	return OSSA_OK;
}
