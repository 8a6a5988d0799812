/* bench/bench_read.c: speed of reading files: megabytes a second on one core, the median of several
   runs.

   Files of about 50 MB are made in a temporary folder: OBJ with v, vt, vn and f a/b/c lines as
   Blender writes them, OBJ with v and f alone, PLY; and of about 100 MB: GLB of a mesh with
   texture coordinates and of a rig of 30 bones, as ossa writes them. Table: key, value, unit. */
#include "base/clock.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 5, SIDE = 700 };

/* a wavy grid of SIDE x SIDE vertices */
static void grid_vertex(int i, float p[3])
{
	const int x = i % SIDE, y = i / SIDE;
	p[0] = (float)x * 0.0123F - 3;
	p[1] = (float)y * 0.0119F - 3;
	p[2] = (float)((x * 7919 + y * 104729) % 10007) * 1e-5F;
}

/* the four corners of cell i, counter-clockwise */
static void grid_cell(int i, unsigned corners[4])
{
	const unsigned x = (unsigned)(i % (SIDE - 1)), y = (unsigned)(i / (SIDE - 1));
	const unsigned a = y * SIDE + x;
	const unsigned cell[] = {a, a + 1, a + SIDE + 1, a + SIDE};
	memcpy(corners, cell, sizeof cell);
}

static const char *write_obj(const char *name, bool attributes)
{
	const char *path = test_path(name);
	FILE *stream = fopen(path, "wb");
	if (!stream) exit(1);
	float p[3];
	unsigned c[4];
	for (int i = 0; i < SIDE * SIDE; i++) {
		grid_vertex(i, p);
		fprintf(stream, "v %.6f %.6f %.6f\n", (double)p[0], (double)p[1], (double)p[2]);
		if (attributes)
			fprintf(stream, "vt %.6f %.6f\nvn %.4f %.4f %.4f\n", (double)p[0], (double)p[1], 0.0, (double)p[2], 1.0);
	}
	for (int i = 0; i < (SIDE - 1) * (SIDE - 1); i++) {
		grid_cell(i, c);
		for (int k = 1; k < 3; k++) {
			const unsigned t[] = {c[0] + 1, c[k] + 1, c[k + 1] + 1};
			if (!attributes) fprintf(stream, "f %u %u %u\n", t[0], t[1], t[2]);
			else fprintf(stream, "f %u/%u/%u %u/%u/%u %u/%u/%u\n", t[0], t[0], t[0], t[1], t[1], t[1], t[2], t[2], t[2]);
		}
	}
	fclose(stream);
	return path;
}

static const char *write_ply(const char *name, bool ascii)
{
	const char *path = test_path(name);
	FILE *stream = fopen(path, "wb");
	if (!stream) exit(1);
	fprintf(stream,
		"ply\nformat %s 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\nelement face %d\n"
		"property list uchar int vertex_indices\nend_header\n",
		ascii ? "ascii" : "binary_little_endian", SIDE * SIDE, (SIDE - 1) * (SIDE - 1));
	for (int i = 0; i < SIDE * SIDE; i++) {
		float p[3];
		grid_vertex(i, p);
		if (ascii) fprintf(stream, "%.7g %.7g %.7g\n", (double)p[0], (double)p[1], (double)p[2]);
		else fwrite(p, sizeof p, 1, stream);
	}
	for (int i = 0; i < (SIDE - 1) * (SIDE - 1); i++) {
		unsigned c[4];
		grid_cell(i, c);
		if (ascii) fprintf(stream, "4 %u %u %u %u\n", c[0], c[1], c[2], c[3]);
		else {
			fputc(4, stream);
			fwrite(c, sizeof c, 1, stream);
		}
	}
	fclose(stream);
	return path;
}

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double megabytes(const char *path)
{
	FILE *stream = fopen(path, "rb");
	if (!stream) exit(1);
	fseek(stream, 0, SEEK_END);
	const long size = ftell(stream);
	fclose(stream);
	return (double)size / 1e6;
}

/* reads `path` as a mesh, as a pose of `rest`, or as a rig */
static void measure(ossa_context *context, const char *key, const char *path, const ossa_mesh *rest, bool is_rig)
{
	double seconds[RUNS];
	for (int i = 0; i < RUNS; i++) {
		const double begin = ossai_cpu_seconds();
		ossa_mesh *mesh = NULL;
		ossa_frames *frames = NULL;
		ossa_rig *rig = NULL;
		const ossa_status status = is_rig ? ossa_read_rig(context, path, NULL, &rig)
			: rest                        ? ossa_read_frames(context, rest, 1, &path, false, NULL, &frames)
										  : ossa_read_mesh(context, path, NULL, &mesh);
		if (status != OSSA_OK) {
			fprintf(stderr, "%s\n", ossa_context_error(context)->message);
			exit(1);
		}
		seconds[i] = ossai_cpu_seconds() - begin;
		ossa_mesh_free(context, mesh);
		ossa_frames_free(context, frames);
		ossa_rig_free(context, rig);
	}
	qsort(seconds, RUNS, sizeof seconds[0], compare_doubles);
	printf("%-24s %8.1f MB/s\n%-24s %8.1f MB\n", key, megabytes(path) / seconds[RUNS / 2], "  size", megabytes(path));
}

