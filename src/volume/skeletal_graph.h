/* volume/skeletal_graph.h: a path tree as few straight edges.

   Place in the path: volume/path_tree -> here -> skeleton/volume_bones.
   Source: L. Wade and R. Parent 2002, section 3.6. Departures (`refine`): branchings within one maximal ball are one; long straight stretches
   part where the section narrows, and mirrored chains alike. */
#ifndef OSSAI_VOLUME_SKELETAL_GRAPH_H
#define OSSAI_VOLUME_SKELETAL_GRAPH_H

#include "surface/mirror.h"
#include "volume/path_tree.h"

/* Start from ossai_skeletal_options_default(): the paper's. */
typedef struct ossai_skeletal_options {
	double min_fraction; /* of the heart radius: shorter edges are never split */
	double max_fraction; /* longer ones always */
	double tolerance;    /* between: while the error is larger; share of the heart radius */
	size_t segments;     /* edges wanted; 0: until nothing is left to split */
	bool refine;
} ossai_skeletal_options;

ossai_skeletal_options ossai_skeletal_options_default(void);

/* A vertex is a node of the tree. */
typedef struct ossai_skeletal_graph {
	size_t edge_count;
	uint32_t *edge; /* 2 an edge: nodes of the tree, the one nearer to node 0 first */
	uint32_t *
		order; /* per edge's second vertex, when its split was made: 0 for ends and branchings, then 1, 2, ...: a prefix is a coarser graph */
	double *error; /* largest distance from the edge to its stretch of the chain */
	uint32_t
		*edge_of_node; /* of each node of the tree: the edge on whose stretch it lies; branchings: the one towards node 0 */
} ossai_skeletal_graph;

/* Splits the worst edge of all, again and again. `mirror` may be NULL or not exist. Arrays are the arena's.
   Errors: OSSA_ERROR_MEMORY.  Cost: n log n of the tree's nodes. */
ossa_status ossai_skeletal_graph_make(ossai_arena *arena, const ossai_path_tree *tree, const ossai_mirror *mirror,
	const ossai_skeletal_options *options, ossai_skeletal_graph *graph);

#endif
