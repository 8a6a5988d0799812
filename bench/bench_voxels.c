/* bench/bench_voxels.c: the cost of filling a surface with voxels, and its growth with them; the
   distance map against copying the grid.

   A closed creature, the same with one end cut off, its faces as a soup whose corners do not meet,
   and a ball, which fills the most of its grid. Seconds are of the
   processor, all threads together. `power` is the exponent p of seconds ~ voxels^p against the
   smallest grid of the same surface; 1 is linear. `copies`: the seconds of the distance map
   alone, over those of copying the grid (4 bytes a cell) three times. */
#include "base/clock.h"
#include "grids.h"
#include "voxels/distance.h"
#include "voxels/voxels.h"

#include <ossa/ossa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACES = 20000, KINDS = 4 };
static const char *const kinds[KINDS] = {"closed", "open", "soup", "ball"};

/* corners of their own, moved by up to 1e-4 */
static float corner_of(const ossa_mesh *mesh, size_t corner, int k)
{
	const uint32_t noise = (uint32_t)(3 * corner + (size_t)k) * 2654435761U >> 8;
	return mesh->positions[3 * (size_t)mesh->triangles[corner] + (size_t)k] + 1e-4f * (float)noise / (float)(1 << 24);
}

static ossa_mesh *make_mesh(ossa_context *context, int kind)
{
	ossa_sample *sample = bench_creature(context, OSSA_SAMPLE_QUADRUPED, FACES);
	ossa_mesh *made;
	const ossa_mesh *mesh = sample->rig->mesh;
	float *positions = malloc(9 * mesh->triangle_count * sizeof *positions), low = INFINITY, high = -INFINITY;
	uint32_t *triangles = malloc(3 * mesh->triangle_count * sizeof *triangles);
	if (!triangles || !positions) exit(1);
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		low = fminf(low, mesh->positions[3 * v]);
		high = fmaxf(high, mesh->positions[3 * v]);
	}
	size_t corners = 0;
	for (size_t i = 0; i < 3 * mesh->triangle_count; i++) {
		const uint32_t first = mesh->triangles[i / 3 * 3];
		if (kind == 1 && mesh->positions[3 * (size_t)first] > high - 0.2f * (high - low)) continue;
		for (int k = 0; kind == 2 && k < 3; k++) positions[3 * corners + (size_t)k] = corner_of(mesh, i, k);
		triangles[corners] = kind == 2 ? (uint32_t)corners : mesh->triangles[i];
		corners++;
	}
	bench_need(context,
		ossa_mesh_create(context, kind == 2 ? corners : mesh->vertex_count, kind == 2 ? positions : mesh->positions,
			corners / 3, triangles, &made));
	free(positions);
	free(triangles);
	ossa_sample_free(context, sample);
	return made;
}

/* seconds of copying the grid three times */
static double copy_seconds(ossai_arena *arena, const ossai_voxels *v)
{
	const size_t bytes = (size_t)v->size[0] * v->size[1] * v->size[2] * sizeof *v->of_cell;
	char *to = ossai_arena_new(arena, bytes, 1);
	if (!to) exit(1);
	memset(to, 0, bytes);
	const double begin = ossai_cpu_seconds();
	for (int i = 0; i < 3; i++) {
		memcpy(to, v->of_cell, bytes);
		__asm__ volatile("" : : "r"(to) : "memory");
	}
	return ossai_cpu_seconds() - begin;
}

/* seconds of the distance map alone; asserts that it is the one of the voxels */
static double distance_seconds(ossai_arena *arena, const ossai_voxels *v)
{
	ossai_cells cells = {.row_words = (v->size[0] - 1) / 64 + 1, .step = v->step};
	memcpy(cells.size, v->size, sizeof cells.size);
	cells.bits = ossai_arena_zero(arena, ossai_cell_rows(&cells), cells.row_words * sizeof *cells.bits);
	uint32_t *distance2 = ossai_arena_new(arena, v->count, sizeof *distance2);
	if (!cells.bits || !distance2) exit(1);
	for (size_t i = 0; i < v->count; i++) {
		const size_t x = v->cell[i] % v->size[0], row = v->cell[i] / v->size[0];
		cells.bits[row * cells.row_words + x / 64] |= 1ULL << (x % 64);
	}
	const double begin = ossai_cpu_seconds();
	bench_need(arena->context, ossai_distance_map(arena, &cells, v->of_cell, OSSAI_DISTANCE_STEPS, distance2));
	const double seconds = ossai_cpu_seconds() - begin;
	if (memcmp(distance2, v->distance2, v->count * sizeof *distance2) != 0) exit(1);
	return seconds;
}

static void bench_size(
	ossai_arena *arena, const ossai_posed_surface *surface, const char *name, double size, bench_growth *first)
{
	const ossai_voxel_options options = {.size = size};
	ossai_voxels v;
	const double begin = ossai_cpu_seconds();
	bench_need(arena->context, ossai_voxels_make(arena, surface, &options, &v));
	const double seconds = ossai_cpu_seconds() - begin;
	const double distance = distance_seconds(arena, &v), copy = copy_seconds(arena, &v);
	printf("%-8s %4u x %3u x %3u %9zu %8.4f %7.1f %9.4f %7.2f", name, v.size[0], v.size[1], v.size[2], v.count, seconds,
		1e9 * seconds / (double)v.count, distance, distance / copy);
	if (size > 0) bench_print_power(first, (double)v.count, seconds);
	printf("%s\n", size > 0 ? "" : "   size chosen");
}

static void bench_mesh(ossa_context *context, int kind)
{
	/* of the longest side: about 40 000, 200 000 voxels, grids of 256 and 512 along it */
	static const double sizes[] = {0, 1 / 64.0, 1 / 125.0, 1 / 254.0, 1 / 510.0};
	ossa_mesh *mesh = kind == 3 ? bench_ball(context) : make_mesh(context, kind);
	bench_grids(context, kinds[kind], mesh, sizeof sizes / sizeof sizes[0], sizes, bench_size);
}

int main(void)
{
	return bench_kinds("surface              grid    voxels    cpu s ns each distances  copies  power", KINDS, bench_mesh);
}
