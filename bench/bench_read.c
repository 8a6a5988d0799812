/* bench/bench_read.c: how fast files are read: megabytes a second on one core, the median of several runs.

   Files of about 50 MB are made in a temporary folder: OBJ with v, vt, vn and f a/b/c lines as Blender writes them, OBJ with v and f
   alone, PLY and STL. Table: key, value, unit. */
#include "base/clock.h"
#include "support/support.h"

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

/* reads `path` as a mesh, or as a pose of `rest` */
static void measure(ossa_context *context, const char *key, const char *path, const ossa_mesh *rest)
{
	double seconds[RUNS];
	for (int i = 0; i < RUNS; i++) {
		const double begin = ossai_cpu_seconds();
		ossa_mesh *mesh = NULL;
		ossa_frames *frames = NULL;
		const ossa_status status = rest ? ossa_read_frames(context, rest, 1, &path, false, NULL, &frames)
										: ossa_read_mesh(context, path, NULL, &mesh);
		if (status != OSSA_OK) {
			fprintf(stderr, "%s\n", ossa_context_error(context)->message);
			exit(1);
		}
		seconds[i] = ossai_cpu_seconds() - begin;
		ossa_mesh_free(context, mesh);
		ossa_frames_free(context, frames);
	}
	qsort(seconds, RUNS, sizeof seconds[0], compare_doubles);
	printf("%-24s %8.1f MB/s\n%-24s %8.1f MB\n", key, megabytes(path) / seconds[RUNS / 2], "  size", megabytes(path));
}

int main(void)
{
	ossa_context *context = test_context(1);
	const char *obj = write_obj("full.obj", true), *plain = write_obj("plain.obj", false);
	ossa_mesh *rest;
	if (ossa_read_mesh(context, plain, NULL, &rest) != OSSA_OK) return 1;
	measure(context, "obj", obj, NULL);
	measure(context, "obj-v-f", plain, NULL);
	measure(context, "obj-pose", plain, rest);
	measure(context, "ply-ascii", write_ply("ascii.ply", true), NULL);
	measure(context, "ply-binary", write_ply("binary.ply", false), NULL);
	ossa_mesh_free(context, rest);
	test_context_end(context);
	return 0;
}
