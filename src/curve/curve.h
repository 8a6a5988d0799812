/* curve/curve.h: a curve skeleton: nodes inside a shape, joined by edges, each with a patch of the
   surface.

   Place in the path: contraction (and other methods that find curves) -> here ->
   skeleton/from_curve/curve_bones. Lengths are those of the posed surface: shares of its size. */
#ifndef OSSAI_CURVE_CURVE_H
#define OSSAI_CURVE_CURVE_H

#include "base/context.h"
#include "math/vec.h"

/* A loop of the shape that was cut to make the curve a tree. */
typedef struct ossai_loop_cut {
	uint32_t a, b;     /* the nodes that an edge joined */
	ossai_vec3 center; /* position of the cut */
} ossai_loop_cut;

/* The largest ball at a junction; curve/junctions.c moves it and the node. */
typedef struct ossai_ball {
	ossai_vec3 center;
	double radius;
} ossai_ball;

typedef struct ossai_curve {
	size_t node_count; /* C */
	ossai_vec3 *node;  /* C: positions */
	double *radius;    /* C: mean distance to the patch's surface */
	/* C: of junctions the largest ball that holds the node, else that around it; NULL: not
	   computed */
	ossai_ball *ball;
	/* C: of the most persistent tip in the patch (curve/tips.h); NULL: not computed */
	double *persistence;
	double *area;             /* C: of the patch */
	double *volume;           /* C: of what the patch encloses, as seen from the node; >= 0 */
	size_t edge_count;        /* E */
	uint32_t *edge;           /* E x 2, a < b, sorted, unique; connected within each piece */
	size_t vertex_count;      /* N: of the proxy */
	uint32_t *node_of_vertex; /* N */
	size_t cut_count;
	ossai_loop_cut *cuts;
} ossai_curve;

/* Neighbours of nodes over edges: start C + 1, neighbor 2 E, rising. Arrays are the arena's. */
ossa_status ossai_curve_neighbors(ossai_arena *arena, const ossai_curve *curve, uint32_t **start, uint32_t **neighbor);

static inline uint32_t ossai_curve_degree(const uint32_t *start, uint32_t node) { return start[node + 1] - start[node]; }

/* The node after `node` on a path that comes from `from`; `node` has two neighbours. */
static inline uint32_t ossai_curve_onward(const uint32_t *start, const uint32_t *neighbor, uint32_t from, uint32_t node)
{
	const uint32_t first = neighbor[start[node]];
	return first != from ? first : neighbor[start[node] + 1];
}

/* Puts each edge's smaller node first, sorts the edges and removes repeated edges and edges from
   a node to itself. */
ossa_status ossai_curve_sort_edges(ossai_arena *arena, ossai_curve *curve);

/* Renumbers the nodes: into[i] is the node that i becomes part of, itself where it stays.
   Patches, areas, volumes and cuts follow. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_curve_merge(ossai_arena *arena, const uint32_t *into, ossai_curve *curve);

#endif
