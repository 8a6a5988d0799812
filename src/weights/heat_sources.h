/* weights/heat_sources.h: which bones heat a vertex, and how well: the nearest ones, where they are
   seen through the inside.

   Place in the path: below heat.  In: the surface's interior in a pose, bones' segments in it.
   Out: H and p of bone heat. Source: I. Baran and J. Popovic, Automatic Rigging and Animation of 3D
   Characters, 2007, section 4. */
#ifndef OSSAI_WEIGHTS_HEAT_SOURCES_H
#define OSSAI_WEIGHTS_HEAT_SOURCES_H

#include "weights/bone_segments.h"

/* equally near bones beyond these are left out */
enum { OSSAI_HEAT_TIES = 6 };

typedef struct ossai_heat_sources {
	size_t point_count;
	/* N: H_ii = heat / distance^2 to the nearest bone, 0 where no nearest bone is seen */
	double *rate;
	uint16_t *bone; /* N x OSSAI_HEAT_TIES: the nearest bones that share the heat, each as much */
	uint8_t *count; /* N: how many; 1 or more */
	/* S: the posed segments' beginnings, ways and 1 / length^2 */
	double *x, *y, *z, *u, *v, *w, *inverse;
	ossai_segment *posed; /* S */
	const ossai_bone_segments *segments;
} ossai_heat_sources;

/* Takes arrays from the arena. */
ossa_status ossai_heat_sources_make(
	ossai_arena *arena, size_t point_count, const ossai_bone_segments *segments, ossai_heat_sources *sources);

/* Fills rate, bone and count for `pose` of the motion, which `interior` has been moved to. A
   nearest bone that is not seen leaves the point's bones filled and its rate 0. Threads: the
   context's; allocates nothing. Cost: points x segments and a look each. */
void ossai_heat_sources_fill(ossa_context *context, const ossai_interior *interior, const ossai_bone_motion *motion,
	size_t pose, double heat, ossai_heat_sources *sources);

/* The rate of a point with all its nearest bones seen. */
double ossai_heat_rate_of(const ossai_heat_sources *sources, ossai_vec3 point, double heat);

#endif
