/* curve/chains.h: a curve that is a tree as chains: its paths between junctions, ends and the root.

   Input: a curve without loops, and one of its nodes as the root.
   Output: chains, parents first.
   Used by: curve/prune, curve/limb_ends, curve/junctions, skeleton/from_curve/curve_chains. */
#ifndef OSSAI_CURVE_CHAINS_H
#define OSSAI_CURVE_CHAINS_H

#include "curve/curve.h"

/* A path between two stops: the root, a junction (three edges or more) or an end (one edge). No
   stop lies within it. */
typedef struct ossai_curve_chain {
	/* the chain that ends where this one begins; OSSA_NONE: it begins at the root */
	uint32_t parent;
	uint32_t begin, end; /* nodes */
	/* its nodes in the list of all chains, from begin to end, both included; count >= 2 */
	uint32_t first, count;
	bool is_leaf; /* nothing continues at its end */
	double length;
} ossai_curve_chain;

typedef struct ossai_curve_chains {
	uint32_t root;
	size_t count;
	/* by breadth: parents first, those from one node in the order of their second nodes */
	ossai_curve_chain *chain;
	uint32_t *node; /* of all chains, one after another */
	/* C + 1, and of each node its neighbors, rising (ossai_curve_neighbors) */
	uint32_t *start, *neighbor;
	/* for each entry of `neighbor`, of the root, junctions and ends: the chain over that edge;
	   others: OSSA_NONE */
	uint32_t *over;
} ossai_curve_chains;

/* Chains of the piece of the curve that holds `root`; OSSA_NONE: the first junction, else the
   first end, else node 0. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY.  Cost: linear. */
ossa_status ossai_curve_chains_make(ossai_arena *arena, const ossai_curve *curve, uint32_t root, ossai_curve_chains *chains);

/* The nodes of a chain, from its beginning to its end. */
static inline const uint32_t *ossai_curve_chain_nodes(const ossai_curve_chains *chains, const ossai_curve_chain *chain)
{
	return chains->node + chain->first;
}

/* The i-th node of a chain counted from one of its stops, which is the 0-th. */
static inline uint32_t ossai_curve_chain_from(
	const ossai_curve_chains *chains, const ossai_curve_chain *chain, uint32_t stop, uint32_t i)
{
	return ossai_curve_chain_nodes(chains, chain)[stop == chain->begin ? i : chain->count - 1 - i];
}

/* The other stop of a chain. */
static inline uint32_t ossai_curve_chain_other(const ossai_curve_chain *chain, uint32_t stop)
{
	return stop == chain->begin ? chain->end : chain->begin;
}

/* Whether three chains or more meet at a node. */
static inline bool ossai_curve_is_junction(const ossai_curve_chains *chains, uint32_t node)
{
	return ossai_curve_degree(chains->start, node) > 2;
}

#endif
