/* bench/grids.h: what benches of voxels share: creatures, a ball, which fills the most of its
   grid, grids of growing size, and what ends a bench. */
#ifndef OSSA_BENCH_GRIDS_H
#define OSSA_BENCH_GRIDS_H

#include "samples/samples.h"
#include "surface/posed_surface.h"

#include <ossa/ossa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void bench_need(ossa_context *context, ossa_status status)
{
	if (status == OSSA_OK) return;
	fprintf(stderr, "%s\n", ossa_context_error(context)->message);
	exit(1);
}

/* a ball as rings of points */
static inline ossa_mesh *bench_ball(ossa_context *context)
{
	enum { RINGS = 40, SIDES = 80 };
	static float positions[3 * (RINGS + 1) * SIDES];
	static uint32_t triangles[6 * RINGS * SIDES];
	ossa_mesh *made;
	for (size_t i = 0; i < (RINGS + 1) * SIDES; i++) {
		const double u = OSSAI_PI * (double)(i / SIDES) / RINGS, v = 2 * OSSAI_PI * (double)(i % SIDES) / SIDES;
		const double r = i / SIDES == 0 || i / SIDES == RINGS ? 0 : sin(u);
		positions[3 * i] = (float)(r * cos(v));
		positions[3 * i + 1] = (float)(r * sin(v));
		positions[3 * i + 2] = (float)cos(u);
	}
	for (size_t i = 0; i < RINGS * SIDES; i++) {
		const uint32_t a = (uint32_t)i, b = (uint32_t)(i / SIDES * SIDES + (i + 1) % SIDES);
		memcpy(triangles + 6 * i, (uint32_t[]){a, a + SIDES, b, b, a + SIDES, b + SIDES}, 6 * sizeof *triangles);
	}
	bench_need(context, ossa_mesh_create(context, (RINGS + 1) * SIDES, positions, 2 * (size_t)RINGS * SIDES, triangles, &made));
	return made;
}

static inline ossa_sample *bench_creature(ossa_context *context, int kind, int faces)
{
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.kind = kind;
	options.faces = faces;
	options.frames = 1;
	bench_need(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

/* what the first of growing grids took */
typedef struct bench_growth {
	double count, seconds;
} bench_growth;

/* prints the exponent p of seconds ~ count^p against the first */
static inline void bench_print_power(bench_growth *first, double count, double seconds)
{
	if (first->count > 0) printf(" %6.2f", log(seconds / first->seconds) / log(count / first->count));
	else *first = (bench_growth){count, seconds};
}

/* prints a line for one size, a share of the longest side; the arena is its own */
typedef void (*bench_grid)(
	ossai_arena *arena, const ossai_posed_surface *surface, const char *name, double size, bench_growth *first);

/* frees the mesh */
static inline void bench_grids(
	ossa_context *context, const char *name, ossa_mesh *mesh, size_t count, const double *sizes, bench_grid one)
{
	bench_growth first = {0, 0};
	ossai_arena arena = ossai_arena_begin(context);
	ossai_posed_surface surface;
	bench_need(context, ossai_posed_surface_make(context, &arena, mesh, NULL, false, &surface));
	for (size_t i = 0; i < count; i++) {
		ossai_arena own = ossai_arena_begin(context);
		one(&own, &surface, name, sizes[i], &first);
		ossai_arena_end(&own);
	}
	ossai_arena_end(&arena);
	ossa_mesh_free(context, mesh);
}

/* a main: `head` is the line above all others, `one` prints those of a kind */
static inline int bench_kinds(const char *head, int kinds, void (*one)(ossa_context *context, int kind))
{
	ossa_context *context;
	if (ossa_context_create(NULL, &context) != OSSA_OK) return 1;
	printf("%d threads\n%s\n", ossa_context_threads(context), head);
	for (int kind = 0; kind < kinds; kind++) one(context, kind);
	ossa_context_free(context);
	return 0;
}

#endif
