/* medial/junctions.h: branchings of a path tree that lie in one place of the shape as one.

   Place in the path: below medial/skeletal_graph.
   Source: ours: L. Wade and R. Parent 2002, section 4, tell that arms often join a spine at different points of what should be one branching. */
#ifndef OSSAI_MEDIAL_JUNCTIONS_H
#define OSSAI_MEDIAL_JUNCTIONS_H

#include "medial/path_tree.h"

/* Nodes next to a node over the tree: its parent and its children. */
typedef struct ossai_tree_ways {
	uint32_t *start, *child; /* children, rising: of node i from start[i] to start[i + 1] */
} ossai_tree_ways;

/* Arrays are the arena's. Errors: OSSA_ERROR_MEMORY.  Cost: linear. */
ossa_status ossai_tree_ways_make(ossai_arena *arena, const ossai_path_tree *tree, ossai_tree_ways *ways);

static inline size_t ossai_path_degree(const ossai_path_tree *tree, const ossai_tree_ways *ways, uint32_t node)
{
	return ways->start[node + 1] - ways->start[node] + (tree->parent[node] != OSSA_NONE);
}

/* into[i]: the branching that node i became part of, itself where it did not. From the largest ball down, a branching takes in those whose
   centers are in its ball, all along the way to them; and those that come out of it by less than a share of their own ball, which is
   where between 0 and 1/2 most room is without any: so a hair decides seldom. What is on the way to them goes along. Node 0 and ends stay.
   Errors: OSSA_ERROR_MEMORY.  Cost: J log J of the branchings, and the nodes in their balls. */
ossa_status ossai_junctions_merge(ossai_arena *arena, const ossai_path_tree *tree, const ossai_tree_ways *ways, uint32_t *into);

#endif
