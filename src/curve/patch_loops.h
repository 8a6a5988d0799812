/* curve/patch_loops.h: the boundary loops, areas and volumes of the patches of a curve's nodes.

   Place in the path: below curve/center.
   Source: Au et al. 2008, section 6 (boundary loops of patches). */
#ifndef OSSAI_CURVE_PATCH_LOOPS_H
#define OSSAI_CURVE_PATCH_LOOPS_H

#include "curve/curve.h"
#include "proxy/proxy.h"

/* For each node and each neighbour over an edge: the line on the surface between their patches.
   Arrays are the arena's. */
typedef struct ossai_patch_loops {
	size_t node_count;
	uint32_t *start, *neighbor; /* as ossai_curve_neighbors gives them */
	ossai_vec3 *center;         /* 2 E: mean of the line */
	double *length;             /* 2 E: 0 where the patches do not touch */
	ossai_vec3 *patch_center;   /* C: mean of the patch's surface; the node where it has no area */
} ossai_patch_loops;

/* Errors: OSSA_ERROR_MEMORY.  Cost: faces x log neighbours. */
ossa_status ossai_patch_loops_make(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_curve *curve, ossai_patch_loops *loops);

/* Updates area and volume of the curve. */
void ossai_patch_measure(const ossai_proxy *proxy, ossai_curve *curve);

#endif
