/* studio/server/report_part.c: the errors of the rig against the input: metrics, errors by frame
   and by bone, in the state.

   Place in the path: behind the jobs "rig" and "measure". */
#include "server.h"

#include <stdlib.h>
#include <time.h>

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

/* whether the rig's own motion belongs to these frames */
static bool is_measurable(const ossa_rig *rig, const ossa_frames *frames)
{
	return frames->frame_count > 0 && rig->clip && rig->clip->frame_count == frames->frame_count &&
		rig->mesh->vertex_count == frames->vertex_count;
}

static double seconds_of(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void studio_work_clock(studio_work *work)
{
	work->wall_begin = seconds_of(CLOCK_MONOTONIC);
	work->cpu_begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

void studio_work_cost(studio_work *work)
{
	json_object_set_new(work->facts, "wall_seconds", json_real(seconds_of(CLOCK_MONOTONIC) - work->wall_begin));
	json_object_set_new(work->facts, "cpu_seconds", json_real(seconds_of(CLOCK_PROCESS_CPUTIME_ID) - work->cpu_begin));
}

static ossa_status fill(
	studio_work *work, const ossa_rig *rig, const ossa_frames *frames, double *bone_errors, ossa_report *report)
{
	const json_t *state = studio_state_of(work->facts);
	STUDIO_TRY(ossa_report_make(work->context, rig, frames, report));
	report->wall_seconds = json_number_value(json_object_get(work->facts, "wall_seconds"));
	report->cpu_seconds = json_number_value(json_object_get(work->facts, "cpu_seconds"));
	report->input = json_string_value(json_object_get(state, "title"));
	report->reason = json_string_value(json_object_get(state, "reason"));
	report->key_frame_count = (size_t)json_integer_value(json_object_get(work->facts, "key_frames"));
	if (!frames) return OSSA_OK;
	report->bone_rms = bone_errors;
	return ossa_rig_bone_errors(work->context, rig, NULL, NULL, frames, bone_errors);
}

static ossa_status put_report(
	studio_work *work, const ossa_report *report, const ossa_frames *frames, const double *bone_errors)
{
	char *text = NULL;
	STUDIO_TRY(ossa_report_json(work->context, report, &text));
	json_t *parsed = json_loads(text, 0, NULL);
	ossa_free(work->context, text);
	if (!parsed) return studio_work_fail(work, OSSA_ERROR_MEMORY, "out of memory for the report");
	json_object_set_new(parsed, "revision", json_integer(work->session->revision + 1));
	json_object_set_new(parsed, "frame_errors", json_array());
	json_object_set_new(
		parsed, "bone_errors", frames ? studio_reals(bone_errors, report->rig->skeleton.bone_count) : json_array());
	const ossa_status status = frames ? frame_errors(work, report->rig, frames, parsed) : OSSA_OK;
	json_object_set_new(studio_state_of(work->facts), "report", parsed);
	return status;
}

/* the same as an HTML document */
static ossa_status write_page(studio_work *work, ossa_report *report, const ossa_frames *frames)
{
	char path[STUDIO_PATH_SIZE];
	STUDIO_TRY(studio_new_file(work, "report", "html", path));
	if (frames) STUDIO_TRY(ossa_frame_stream_of_frames(work->context, frames, &report->frames));
	const ossa_status status = ossa_report_write(work->context, report, path);
	ossa_frame_stream_free(work->context, report->frames);
	return status;
}

ossa_status studio_state_report(studio_work *work, const ossa_rig *rig, const studio_frames *input, bool with_page)
{
	ossa_report report;
	const ossa_frames *frames = is_measurable(rig, &input->frames) ? &input->frames : NULL;
	double *bone_errors = ossa_alloc(work->context, rig->skeleton.bone_count + 1, sizeof *bone_errors);
	if (!bone_errors) return OSSA_ERROR_MEMORY;
	ossa_status status = fill(work, rig, frames, bone_errors, &report);
	if (status == OSSA_OK) status = put_report(work, &report, frames, bone_errors);
	studio_forget(work, "report");
	if (status == OSSA_OK && with_page) status = write_page(work, &report, frames);
	if (status == OSSA_OK) status = studio_state_rig(work, rig, frames ? bone_errors : NULL);
	ossa_free(work->context, bone_errors);
	return status;
}
