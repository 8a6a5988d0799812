/* studio/server/report_part.c: how well the rig repeats the input: metrics, errors by frame and by bone, in the state.

   Place in the path: behind the jobs "rig" and "measure". */
#include "server.h"

#include <stdlib.h>

/* of each frame its RMS and its largest error */
static ossa_status frame_errors(studio_work *work, const ossa_rig *rig, const ossa_frames *frames, json_t *report)
{
	const size_t count = frames->frame_count;
	ossa_frame_stream *stream = NULL;
	ossa_frame_error *errors = ossa_alloc(work->context, count, sizeof *errors);
	if (!errors) return OSSA_ERROR_MEMORY;
	ossa_status status = ossa_frame_stream_of_frames(work->context, frames, &stream);
	if (status == OSSA_OK) status = ossa_rig_frame_errors(work->context, rig, NULL, NULL, stream, errors);
	json_t *means = json_array(), *largest = json_array();
	for (size_t i = 0; status == OSSA_OK && i < count; i++) {
		json_array_append_new(means, studio_real(errors[i].rms_percent));
		json_array_append_new(largest, studio_real(errors[i].max_percent));
	}
	json_object_set_new(report, "frame_errors", means);
	json_object_set_new(report, "frame_largest", largest);
	ossa_frame_stream_free(work->context, stream);
	ossa_free(work->context, errors);
	return status;
}

/* whether the rig's own motion is one for these frames */
static bool is_measurable(const ossa_rig *rig, const ossa_frames *frames)
{
	return frames->frame_count > 0 && rig->clip && rig->clip->frame_count == frames->frame_count &&
		rig->mesh->vertex_count == frames->vertex_count;
}

static ossa_status fill(
	studio_work *work, const ossa_rig *rig, const ossa_frames *frames, double *bone_errors, ossa_report *report)
{
	STUDIO_TRY(ossa_report_make(work->context, rig, frames, report));
	if (!frames) return OSSA_OK;
	report->bone_rms = bone_errors;
	return ossa_rig_bone_errors(work->context, rig, NULL, NULL, frames, bone_errors);
}

static ossa_status put_report(
	studio_work *work, const ossa_report *report, const ossa_frames *frames, const double *bone_errors)
{
	char *text = NULL;
	STUDIO_TRY(ossa_report_json(work->context, report, &text));
	json_t *told = json_loads(text, 0, NULL);
	ossa_free(work->context, text);
	if (!told) return studio_work_fail(work, OSSA_ERROR_MEMORY, "out of memory for the report");
	json_object_set_new(told, "revision", json_integer(work->session->revision + 1));
	json_object_set_new(told, "frame_errors", json_array());
	json_object_set_new(
		told, "bone_errors", frames ? studio_reals(bone_errors, report->rig->skeleton.bone_count) : json_array());
	const ossa_status status = frames ? frame_errors(work, report->rig, frames, told) : OSSA_OK;
	json_object_set_new(studio_state_of(work->facts), "report", told);
	return status;
}

ossa_status studio_state_report(studio_work *work, const ossa_rig *rig, const studio_frames *input)
{
	ossa_report report;
	const ossa_frames *frames = is_measurable(rig, &input->frames) ? &input->frames : NULL;
	double *bone_errors = ossa_alloc(work->context, rig->skeleton.bone_count + 1, sizeof *bone_errors);
	if (!bone_errors) return OSSA_ERROR_MEMORY;
	ossa_status status = fill(work, rig, frames, bone_errors, &report);
	if (status == OSSA_OK) status = put_report(work, &report, frames, bone_errors);
	if (status == OSSA_OK) status = studio_state_rig(work, rig, frames ? bone_errors : NULL);
	ossa_free(work->context, bone_errors);
	return status;
}
