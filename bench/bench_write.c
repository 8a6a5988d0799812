/* bench/bench_write.c: speed of writing files: processor seconds for about 100 MB on one core, the
   best of several runs.

   A wavy sheet with UVs, normals and four weights for each vertex, as a rig (plain: a UV and a
   normal for each vertex; seams: every fourth row of vertices is split) and as frames. Beside it
   the floor: the same number of bytes written at once. Table: key, value, unit. */
#include "base/clock.h"
#include "base/context.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { RUNS = 3, SIDE = 1150, BONES = 32 };

/* corner by corner: the vertex's own UV and normal, or with seams another UV in every fourth row
   of faces */
static void fill_attributes(ossa_mesh *mesh, bool seams)
{
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		const float *p = mesh->positions + 3 * v;
		const float slope = 0.3F * cosf(p[0] * 3), length = sqrtf(1 + slope * slope);
		memcpy(mesh->normals + 3 * v, (float[]){-slope / length, 1 / length, 0}, 12);
		memcpy(mesh->texcoords + 2 * v, (float[]){p[0], p[2]}, 8);
		memcpy(mesh->texcoords + 2 * (v + mesh->vertex_count), (float[]){p[0] + 1, p[2]}, 8);
	}
	for (size_t c = 0; c < mesh->corner_count; c++) {
		const bool second = seams && c / 6 / (SIDE - 1) % 4 == 0;
		mesh->corner_normal[c] = mesh->corner_vertex[c];
		mesh->corner_texcoord[c] = mesh->corner_vertex[c] + (second ? SIDE * SIDE : 0);
	}
}

static ossa_mesh *make_sheet(ossa_context *context, bool seams)
{
	const size_t vertex_count = (size_t)SIDE * SIDE, triangle_count = 2 * (size_t)(SIDE - 1) * (SIDE - 1);
	float *positions = malloc(vertex_count * 12);
	uint32_t *triangles = malloc(triangle_count * 12);
	for (size_t v = 0; v < vertex_count; v++) {
		const float x = (float)(v % SIDE) * 0.01F, z = (float)(v / SIDE) * 0.01F;
		memcpy(positions + 3 * v, (float[]){x, 0.1F * sinf(x * 3), z}, 12);
	}
	for (size_t i = 0; i < triangle_count / 2; i++) {
		const uint32_t a = (uint32_t)(i / (SIDE - 1) * SIDE + i % (SIDE - 1));
		memcpy(triangles + 6 * i, (uint32_t[]){a, a + SIDE, a + 1, a + 1, a + SIDE, a + SIDE + 1}, 24);
	}
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, vertex_count, positions, triangle_count, triangles, &mesh));
	free(positions);
	free(triangles);
	mesh->normal_count = vertex_count;
	mesh->texcoord_count = 2 * vertex_count;
	mesh->normals = ossa_alloc(context, vertex_count, 12);
	mesh->texcoords = ossa_alloc(context, 2 * vertex_count, 8);
	mesh->corner_normal = ossa_alloc(context, mesh->corner_count, 4);
	mesh->corner_texcoord = ossa_alloc(context, mesh->corner_count, 4);
	fill_attributes(mesh, seams);
	return mesh;
}

/* a row of bones along x; each vertex has weights on the four nearest */
static ossa_rig *make_rig(ossa_context *context, const ossa_mesh *mesh)
{
	ossa_rig *rig;
	assert_ok(context, ossa_rig_create(context, mesh, BONES, 4, &rig));
	for (int b = 0; b < BONES; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		snprintf(bone->name, sizeof bone->name, "bone-%02d", b);
		bone->parent = b - 1;
		bone->orientation[3] = 1;
		bone->joint[0] = SIDE * 0.01 * b / BONES;
	}
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		const double place = (double)mesh->positions[3 * v] / (SIDE * 0.01) * (BONES - 4);
		const uint16_t first = (uint16_t)place;
		const float part = (float)(place - (double)first) * 0.125F;
		float *values = rig->weights.values + 4 * v;
		memcpy(values, (float[]){0.5F - part, 0.25F + part, 0.15625F, 0.09375F}, 16);
		for (uint16_t k = 0; k < 4; k++) rig->weights.bones[4 * v + k] = (uint16_t)(first + k);
	}
	return rig;
}

