/* report/ground.h: the soft shadow of a shape on the ground below it under a uniform sky (ambient
   occlusion).

   Place in the path: pictures.
   Input: the posed surface.
   Output: the share of the sky that is occluded at each point of the ground. */
#ifndef OSSAI_REPORT_GROUND_H
#define OSSAI_REPORT_GROUND_H

#include "math/vec.h"
#include "report/solid.h"

/* The shadow over a square of ground, in unit space. Arrays live in the arena it was made in. */
typedef struct ossai_ground {
	ossai_vec3 side, front, up; /* axes: two along the ground */
	double height;              /* of the ground along up */
	/* the first point of the grid along side and front, and the distance between points */
	double left, back, step;
	size_t count; /* points a side */
	float *dark;  /* count x count: share of the sky that is hidden, 0 to 1 */
} ossai_ground;

/* Finds the shadow of `solid` on the plane at `height` along the axis `up` (0 X, 1 Y, 2 Z).
   Errors: OSSA_ERROR_MEMORY.  Threads: the context's. */
ossa_status ossai_ground_make(
	ossa_context *context, ossai_arena *arena, const ossai_solid *solid, int up, double height, ossai_ground *ground);

/* The shadow where the line from `eye` along `direction` meets the ground; 0 where it does not. */
double ossai_ground_dark(const ossai_ground *ground, ossai_vec3 eye, ossai_vec3 direction);

#endif
