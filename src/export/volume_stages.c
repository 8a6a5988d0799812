/* export/volume_stages.c: the stages of the volume method, for programs that show points and lines.

   Place in the path: the end.
   Input: stages.
   Output: voxels.ply, medial.ply, heart.ply, extremes.ply, path-voxels.ply, anchors.ply, paths.obj,
   segments.obj. */
#include "base/file.h"
#include "export/bytes.h"
#include "export/print.h"

#include <ossa/mesh.h>
#include <ossa/volume_stages.h>

#include <math.h>
#include <stdio.h>

/* voxels as points: with their depth, perhaps one more number, and a colour */
typedef struct point_cloud {
	const char *name;
	size_t count;
	const uint32_t *voxel; /* NULL: all, in order */
	const char *second;    /* name of the second number, or NULL */
	const float *value;
	const uint8_t *color; /* of all; NULL: of their depth */
	bool has_anchors;     /* with the segments of each */
} point_cloud;

static const uint8_t red[3] = {220, 40, 40}, black[3] = {20, 20, 20};

/* ---- colours ---- */

/* blue at the skin, yellow at the deepest */
static void color_of_depth(double share, uint8_t *color)
{
	static const double skin[3] = {38, 64, 160}, deep[3] = {250, 214, 60};
	for (int k = 0; k < 3; k++) color[k] = (uint8_t)lround(skin[k] + fmin(share, 1) * (deep[k] - skin[k]));
}

/* a hue that differs from those of the numbers before; channels 0 to 1 */
static void color_of_number(uint32_t number, double *channel)
{
	const double hue = 6 * fmod(0.618034 * number, 1);
	for (int k = 0; k < 3; k++) {
		const double away = fabs(fmod(hue + 6 - 2 * k, 6) - 3);
		channel[k] = fmin(fmax(away - 1, 0), 1);
	}
}

/* the mean of the set's segments */
static void color_of_set(const ossa_volume_stages *s, uint32_t set, uint8_t *color)
{
	const uint32_t begin = s->set_starts[set], end = s->set_starts[set + 1];
	double sum[3] = {0, 0, 0}, one[3];
	for (uint32_t i = begin; i < end; i++) {
		color_of_number(s->set_segments[i], one);
		for (int k = 0; k < 3; k++) sum[k] += one[k] / (end - begin);
	}
	for (int k = 0; k < 3; k++) color[k] = (uint8_t)lround(40 + 200 * sum[k]);
}

/* ---- points ---- */

static void print_head(FILE *stream, const point_cloud *cloud)
{
	fprintf(stream, "ply\nformat binary_little_endian 1.0\ncomment made by ossa\nelement vertex %zu\n", cloud->count);
	fputs("property float x\nproperty float y\nproperty float z\nproperty float depth\n", stream);
	if (cloud->second) fprintf(stream, "property float %s\n", cloud->second);
	fputs("property uchar red\nproperty uchar green\nproperty uchar blue\n", stream);
	if (cloud->has_anchors) fputs("property list uint uint segments\n", stream);
	fputs("end_header\n", stream);
}

static void print_number(ossai_printer *printer, uint32_t bits)
{
	uint8_t bytes[4];
	ossai_bytes_put_u32(bytes, bits);
	ossai_print_bytes(printer, (const char *)bytes, sizeof bytes);
}

static void print_float(ossai_printer *printer, float value) { print_number(printer, ossai_bytes_of_float(value)); }

static void print_set(ossai_printer *printer, const ossa_volume_stages *s, uint32_t set)
{
	print_number(printer, s->set_starts[set + 1] - s->set_starts[set]);
	for (uint32_t i = s->set_starts[set]; i < s->set_starts[set + 1]; i++) print_number(printer, s->set_segments[i]);
}

static void print_points(FILE *stream, const ossa_volume_stages *s, const point_cloud *cloud)
{
	float deepest = 0;
	for (size_t i = 0; i < s->interior_count; i++) deepest = fmaxf(deepest, s->depths[i]);
	print_head(stream, cloud);
	ossai_printer printer;
	ossai_print_begin(&printer, stream);
	for (size_t i = 0; i < cloud->count; i++) {
		const size_t voxel = cloud->voxel ? cloud->voxel[i] : i;
		uint8_t color[3];
		for (size_t k = 0; k < 3; k++) print_float(&printer, s->voxels[3 * voxel + k]);
		print_float(&printer, s->depths[voxel]);
		if (cloud->second) print_float(&printer, cloud->value[i]);
		if (cloud->has_anchors) color_of_set(s, s->anchors[voxel], color);
		else color_of_depth((double)s->depths[voxel] / (double)deepest, color);
		ossai_print_bytes(&printer, (const char *)(cloud->color ? cloud->color : color), sizeof color);
		if (cloud->has_anchors) print_set(&printer, s, s->anchors[voxel]);
	}
	ossai_print_end(&printer);
}

/* ---- lines ---- */

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

/* ---- files ---- */

static ossa_status write_file(
	ossa_context *context, const ossa_volume_stages *s, const char *folder, const char *name, const point_cloud *cloud)
{
	char path[4096];
	ossai_output output;
	if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
		return ossai_fail(context, OSSA_ERROR_WRITE, NULL, "%.200s: the path is too long", folder);
	}
	OSSAI_TRY(ossai_output_begin(context, path, &output));
	if (cloud) print_points(output.stream, s, cloud);
	else print_lines(output.stream, s, name[0] == 's');
	return ossai_output_commit(&output);
}

static ossa_status write_all(ossa_context *context, const ossa_volume_stages *s, const char *folder)
{
	const point_cloud clouds[] = {{.name = "voxels.ply", .count = s->interior_count},
		{.name = "medial.ply", .count = s->medial_count, .voxel = s->medial, .second = "exposure", .value = s->exposures},
		{.name = "heart.ply", .count = 1, .voxel = &s->heart, .color = red},
		{.name = "extremes.ply", .count = s->extreme_count, .voxel = s->extremes, .color = black},
		{.name = "path-voxels.ply", .count = s->node_count, .voxel = s->path_voxels},
		{.name = "anchors.ply", .count = s->interior_count, .has_anchors = true}};
	for (size_t i = 0; i < sizeof clouds / sizeof clouds[0]; i++) {
		OSSAI_TRY(write_file(context, s, folder, clouds[i].name, &clouds[i]));
	}
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