/* ---- GLB ---- */

static void require(ossa_context *context, ossa_status status)
{
	if (status == OSSA_OK) return;
	fprintf(stderr, "%s\n", ossa_context_error(context)->message);
	exit(1);
}

/* the grid with `side` x `side` vertices and texture coordinates */
static ossa_mesh *make_grid(ossa_context *context, uint32_t side)
{
	const size_t vertices = (size_t)side * side, triangles = 2 * (size_t)(side - 1) * (side - 1);
	float *positions = ossa_alloc(context, vertices, 3 * sizeof *positions);
	uint32_t *corners = ossa_alloc(context, triangles, 3 * sizeof *corners), *at = corners;
	ossa_mesh *mesh;
	if (!positions || !corners) exit(1);
	for (uint32_t i = 0; i < vertices; i++) {
		const float p[3] = {(float)(i % side) * 0.01F, (float)(i / side) * 0.01F, (float)(i % 101) * 1e-4F};
		memcpy(positions + 3 * (size_t)i, p, sizeof p);
	}
	for (uint32_t i = 0; i < (side - 1) * (side - 1); i++) {
		const uint32_t a = i / (side - 1) * side + i % (side - 1),
					   cell[6] = {a, a + 1, a + side, a + side, a + 1, a + side + 1};
		memcpy(at, cell, sizeof cell);
		at += 6;
	}
	require(context, ossa_mesh_create(context, vertices, positions, triangles, corners, &mesh));
	mesh->texcoord_count = vertices;
	mesh->texcoords = ossa_alloc(context, vertices, 2 * sizeof *mesh->texcoords);
	mesh->corner_texcoord = corners;
	if (!mesh->texcoords) exit(1);
	for (size_t i = 0; i < vertices; i++) memcpy(mesh->texcoords + 2 * i, positions + 3 * i, 2 * sizeof *positions);
	ossa_free(context, positions);
	return mesh;
}

/* a chain along x that bends a little; every vertex follows the two bones about it */
static ossa_rig *make_rig(ossa_context *context, const ossa_mesh *mesh, uint32_t side)
{
	enum { BONES = 30, FRAMES = 60 };
	const double length = 0.01 * side / BONES;
	ossa_rig *rig;
	require(context, ossa_rig_create(context, mesh, BONES, 4, &rig));
	require(context, ossa_clip_create(context, FRAMES, BONES, false, &rig->clip));
	for (int b = 0; b < BONES; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		snprintf(bone->name, sizeof bone->name, "bone_%02d", b);
		bone->parent = b - 1;
		if (b == 0) bone->kind = OSSA_JOINT_ROOT;
		bone->joint[0] = b * length;
		bone->tail[0] = (b + 1) * length;
		bone->orientation[3] = 1;
	}
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		const float place = (float)(v % side) * (BONES - 1) / (float)side, share = place - floorf(place);
		const uint16_t first = (uint16_t)place, second = (uint16_t)(first + 1);
		const bool swap = share > 0.5F;
		rig->weights.bones[4 * v] = swap ? second : first;
		rig->weights.bones[4 * v + 1] = swap ? first : share > 0 ? second : 0;
		rig->weights.values[4 * v] = swap ? share : 1 - share;
		rig->weights.values[4 * v + 1] = swap ? 1 - share : share;
	}
	for (size_t f = 0; f < FRAMES; f++) {
		rig->clip->times[f] = (double)f / 24;
		for (size_t b = 0; b < BONES; b++) {
			const double half = 0.05 * sin(0.1 * (double)f + (double)b);
			double *turn = rig->clip->rotations + 4 * (f * BONES + b);
			turn[2] = sin(half);
			turn[3] = cos(half);
		}
	}
	return rig;
}

/* about 100 MB of each */
static void measure_glb(ossa_context *context)
{
	const struct {
		const char *key, *file;
		uint32_t side;
	} cases[] = {{"glb-mesh", "mesh.glb", 1340}, {"glb-rig", "rig.glb", 1150}};
	for (size_t i = 0; i < 2; i++) {
		ossa_mesh *mesh = make_grid(context, cases[i].side);
		ossa_rig *rig = i == 1 ? make_rig(context, mesh, cases[i].side) : NULL;
		const char *path = test_path(cases[i].file);
		require(context, rig ? ossa_write_rig(context, rig, path, NULL) : ossa_write_mesh(context, mesh, NULL, path, NULL));
		ossa_rig_free(context, rig);
		ossa_mesh_free(context, mesh);
		measure(context, cases[i].key, path, NULL, i == 1);
	}
}

int main(void)
{
	ossa_context *context = test_context(1);
	const char *obj = write_obj("full.obj", true), *plain = write_obj("plain.obj", false);
	ossa_mesh *rest;
	if (ossa_read_mesh(context, plain, NULL, &rest) != OSSA_OK) return 1;
	measure(context, "obj", obj, NULL, false);
	measure(context, "obj-v-f", plain, NULL, false);
	measure(context, "obj-pose", plain, rest, false);
	measure(context, "ply-ascii", write_ply("ascii.ply", true), NULL, false);
	measure(context, "ply-binary", write_ply("binary.ply", false), NULL, false);
	ossa_mesh_free(context, rest);
	measure_glb(context);
	test_context_end(context);
	return 0;
}
