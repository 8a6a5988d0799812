/* tools/ossa/compare_holdout.c: `ossa compare --holdout`: the errors of a method's rig on frames
   that it was not made from.

   Place in the path: the top.
   Input: a mesh and its frames, the options of a method.
   Output: errors on the frames fitted, held out, and on all. */
#include "compare.h"

#include <string.h>

typedef struct holdout_work {
	const compare_options *own;
	ossa_mesh *mesh;
	ossa_frame_stream *stream;
	ossa_frames *fitted, *held;
	ossa_rig *rig;
	ossa_holdout holdout;
} holdout_work;

/* ---- frames ---- */

static ossa_status open_frames(command_run *run, holdout_work *work)
{
	const command_file_options *files = run->options[COMPARE_FILES];
	const ossa_read_options *options = run->options[COMPARE_READ];
	const char *const *paths = run->files.values;
	if (run->files.count > 1) {
		COMMAND_TRY(ossa_read_mesh(run->context, paths[0], options, &work->mesh));
		return ossa_frame_stream_open(
			run->context, work->mesh, run->files.count - 1, paths + 1, files->keep_order, options, &work->stream);
	}
	COMMAND_TRY(ossa_frame_stream_open_animation(run->context, paths[0], options, &work->mesh, &work->stream));
	if (work->stream) return OSSA_OK;
	return command_fail(run, OSSA_ERROR_INPUT, "%s: is one mesh that does not move; name frames of it too", paths[0]);
}

static bool is_held(const holdout_work *work, size_t frame, size_t count)
{
	if (work->own->split == COMPARE_SPLIT_HALVES) return frame >= (count + 1) / 2;
	return frame % 2 == 1;
}

static ossa_status take_frames(command_run *run, holdout_work *work, bool held, ossa_frames **frames)
{
	const size_t count = ossa_frame_stream_frame_count(work->stream);
	size_t taken = 0, *indices = ossa_alloc(run->context, count, sizeof *indices);
	if (!indices) return ossa_context_error(run->context)->status;
	for (size_t f = 0; f < count; f++) {
		if (is_held(work, f, count) == held) indices[taken++] = f;
	}
	const ossa_status status = ossa_frame_stream_frames(run->context, work->stream, taken, indices, frames);
	ossa_free(run->context, indices);
	return status;
}

static ossa_status read_frames(command_run *run, holdout_work *work)
{
	COMMAND_TRY(open_frames(run, work));
	const size_t count = ossa_frame_stream_frame_count(work->stream);
	if (count < 2) return command_fail(run, OSSA_ERROR_INPUT, "%zu frame cannot be divided; give at least two", count);
	COMMAND_TRY(take_frames(run, work, false, &work->fitted));
	COMMAND_TRY(take_frames(run, work, true, &work->held));
	ossa_frame_stream_free(run->context, work->stream);
	work->stream = NULL;
	return OSSA_OK;
}

/* ---- reporting ---- */

/* where a metric's three values are: of the frames fitted, held out, all */
typedef struct error_row {
	const char *name; /* of a metric of ossa_metrics */
	size_t offset;    /* in ossa_holdout_errors, of double[3] */
} error_row;

static const error_row rows[] = {
	{"rms_percent", offsetof(ossa_holdout_errors, rms_percent)},
	{"max_percent", offsetof(ossa_holdout_errors, max_percent)},
	{"accu_percent", offsetof(ossa_holdout_errors, accu_percent)},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static const double *row_values(const ossa_holdout_errors *errors, const error_row *row)
{
	return (const double *)(const void *)((const char *)errors + row->offset);
}

static json_t *errors_json(const ossa_holdout_errors *errors)
{
	json_t *value = json_object();
	for (int i = 0; i < ROW_COUNT; i++) {
		const double *at = row_values(errors, &rows[i]);
		json_object_set_new(value, rows[i].name,
			json_pack("{s:o, s:o, s:o}", "fitted", command_json_real(at[0]), "held", command_json_real(at[1]), "all",
				command_json_real(at[2])));
	}
	return value;
}

static ossa_status print_json(command_run *run, const holdout_work *work)
{
	const ossa_holdout *h = &work->holdout;
	return command_print_json(run,
		json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:s, s:o, s:o, s:f, s:o}", "mesh", run->files.values[0], "method",
			work->rig->method, "vertices", (json_int_t)work->mesh->vertex_count, "bones",
			(json_int_t)work->rig->skeleton.bone_count, "shapes", (json_int_t)ossa_rig_shape_count(work->rig), "fitted",
			(json_int_t)h->fitted_count, "held", (json_int_t)h->held_count, "split",
			work->own->split == COMPARE_SPLIT_HALVES ? "halves" : "alternate", "hierarchy", errors_json(&h->hierarchy),
			"free_bones", work->rig->free_clip ? errors_json(&h->free_bones) : json_null(), "cpu_seconds",
			command_cpu_seconds(), "warnings", command_json_warnings(run)));
}

