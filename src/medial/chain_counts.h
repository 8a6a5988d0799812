/* medial/chain_counts.h: how many straight edges each chain of a path tree gets, whatever the voxels.

   Place in the path: medial/graph_chains -> here -> medial/chain_splits.
   What a chain needs grows evenly with its length and its bends; whole numbers are found for all chains together, so that what one lacks
   another has: were each rounded by itself, all could be rounded up with one size of voxels and down with another. Limbs that are like each other
   get the same. */
#ifndef OSSAI_MEDIAL_CHAIN_COUNTS_H
#define OSSAI_MEDIAL_CHAIN_COUNTS_H

#include "medial/graph_chains.h"

/* What lengths and errors are measured against. */
typedef struct ossai_chain_limits {
	double lower, upper, tolerance; /* shorter edges are not split, longer ones are, others where they err by more */
} ossai_chain_limits;

/* The point between two of a chain's points that is farthest from the edge between these; of equally far ones the one nearest to the middle;
   `begin` where there is none. `error`: how far. Points are numbers in the list of all chains. Cost: linear. */
uint32_t ossai_stretch_worst(
	const ossai_path_tree *tree, const ossai_graph_chains *chains, uint32_t begin, uint32_t end, double *error);

/* How many edges a stretch needs, at least 1: half an edge more than its length asks for, and a quarter for each part of a bent one. `stack` is room for
   3 numbers a point of all chains. Cost: n log n as paths are. */
double ossai_stretch_needs(const ossai_path_tree *tree, const ossai_graph_chains *chains, const ossai_chain_limits *limits,
	uint32_t begin, uint32_t end, double *stack);

/* Fills the number of edges of each chain; mirrored ones have the same. `stack` as above. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_chain_counts(ossai_arena *scratch, const ossai_path_tree *tree, const ossai_graph_chains *chains,
	const ossai_chain_limits *limits, double *stack, uint32_t *edges);

#endif
