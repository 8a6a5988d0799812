/* math/shortest_paths.h: shortest paths over a graph with lengths, from any number of sources.

   Place in the path: below geodesics, which make such graphs of surfaces.
   In: a graph, sources.  Out: how far every node is from the nearest source, and which that is.
   Source: E. W. Dijkstra, A Note on Two Problems in Connexion with Graphs, 1959, with many
   sources at once; U. Meyer and P. Sanders, Delta-stepping: a parallelizable shortest path
   algorithm, 2003, for lengths alone. */
#ifndef OSSAI_MATH_SHORTEST_PATHS_H
#define OSSAI_MATH_SHORTEST_PATHS_H

#include "base/csr.h"
#include "base/heap.h"
#include "math/vec.h"

typedef struct ossai_edge_graph {
	ossai_csr neighbors; /* of each node; one may be there twice, with different lengths */
	double *length;      /* of the edge to each neighbor; >= 0 */
} ossai_edge_graph;

/* A graph with straight edges (E x 2, in both directions) between points (N x 3).
   Errors: OSSA_ERROR_LIMIT, OSSA_ERROR_MEMORY.  Ownership: the arena's.  Cost: linear. */
ossa_status ossai_edge_graph_of_points(ossai_arena *arena, size_t point_count, const double *points, size_t edge_count,
	const uint32_t *edge, ossai_edge_graph *graph);

/* The length of the shortest path from every node to the nearest source, and which that is. */
typedef struct ossai_path_lengths {
	size_t node_count; /* N */
	double *distance;  /* N; INFINITY where no source is reached */
	uint32_t *source;  /* N; OSSA_NONE there */
	ossai_heap heap;
} ossai_path_lengths;

/* Nothing is reached yet. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_path_lengths_make(ossai_arena *arena, const ossai_edge_graph *graph, ossai_path_lengths *field);
void ossai_path_lengths_clear(ossai_path_lengths *field);

/* Spreads from `count` more sources, numbered from `first`: what was nearer to another one
   before stays its own; of equally near ones the one that came first is kept.  Cost: n log n in
   the nodes whose distance decreases. */
void ossai_path_lengths_add(
	const ossai_edge_graph *graph, size_t count, const uint32_t *nodes, uint32_t first, ossai_path_lengths *field);

/* What lengths alone need. */
typedef struct ossai_path_front {
	/* of the bands of nodes that are visited together: the mean edge */
	double width;
	/* N: nodes of this band, to be visited now and then; others */
	uint32_t *near, *next, *far;
	uint8_t *listed; /* N, bits: in `next`, in `far` */
} ossai_path_front;

/* Arrays are the arena's. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_path_front_make(ossai_arena *arena, const ossai_edge_graph *graph, ossai_path_front *front);

/* distance: N, filled with the lengths of the shortest paths from a node, the same to the last bit
   as by ossai_path_lengths_add; INFINITY where none leads. There is no heap: where edges are about
   equally long, as a proxy's are, it takes a third of the time. Cost: near linear for such. */
void ossai_path_lengths_from(const ossai_edge_graph *graph, uint32_t from, ossai_path_front *front, double *distance);

#endif
