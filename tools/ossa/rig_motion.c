/* tools/ossa/rig_motion.c: fits the motion of an existing rig to frames of its mesh: `ossa rig
   --skeleton`.

   Place in the path: the top, behind `ossa rig`.
   Input: a rig's file, frames in any form.
   Output: the rig with the new motion in place of its own, and a report of its errors. */
#include "command.h"

#include <math.h>
#include <string.h>

ossa_status command_check_motion(command_run *run)
{
	for (size_t i = 0; i < run->given.count; i++) {
		if (!ossa_rig_option_find(run->given.values[i])) continue;
		return command_fail(run, OSSA_ERROR_ARGUMENT,
			"--%s is an option of making a rig; with --skeleton the rig exists already and gets a motion",
			run->given.values[i]);
	}
	return OSSA_OK;
}

static ossa_status check_rig(command_run *run, const char *path, const ossa_rig *rig)
{
	if (rig->mesh->vertex_count > 0) return OSSA_OK;
	return command_fail(run, OSSA_ERROR_INPUT,
		"%s: is a skeleton without a mesh; a motion can be fitted to frames only with the mesh and its weights (ossa convert "
		"--motion carries a skeleton's own motion over to a rig)",
		path);
}

/* whether a file has joints that move */
static bool moves_joints(command_run *run, const char *path)
{
	ossa_clip_facts *clips = NULL;
	size_t count = 0;
	bool moves = false;
	if (ossa_read_contents(run->context, path, NULL, &count, &clips) != OSSA_OK) return false;
	for (size_t i = 0; i < count; i++) moves |= clips[i].moves_joints;
	ossa_free(run->context, clips);
	return moves;
}

ossa_status command_explain_joints(
	command_run *run, ossa_status status, const char *rig, size_t path_count, const char *const *paths)
{
	char message[sizeof run->message];
	if (status != OSSA_ERROR_INPUT || path_count != 1) return status;
	snprintf(message, sizeof message, "%s", ossa_context_error(run->context)->message);
	if (!moves_joints(run, paths[0])) return command_fail(run, status, "%s", message);
	return command_fail(run, status, "%s. The motion of its joints is carried over by: ossa convert %s OUT --motion %s",
		message, rig, paths[0]);
}

/* the metrics of the fit, and those of weights and joints that need no frames */
static ossa_status fill_report(command_run *run, const ossa_rig *rig, const ossa_motion_fit *fit, ossa_report *report)
{
	ossa_metrics hierarchy;
	COMMAND_TRY(ossa_rig_measure(run->context, rig, NULL, NULL, NULL, &hierarchy));
	hierarchy.rms_percent = fit->errors.rms_percent;
	hierarchy.max_percent = fit->errors.max_percent;
	hierarchy.max_vertex = fit->errors.max_vertex;
	hierarchy.max_frame = fit->errors.max_frame;
	hierarchy.accu_percent = fit->errors.accu_percent;
	hierarchy.compression = fit->errors.compression;
	ossa_report_fill(run->context, rig, rig->clip->frame_count, &hierarchy, &fit->free_errors, report);
	report->bone_rms = fit->bone_rms;
	return OSSA_OK;
}

static ossa_status fit_stream(command_run *run, const command_motion *wanted, ossa_frame_stream *stream, ossa_rig *rig,
	ossa_motion_fit **fit, ossa_report *report)
{
	ossa_motion_options options = ossa_motion_default();
	options.free_motion = wanted->free_bones;
	COMMAND_TRY(ossa_rig_fit_motion(run->context, rig, stream, &options, fit));
	ossa_motion_fit_warn(run->context, rig, *fit);
	ossa_rig_take_motion(run->context, rig, *fit);
	return fill_report(run, rig, *fit, report);
}

ossa_status command_fit_motion(command_run *run, const command_motion *wanted, ossa_rig **rig, ossa_frame_stream **stream,
	ossa_motion_fit **fit, ossa_report *report)
{
	/* --frames and --clip select from the frames' file */
	COMMAND_TRY(ossa_read_rig(run->context, wanted->rig, NULL, rig));
	COMMAND_TRY(check_rig(run, wanted->rig, *rig));
	COMMAND_TRY(command_check(run));
	const ossa_status status = ossa_frame_stream_open_matched(
		run->context, (*rig)->mesh, wanted->rest, wanted->path_count, wanted->paths, wanted->keep_order, wanted->read, stream);
	COMMAND_TRY(command_explain_joints(run, status, wanted->rig, wanted->path_count, wanted->paths));
	return fit_stream(run, wanted, *stream, *rig, fit, report);
}
