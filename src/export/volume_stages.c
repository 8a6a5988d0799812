/* export/volume_stages.c: the stages of the volume method, for programs that show points and lines.

   Place in the path: the end.
   Input: stages.
   Output: voxels.ply, medial.ply, paths.obj, segments.obj. */
#include "base/file.h"
#include "export/bytes.h"
#include "export/print.h"

#include <ossa/mesh.h>
#include <ossa/volume_stages.h>

#include <stdio.h>

/* points with two numbers each */
typedef struct point_cloud {
	const ossa_volume_stages *stages;
	size_t count;
	const uint32_t *voxel; /* NULL: all, in order */
	const char *second;    /* name of the second number, or NULL */
	const float *value;
} point_cloud;

static void print_points(FILE *stream, const point_cloud *cloud)
{
	fprintf(stream, "ply\nformat binary_little_endian 1.0\ncomment made by ossa\nelement vertex %zu\n", cloud->count);
	fputs("property float x\nproperty float y\nproperty float z\nproperty float depth\n", stream);
	if (cloud->second) fprintf(stream, "property float %s\n", cloud->second);
	fputs("end_header\n", stream);
	ossai_printer printer;
	ossai_print_begin(&printer, stream);
	for (size_t i = 0; i < cloud->count; i++) {
		const size_t voxel = cloud->voxel ? cloud->voxel[i] : i;
		uint8_t row[20];
		for (size_t k = 0; k < 3; k++) {
			ossai_bytes_put_u32(row + 4 * k, ossai_bytes_of_float(cloud->stages->voxels[3 * voxel + k]));
		}
		ossai_bytes_put_u32(row + 12, ossai_bytes_of_float(cloud->stages->depths[voxel]));
		if (cloud->second) ossai_bytes_put_u32(row + 16, ossai_bytes_of_float(cloud->value[i]));
		ossai_print_bytes(&printer, (const char *)row, cloud->second ? 20 : 16);
	}
	ossai_print_end(&printer);
}

/* nodes of the path tree, and lines between them: each to its parent, or the segments */
static void print_lines(FILE *stream, const ossa_volume_stages *s, bool of_segments)
{
	ossai_printer printer;
	ossai_print_begin(&printer, stream);
	ossai_print_format(&printer, "# %s, made by ossa\no %s\n", of_segments ? "skeletal graph" : "path tree",
		of_segments ? "segments" : "paths");
	for (size_t i = 0; i < 3 * s->node_count; i++) {
		ossai_print_text(&printer, i % 3 == 0 ? "v " : " ");
		ossai_print_float(&printer, s->nodes[i]);
		if (i % 3 == 2) ossai_print_char(&printer, '\n');
	}
	const size_t count = of_segments ? s->segment_count : s->node_count;
	for (size_t i = 0; i < count; i++) {
		const uint32_t from = of_segments ? s->segments[2 * i] : s->parents[i];
		const uint32_t to = of_segments ? s->segments[2 * i + 1] : (uint32_t)i;
		if (from != OSSA_NONE) ossai_print_format(&printer, "l %u %u\n", from + 1, to + 1);
	}
	ossai_print_end(&printer);
}

static ossa_status write_file(
	ossa_context *context, const ossa_volume_stages *s, const char *folder, const char *name, const point_cloud *cloud)
{
	char path[4096];
	ossai_output output;
	if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
		return ossai_fail(context, OSSA_ERROR_WRITE, NULL, "%.200s: the path is too long", folder);
	}
	OSSAI_TRY(ossai_output_begin(context, path, &output));
	if (cloud) print_points(output.stream, cloud);
	else print_lines(output.stream, s, name[0] == 's');
	return ossai_output_commit(&output);
}

static ossa_status write_all(ossa_context *context, const ossa_volume_stages *s, const char *folder)
{
	const point_cloud voxels = {.stages = s, .count = s->interior_count};
	const point_cloud medial = {
		.stages = s, .count = s->medial_count, .voxel = s->medial, .second = "exposure", .value = s->exposures};
	OSSAI_TRY(write_file(context, s, folder, "voxels.ply", &voxels));
	OSSAI_TRY(write_file(context, s, folder, "medial.ply", &medial));
	OSSAI_TRY(write_file(context, s, folder, "paths.obj", NULL));
	return write_file(context, s, folder, "segments.obj", NULL);
}

ossa_status ossa_volume_stages_write(ossa_context *context, const ossa_volume_stages *stages, const char *folder)
{
	OSSAI_NEED(context, stages, folder);
	ossai_batch batch;
	ossai_batch_begin(context, &batch);
	return ossai_batch_end(&batch, write_all(context, stages, folder));
}