static void print_errors(const char *title, const ossa_holdout_errors *errors)
{
	printf("\n%-24s %12s %12s %12s\n", title, "fitted", "held", "all");
	for (int i = 0; i < ROW_COUNT; i++) {
		const double *at = row_values(errors, &rows[i]);
		const ossa_metric_field *field = ossa_metric_find(ossa_metrics_table(), rows[i].name);
		printf("%-24s %12.4g %12.4g %12.4g  %s\n", field->title, at[0], at[1], at[2], field->unit);
	}
}

static void print_table(const command_run *run, const holdout_work *work)
{
	const ossa_holdout *h = &work->holdout;
	printf("%-10s %s: %zu vertices, %zu faces\n", "model", run->files.values[0], work->mesh->vertex_count,
		work->mesh->polygon_count);
	printf("%-10s %zu fitted, %zu held out (%s)\n", "frames", h->fitted_count, h->held_count,
		work->own->split == COMPARE_SPLIT_HALVES ? "the later half" : "every other one");
	printf("%-10s %zu, method %s\n", "bones", work->rig->skeleton.bone_count, work->rig->method);
	if (ossa_rig_shape_count(work->rig) > 0) printf("%-10s %zu corrective\n", "shapes", ossa_rig_shape_count(work->rig));
	print_errors("hierarchy", &h->hierarchy);
	if (work->rig->free_clip) print_errors("free bones", &h->free_bones);
}

static ossa_status make_rig(command_run *run, holdout_work *work)
{
	ossa_rig_input input = {.mesh = work->mesh};
	ossa_rig_result made;
	COMMAND_TRY(ossa_frame_stream_of_frames(run->context, work->fitted, &input.frames));
	ossa_status status = ossa_rig_make(run->context, &input, &run->rig, &made);
	const ossa_shape_options *shapes = run->options[COMPARE_SHAPES];
	const bool has_shapes = status == OSSA_OK && shapes->add_shapes > 0;
	if (has_shapes) status = ossa_rig_add_shapes(run->context, made.rig, input.frames, shapes, NULL, NULL);
	ossa_frame_stream_free(run->context, input.frames);
	work->rig = made.rig;
	made.rig = NULL;
	ossa_rig_result_free(run->context, &made);
	return status;
}

static ossa_status hold_out(command_run *run, holdout_work *work)
{
	if (command_text_value(run, COMPARE_TRUTH))
		return command_fail(
			run, OSSA_ERROR_ARGUMENT, "--truth is for a rig in a file; --holdout makes one from half of the frames");
	COMMAND_TRY(command_check_method(run));
	COMMAND_TRY(read_frames(run, work));
	COMMAND_TRY(make_rig(run, work));
	COMMAND_TRY(ossa_holdout_measure(run->context, work->rig, work->fitted, work->held, &work->holdout));
	if (run->shared.json) return print_json(run, work);
	if (command_prints_text(run)) print_table(run, work);
	return OSSA_OK;
}

ossa_status compare_holdout(command_run *run)
{
	holdout_work work = {.own = run->options[COMPARE_OWN]};
	const ossa_status status = hold_out(run, &work);
	ossa_rig_free(run->context, work.rig);
	ossa_frames_free(run->context, work.held);
	ossa_frames_free(run->context, work.fitted);
	ossa_frame_stream_free(run->context, work.stream);
	ossa_mesh_free(run->context, work.mesh);
	return status;
}
