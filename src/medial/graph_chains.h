/* medial/graph_chains.h: a path tree as chains: the ways between its ends and branchings, which may have been joined.

   Place in the path: medial/junctions -> here -> medial/chain_splits. */
#ifndef OSSAI_MEDIAL_GRAPH_CHAINS_H
#define OSSAI_MEDIAL_GRAPH_CHAINS_H

#include "proxy/mirror.h"
#include "medial/junctions.h"

typedef struct ossai_graph_chain {
	uint32_t parent;       /* the chain at whose end it begins; OSSA_NONE: at node 0 */
	uint32_t begin, count; /* its points, from the branching or node 0 that it begins at to the branching or end */
	bool is_leaf;
	bool is_turned;    /* the mirrored chain runs the other way */
	uint32_t mirrored; /* the chain on the other side, itself in the middle or across it (turned then), OSSA_NONE */
} ossai_graph_chain;

/* Chains come parents first, away from node 0. */
typedef struct ossai_graph_chains {
	size_t count, point_count;
	ossai_graph_chain *chain;
	uint32_t *node; /* of all chains' points, one chain after another */
	double *arc;    /* from the chain's beginning */
} ossai_graph_chains;

/* `into`: of ossai_junctions_merge, or each node itself. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY.  Cost: linear. */
ossa_status ossai_graph_chains_make(ossai_arena *arena, const ossai_path_tree *tree, const ossai_tree_ways *ways,
	const uint32_t *into, ossai_graph_chains *chains);

/* Fills `mirrored` and `is_turned`: by the ends that chains lead to (curve/mirrored_chains.h), else by where they lie, so that a tip
   that one side lacks does not part the rest. `arena` is for temporaries, too. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_graph_chains_match(
	ossai_arena *arena, const ossai_path_tree *tree, const ossai_mirror *mirror, ossai_graph_chains *chains);

#endif
