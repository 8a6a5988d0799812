/* export/contraction_stages.c: the stages of the contraction method, for programs that show meshes,
   points and lines.

   Place in the path: the end.
   Input: stages.
   Output: graph.obj, step-01.obj and so on, points.ply, curve.obj. */
#include "base/file.h"
#include "export/bytes.h"
#include "export/print.h"

#include <ossa/contraction_stages.h>
#include <ossa/mesh.h>

#include <stdio.h>

/* What is written to one file; `step` is of graphs. */
typedef struct stage_file {
	const ossa_contraction_stages *stages;
	const char *name;
	void (*print)(FILE *stream, const ossa_contraction_stages *stages, size_t step);
	size_t step;
} stage_file;

static void print_positions(ossai_printer *printer, size_t count, const double *positions)
{
	for (size_t i = 0; i < 3 * count; i++) {
		ossai_print_text(printer, i % 3 == 0 ? "v " : " ");
		ossai_print_double(printer, positions[i]);
		if (i % 3 == 2) ossai_print_char(printer, '\n');
	}
}

static void print_lines(ossai_printer *printer, const char *name, size_t count, const uint32_t *ends)
{
	if (count > 0) ossai_print_format(printer, "g %s\n", name);
	for (size_t i = 0; i < count; i++) ossai_print_format(printer, "l %u %u\n", ends[2 * i] + 1, ends[2 * i + 1] + 1);
}

/* the mesh graph before the contraction, or after a step of it */
static void print_graph(FILE *stream, const ossa_contraction_stages *s, size_t step)
{
	ossai_printer printer;
	ossai_print_begin(&printer, stream);
	ossai_print_format(&printer, "# mesh graph after %zu steps of contraction, made by ossa\no graph\n", step);
	print_positions(&printer, s->vertex_count, s->positions + 3 * step * s->vertex_count);
	ossai_print_text(&printer, "g faces\n");
	for (size_t f = 0; f < s->face_count; f++) {
		const uint32_t *t = s->triangles + 3 * f;
		ossai_print_format(&printer, "f %u %u %u\n", t[0] + 1, t[1] + 1, t[2] + 1);
	}
	print_lines(&printer, "joined", s->join_count, s->joins);
	if (step == 0) print_lines(&printer, "split", s->split_count, s->splits);
	ossai_print_end(&printer);
}

static void print_curve(FILE *stream, const ossa_contraction_stages *s, size_t step)
{
	(void)step;
	ossai_printer printer;
	ossai_print_begin(&printer, stream);
	ossai_print_format(&printer, "# curve of control points, made by ossa; the root is vertex %zu\no curve\n", s->root + 1);
	print_positions(&printer, s->point_count, s->centers);
	print_lines(&printer, "tree", s->curve_count, s->curve);
	print_lines(&printer, "cut", s->cut_count, s->cuts);
	ossai_print_end(&printer);
}

/* control points as the collapse leaves them, with the volumes of their regions */
static void print_points(FILE *stream, const ossa_contraction_stages *s, size_t step)
{
	(void)step;
	fprintf(stream, "ply\nformat ascii 1.0\ncomment made by ossa\nelement vertex %zu\n", s->point_count);
	fputs("property double x\nproperty double y\nproperty double z\nproperty double volume\nproperty uint vertices\n", stream);
	fputs("end_header\n", stream);
	ossai_printer printer;
	ossai_print_begin(&printer, stream);
	for (size_t i = 0; i < s->point_count; i++) {
		uint32_t vertices = 0;
		for (size_t v = 0; v < s->vertex_count; v++) vertices += s->graph_points[v] == i;
		for (size_t k = 0; k < 3; k++) {
			ossai_print_double(&printer, s->points[3 * i + k]);
			ossai_print_char(&printer, ' ');
		}
		ossai_print_double(&printer, s->volumes[i]);
		ossai_print_format(&printer, " %u\n", vertices);
	}
	ossai_print_end(&printer);
}

static ossa_status write_file(ossa_context *context, const stage_file *file, const char *folder)
{
	char path[4096];
	ossai_output output;
	if (snprintf(path, sizeof path, "%s/%s", folder, file->name) >= (int)sizeof path) {
		return ossai_fail(context, OSSA_ERROR_WRITE, NULL, "%.200s: the path is too long", folder);
	}
	OSSAI_TRY(ossai_output_begin(context, path, &output));
	file->print(output.stream, file->stages, file->step);
	return ossai_output_commit(&output);
}

static ossa_status write_all(ossa_context *context, const ossa_contraction_stages *s, const char *folder)
{
	const stage_file files[] = {
		{s, "graph.obj", print_graph, 0}, {s, "points.ply", print_points, 0}, {s, "curve.obj", print_curve, 0}};
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) OSSAI_TRY(write_file(context, &files[i], folder));
	for (size_t step = 1; step <= s->step_count; step++) {
		char name[32];
		snprintf(name, sizeof name, "step-%02zu.obj", step);
		OSSAI_TRY(write_file(context, &(stage_file){s, name, print_graph, step}, folder));
	}
	return OSSA_OK;
}

ossa_status ossa_contraction_stages_write(ossa_context *context, const ossa_contraction_stages *stages, const char *folder)
{
	OSSAI_NEED(context, stages, folder);
	ossai_batch batch;
	ossai_batch_begin(context, &batch);
	return ossai_batch_end(&batch, write_all(context, stages, folder));
}
