/* contraction/collapse_costs.h: what the collapse of an edge costs, in each pass.

   Place in the path: below collapse.
   Input: a graph, the positions of its slots.
   Output: the cost of an edge, and which of its ends is kept.
   Source: Au et al. 2008, section 5. */
#ifndef OSSAI_CONTRACTION_COLLAPSE_COSTS_H
#define OSSAI_CONTRACTION_COLLAPSE_COSTS_H

#include "base/heap.h"
#include "contraction/collapse.h"
#include "contraction/collapse_graph.h"

/* The largest degree up to which all costs around a merged vertex are updated at once: the costs of
   hubs are updated lazily, when the heap returns them. And the numbers of a Q. */
enum { OSSAI_SMALL_DEGREE = 64, OSSAI_LINE_TERMS = 10 };

typedef struct ossai_collapser {
	ossa_context *context;
	const ossai_collapse_options *options;
	ossai_collapse_graph graph;
	double *position; /* N x 3, by slot */
	double *lines;    /* N x LINE_TERMS: the symmetric 4 x 4 Q of each slot, its upper triangle */
	double *spread;   /* N: sum of the lengths of the incident edges */
	double *key;      /* E: the cost in the edge's newest heap entry */
	ossai_heap heap;
	size_t heap_capacity;
	uint32_t *moved; /* E */
	uint32_t *near;  /* N: the slots around a vanishing one */
	size_t reports;
	double (*cost)(struct ossai_collapser *, uint32_t edge, uint32_t *kept_end);
} ossai_collapser;

static inline ossai_vec3 ossai_collapse_position(const ossai_collapser *c, uint32_t slot)
{
	return ossai_v3_of(c->position + 3 * (size_t)slot);
}

static inline double ossai_collapse_length(const ossai_collapser *c, uint32_t edge)
{
	return ossai_distance(ossai_collapse_position(c, c->graph.end[2 * (size_t)edge]),
		ossai_collapse_position(c, c->graph.end[2 * (size_t)edge + 1]));
}

/* Sums lines and lengths of the edges at each slot. */
void ossai_collapse_gather(ossai_collapser *c);

/* Costs; kept_end receives which end of the edge keeps its position. INFINITY: the edge may not
   collapse. */

/* Its length, for the pass that merges what is close. */
double ossai_cost_of_short(ossai_collapser *c, uint32_t edge, uint32_t *kept_end);

/* w_a F + w_b S of edges that have a face. */
double ossai_cost_with_faces(ossai_collapser *c, uint32_t edge, uint32_t *kept_end);

/* The same of edges of a curve, which keeps its loops and ends. */
double ossai_cost_of_curve(ossai_collapser *c, uint32_t edge, uint32_t *kept_end);

/* The same of any edge, as M. Madaras prints it. */
double ossai_cost_as_printed(ossai_collapser *c, uint32_t edge, uint32_t *kept_end);

#endif