static double megabytes(const char *path)
{
	struct stat status;
	if (stat(path, &status) != 0) exit(1);
	return (double)status.st_size / 1e6;
}

/* the same bytes in one piece */
static double floor_seconds(double size)
{
	const size_t bytes = (size_t)(size * 1e6);
	char *block = malloc(bytes);
	memset(block, 1, bytes);
	double best = 1e9;
	for (int i = 0; i < RUNS; i++) {
		const double begin = ossai_cpu_seconds();
		FILE *stream = fopen(test_path("floor"), "wb");
		if (!stream || fwrite(block, 1, bytes, stream) != bytes || fclose(stream) != 0) exit(1);
		best = fmin(best, ossai_cpu_seconds() - begin);
	}
	free(block);
	return best;
}

typedef struct job {
	const ossa_rig *rig;
	const ossa_mesh *mesh;
	const ossa_frames *frames;
} job;

static void measure(ossa_context *context, const char *key, const char *name, job what)
{
	double best = 1e9;
	const char *path = test_path(name);
	for (int i = 0; i < RUNS; i++) {
		const double begin = ossai_cpu_seconds();
		if (what.rig) assert_ok(context, ossa_write_rig(context, what.rig, path, NULL));
		else if (what.frames) assert_ok(context, ossa_write_frames(context, what.mesh, what.frames, path, NULL));
		else assert_ok(context, ossa_write_mesh(context, what.mesh, NULL, path, NULL));
		best = fmin(best, ossai_cpu_seconds() - begin);
	}
	/* nearly all of a .gltf is beside it */
	const double size = megabytes(strstr(name, ".gltf") ? test_path("rig.bin") : path);
	printf("%s-size\t%.1f\tMB\n", key, size);
	printf("%s-seconds\t%.3f\ts\n", key, best);
	printf("%s-rate\t%.0f\tMB/s\n", key, size / best);
	printf("%s-floor\t%.3f\ts\n", key, floor_seconds(size));
	remove(path);
}

static void bench_rigs(ossa_context *context)
{
	for (int seams = 0; seams < 2; seams++) {
		ossa_mesh *mesh = make_sheet(context, seams);
		ossa_rig *rig = make_rig(context, mesh);
		assert_ok(context, ossa_rig_validate(context, rig));
		measure(context, seams ? "glb-rig-seams" : "glb-rig", "rig.glb", (job){.rig = rig});
		if (!seams) measure(context, "gltf-rig", "rig.gltf", (job){.rig = rig});
		if (!seams) measure(context, "dae-rig", "rig.dae", (job){.rig = rig});
		if (!seams) measure(context, "obj-mesh", "mesh.obj", (job){.mesh = mesh});
		if (!seams) measure(context, "ply-mesh", "mesh.ply", (job){.mesh = mesh});
		ossa_rig_free(context, rig);
		ossa_mesh_free(context, mesh);
	}
}

static void bench_frames(ossa_context *context)
{
	ossa_frames *frames;
	ossa_mesh *mesh = make_sheet(context, false);
	assert_ok(context, ossa_frames_create(context, 4, mesh->vertex_count, 24, &frames));
	for (size_t i = 0; i < 12 * mesh->vertex_count; i++) {
		const size_t v = i % (3 * mesh->vertex_count), f = i / (3 * mesh->vertex_count);
		frames->positions[i] = mesh->positions[v] + (v % 3 == 1 ? 0.1F * (float)f * mesh->positions[v - 1] : 0);
	}
	measure(context, "glb-frames", "frames.glb", (job){.mesh = mesh, .frames = frames});
	measure(context, "pc2-frames", "frames.pc2", (job){.mesh = mesh, .frames = frames});
	measure(context, "mdd-frames", "frames.mdd", (job){.mesh = mesh, .frames = frames});
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
}

int main(void)
{
	ossa_context *context = test_context(1);
	bench_rigs(context);
	bench_frames(context);
	ossa_context_free(context);
	return 0;
}
