/* methods/result_motion.c: see result_motion.h. */
#include "methods/result_motion.h"

#include "base/context.h"

#include <ossa/motion.h>

#include <math.h>
#include <string.h>

ossa_status ossai_result_measure(ossa_context *context, const ossa_frames *keys, ossa_rig_result *result)
{
	ossa_rig *rig = result->rig;
	const ossa_weights *free_weights = rig->free_weights.vertex_count > 0 ? &rig->free_weights : &rig->weights;
	result->bone_rms = ossai_new(context, rig->skeleton.bone_count, sizeof *result->bone_rms);
	if (!result->bone_rms) return ossa_context_error(context)->status;
	OSSAI_TRY(ossa_rig_bone_errors(context, rig, NULL, NULL, keys, result->bone_rms));
	OSSAI_TRY(ossa_rig_measure(context, rig, NULL, NULL, keys, &result->hierarchy));
	return ossa_rig_measure(context, rig, free_weights, rig->free_clip, rig->free_clip ? keys : NULL, &result->free_bones);
}

/* the errors of a fit to all frames, in place of those over the key frames */
static void add_errors(const ossa_metrics *fit, ossa_metrics *metrics)
{
	metrics->rms_percent = fit->rms_percent;
	metrics->max_percent = fit->max_percent;
	metrics->max_vertex = fit->max_vertex;
	metrics->max_frame = fit->max_frame;
	metrics->accu_percent = fit->accu_percent;
	metrics->compression = fit->compression;
	metrics->normal_rms = NAN;
}

ossa_status ossai_result_move(ossa_context *context, ossa_frame_stream *stream, ossa_rig_result *result)
{
	ossa_rig *rig = result->rig;
	ossa_motion_options options = ossa_motion_default();
	options.free_motion = rig->free_clip != NULL;
	ossa_motion_fit *fit = NULL;
	OSSAI_TRY(ossa_rig_fit_motion(context, rig, stream, &options, &fit));
	add_errors(&fit->errors, &result->hierarchy);
	if (rig->free_clip) add_errors(&fit->free_errors, &result->free_bones);
	memcpy(result->bone_rms, fit->bone_rms, rig->skeleton.bone_count * sizeof *fit->bone_rms);
	ossa_rig_take_motion(context, rig, fit);
	ossa_motion_fit_free(context, fit);
	return OSSA_OK;
}
