/* weights/heat_sources.h: which bones heat a vertex, and at what rate: the nearest ones, where they
   are visible through the inside.

   Place in the path: below heat.
   Input: the surface's interior in a pose, bones' segments in it.
   Output: H and p of bone heat.
   Source: I. Baran and J. Popovic, Automatic Rigging and Animation of 3D Characters, 2007, section
   4. */
#ifndef OSSAI_WEIGHTS_HEAT_SOURCES_H
#define OSSAI_WEIGHTS_HEAT_SOURCES_H

#include "weights/bone_segments.h"

/* further bones at the same distance are dropped */
enum { OSSAI_HEAT_TIES = 6 };

typedef struct ossai_heat_sources {
	size_t point_count;
	/* N: H_ii = heat / distance^2 to the nearest bone, 0 where no nearest bone is visible */
	double *rate;
	uint16_t *bone; /* N x OSSAI_HEAT_TIES: the nearest bones, which share the heat equally */
	uint8_t *count; /* N: how many; 1 or more */
	/* S: the posed segments' origins, directions and 1 / length^2 */
	double *x, *y, *z, *u, *v, *w, *inverse;
	ossai_segment *posed; /* S */
	const ossai_bone_segments *segments;
} ossai_heat_sources;

/* Takes arrays from the arena. */
ossa_status ossai_heat_sources_make(
	ossai_arena *arena, size_t point_count, const ossai_bone_segments *segments, ossai_heat_sources *sources);

/* Fills rate, bone and count for `pose` of the motion, which `interior` has been moved to. Where no
   nearest bone is visible, the point's bones are filled and its rate is 0. Threads: the context's;
   allocates nothing. Cost: points x segments and a visibility ray each. */
void ossai_heat_sources_fill(ossa_context *context, const ossai_interior *interior, const ossai_bone_motion *motion,
	size_t pose, double heat, ossai_heat_sources *sources);

/* The rate of a point if all its nearest bones were visible. */
double ossai_heat_rate_of(const ossai_heat_sources *sources, ossai_vec3 point, double heat);

#endif
