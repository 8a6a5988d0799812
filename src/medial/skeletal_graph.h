/* medial/skeletal_graph.h: approximates a path tree by few straight edges, as published.

   Input: a path tree.
   Output: edges between some of its nodes, and which edge each node lies on.
   Source: L. Wade and R. Parent 2002, section 3.4.1.
   Used by: skeleton/from_curve/volume_bones. */
#ifndef OSSAI_MEDIAL_SKELETAL_GRAPH_H
#define OSSAI_MEDIAL_SKELETAL_GRAPH_H

#include "medial/path_tree.h"

/* Start from ossai_skeletal_options_default(): the paper's. Shares are of the heart radius. */
typedef struct ossai_skeletal_options {
	double min_fraction; /* edges whose chain is shorter are never split */
	double max_fraction; /* longer ones always are */
	double tolerance;    /* between the two: while the error is larger */
	/* most edges; 0: until nothing is left to split. Ends and junctions are not given up for it */
	size_t segments;
} ossai_skeletal_options;

ossai_skeletal_options ossai_skeletal_options_default(void);

/* Errors: OSSA_ERROR_ARGUMENT where a number is none, negative, or min_fraction above
   max_fraction. */
ossa_status ossai_skeletal_options_check(ossa_context *context, const ossai_skeletal_options *options);

/* A vertex is a node of the tree. */
typedef struct ossai_skeletal_graph {
	size_t edge_count; /* 0 for a tree of one node */
	/* 2 an edge: nodes of the tree, the one nearer to node 0 first; parents come first */
	uint32_t *edge;
	/* per edge's second vertex, when its split was made: 0 for ends and junctions, then 1, 2,
	   ...: a prefix is a coarser graph */
	uint32_t *order;
	double *error; /* largest distance from the edge to its stretch of the chain */
	/* of each node of the tree: the edge on whose stretch it lies; vertices: the one towards node
	   0; OSSA_NONE: there is no edge */
	uint32_t *edge_of_node;
	uint8_t *is_vertex; /* of each node of the tree */
} ossai_skeletal_graph;

/* Splits the worst edge of all at the point farthest from it, again and again. Arrays are the
   arena's.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_ARGUMENT.
   Cost: n log n of the tree's nodes as paths are; a path whose farthest node is always next to
   its end takes nodes x splits. */
ossa_status ossai_skeletal_graph_make(
	ossai_arena *arena, const ossai_path_tree *tree, const ossai_skeletal_options *options, ossai_skeletal_graph *graph);

#endif
