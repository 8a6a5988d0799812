/* tools/ossa/error_curve.c: `ossa rig --error-curve`: how many bones the poses need.

   Place in the path: the top, behind `ossa rig`.
   Input: the rest mesh and frames of a rig.
   Output: the errors by the number of bones as tables or plots. */
#include "command.h"

#include <ossa/error_curve.h>

/* numbers of bones: to twice the rig's, within these */
enum { CURVE_LEAST = 30, CURVE_MOST = 64 };

ossa_status command_check_curves(command_run *run, size_t text)
{
	for (size_t i = 0; i < run->texts[text].count; i++) {
		COMMAND_TRY(ossa_error_curve_check(run->context, run->texts[text].values[i]));
		COMMAND_TRY(command_check_output(run, run->texts[text].values[i]));
	}
	return OSSA_OK;
}

ossa_status command_check_curve_frames(command_run *run, size_t text, ossa_frame_stream *stream)
{
	if (run->texts[text].count == 0 || (stream && ossa_frame_stream_frame_count(stream) > 0)) return OSSA_OK;
	return command_fail(run, OSSA_ERROR_ARGUMENT, "--error-curve needs poses or an animation: one mesh alone has no errors");
}

/* the frames that skeleton and weights were made of */
static ossa_status read_keys(command_run *run, const ossa_mesh *mesh, ossa_frame_stream *stream, ossa_frames **keys)
{
	const size_t wanted = (size_t)run->rig.key_frames;
	if (wanted == 0 || ossa_frame_stream_frame_count(stream) <= wanted) {
		return ossa_frame_stream_frames(run->context, stream, 0, NULL, keys);
	}
	size_t count = 0, *indices = ossa_alloc(run->context, wanted, sizeof *indices);
	if (!indices) return ossa_context_error(run->context)->status;
	ossa_status status = ossa_frame_stream_choose(run->context, stream, mesh, wanted, indices, &count);
	if (status == OSSA_OK) status = ossa_frame_stream_frames(run->context, stream, count, indices, keys);
	ossa_free(run->context, indices);
	return status;
}

static size_t most_bones(const ossa_rig *rig)
{
	const size_t twice = 2 * rig->skeleton.bone_count;
	if (twice > CURVE_MOST) return CURVE_MOST;
	return twice < CURVE_LEAST ? CURVE_LEAST : twice;
}

ossa_status command_write_curves(command_run *run, size_t text, const ossa_rig *rig, ossa_frame_stream *stream)
{
	const command_values *paths = &run->texts[text];
	if (paths->count == 0) return OSSA_OK;
	const ossa_examples_options *options = run->rig.methods ? ossa_method_options_of(run->rig.methods, "examples") : NULL;
	ossa_frames *keys = NULL;
	ossa_error_curve *curve = NULL;
	ossa_status status = read_keys(run, rig->mesh, stream, &keys);
	if (status == OSSA_OK) status = ossa_error_curve_make(run->context, rig->mesh, keys, options, most_bones(rig), &curve);
	for (size_t i = 0; status == OSSA_OK && i < paths->count; i++) {
		status = ossa_error_curve_write(run->context, curve, rig->skeleton.bone_count, paths->values[i]);
	}
	ossa_error_curve_free(run->context, curve);
	ossa_frames_free(run->context, keys);
	return status;
}
