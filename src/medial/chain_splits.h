/* medial/chain_splits.h: chains as straight edges: which stretch is split next, and where.

   Place in the path: medial/graph_chains -> here -> medial/skeletal_graph. */
#ifndef OSSAI_MEDIAL_CHAIN_SPLITS_H
#define OSSAI_MEDIAL_CHAIN_SPLITS_H

#include "medial/graph_chains.h"
#include "medial/skeletal_graph.h"

/* A part of a chain that one edge stands for. */
typedef struct ossai_stretch {
	uint32_t chain;
	uint32_t begin, end; /* its first and last point in the list of all chains */
	uint32_t twin;       /* its mirror image, itself where it lies across the plane, OSSA_NONE */
	bool is_turned;      /* the image begins where this one ends */
	uint32_t parts;      /* refining: how many edges its length asks for */
	uint32_t order;      /* of its last point: 0, or when the split was made */
	uint32_t worst;      /* point farthest from the edge; `begin`: there is none between the ends */
	double error;        /* how far that is */
} ossai_stretch;

/* Stretches in the order of the list of points. The array is the arena's.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_chain_splits_make(ossai_arena *arena, const ossai_path_tree *tree, const ossai_graph_chains *chains,
	const ossai_skeletal_options *options, size_t *count, ossai_stretch **stretches);

#endif
