/* medial/skeletal_graph.h: a path tree as few straight edges.

   Place in the path: medial/path_tree -> here -> skeleton/from_curve/volume_bones.
   Source: L. Wade and R. Parent 2002, section 3.4.1. Departures (`refine`): branchings in one place are one (medial/junctions.h); a chain
   gets as many edges as its length asks for and not a power of two; stretches that are straight part evenly, or where the section narrows near
   there; mirrored chains part alike. */
#ifndef OSSAI_MEDIAL_SKELETAL_GRAPH_H
#define OSSAI_MEDIAL_SKELETAL_GRAPH_H

#include "proxy/mirror.h"
#include "medial/path_tree.h"

/* Start from ossai_skeletal_options_default(): the paper's. */
typedef struct ossai_skeletal_options {
	double min_fraction; /* of the heart radius, along the chain: shorter edges are never split */
	/* longer ones always. Refining: between bends those longer by a quarter, evenly give or take 40 % */
	double max_fraction;
	double tolerance; /* between: while the error is larger; share of the heart radius */
	size_t segments;  /* most edges; 0: until nothing is left to split. Ends and branchings are not given up for it */
	bool refine;
} ossai_skeletal_options;

ossai_skeletal_options ossai_skeletal_options_default(void);

/* Errors: OSSA_ERROR_ARGUMENT where a number is none, negative, or min_fraction above max_fraction. */
ossa_status ossai_skeletal_options_check(ossa_context *context, const ossai_skeletal_options *options);

/* A vertex is a node of the tree. */
typedef struct ossai_skeletal_graph {
	size_t edge_count; /* 0 for a tree of one node */
	uint32_t *edge;    /* 2 an edge: nodes of the tree, the one nearer to node 0 first; parents come first */
	/* per edge's second vertex, when its split was made: 0 for ends and branchings, then 1, 2, ..., mirrored ones at once: a prefix is a
	   coarser graph */
	uint32_t *order;
	double *error; /* largest distance from the edge to its stretch of the chain */
	/* of each node of the tree: the edge on whose stretch it lies; vertices: the one towards node 0; OSSA_NONE: there is no edge */
	uint32_t *edge_of_node;
	/* the vertex that a node is, or that it was joined to; OSSA_NONE within a stretch */
	uint32_t *vertex_of_node;
} ossai_skeletal_graph;

/* Splits the worst edge of all, again and again. `mirror` may be NULL or not exist; two mirrored edges are split together or not at all, so
   that with `segments` there may be one less. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_ARGUMENT.
   Cost: n log n of the tree's nodes as paths are; one whose farthest node is always next to its end takes nodes x splits. */
ossa_status ossai_skeletal_graph_make(ossai_arena *arena, const ossai_path_tree *tree, const ossai_mirror *mirror,
	const ossai_skeletal_options *options, ossai_skeletal_graph *graph);

#endif
