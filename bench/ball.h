/* bench/ball.h: a ball, which fills the most of its grid, and what ends a bench. */
#ifndef OSSA_BENCH_BALL_H
#define OSSA_BENCH_BALL_H

#include "math/vec.h"

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

#endif
