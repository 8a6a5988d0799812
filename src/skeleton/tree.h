/* skeleton/tree.h: the tree of bones and its root.

   Place in the path: bone graph, joints -> here -> hierarchy, rig. */
#ifndef OSSAI_SKELETON_TREE_H
#define OSSAI_SKELETON_TREE_H

#include "skeleton/from_motion/bone_graph.h"

typedef struct ossai_tree {
	size_t bone_count;
	uint32_t root;
	uint32_t *parent; /* B; OSSA_NONE at the root */
	/* B: index in the bone graph of the edge to the parent; OSSA_NONE at the root */
	uint32_t *pair;
	uint32_t *order; /* B: bones, parents before children, siblings by index */
} ossai_tree;

/* Takes the arrays of a tree of `bone_count` bones from the arena, unfilled. */
ossa_status ossai_tree_new(ossai_arena *arena, size_t bone_count, ossai_tree *tree);

/* Fills `order` from root and parents: breadth first, siblings by index. */
void ossai_tree_sort(ossai_tree *tree);

/* The depth of each bone, 0 at the root; an array of the arena, NULL where memory ends. */
uint32_t *ossai_tree_depths(ossai_arena *arena, const ossai_tree *tree);

/* The number of edges on the path between two bones. Cost: the depth. */
size_t ossai_tree_steps(const uint32_t *parent, const uint32_t *depth, uint32_t a, uint32_t b);

/* The minimum spanning tree of the graph under `cost` (one per pair, lower is better; ties by pair
   index), rooted at `root`. Bones that no pair reaches are joined to the bone whose center is
   nearest (no pair then).
   Cost: P log P. Arrays are the arena's. */
ossa_status ossai_tree_make(
	ossai_arena *arena, const ossai_bone_graph *graph, const double *cost, uint32_t root, ossai_tree *tree);

/* The bone whose patch's center of mass is nearest that of the rest shape (Schaefer & Yuksel
   5.1). */
uint32_t ossai_tree_root(const ossai_posed_surface *surface, const ossai_bone_graph *graph);

#endif
