/* skeleton/from_motion/spanning_tree.h: the tree of the bones that fit together best, and its root.

   Place in the path: bone graph, joints -> here -> hierarchy, rig.
   Input: a bone graph and a cost for each of its pairs.
   Output: a tree.
   Source: S. Schaefer, C. Yuksel, Example-Based Skeleton Extraction, SGP 2007, section 5.1. */
#ifndef OSSAI_SKELETON_FROM_MOTION_SPANNING_TREE_H
#define OSSAI_SKELETON_FROM_MOTION_SPANNING_TREE_H

#include "skeleton/from_motion/bone_graph.h"
#include "skeleton/tree.h"
#include "weights/symmetry.h"

/* The minimum spanning tree of the graph under `cost` (one per pair, lower is better; ties by pair
   index), rooted at `root`. Components that no pair connects are joined at the bones whose centers
   are nearest (no pair then). symmetry: of a mirrored graph whose root is a central bone: pairs
   are taken together with their images, so that the image of a bone's parent is the parent of its
   image; lone bones come last; NULL: none. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY.
   Cost: P log P. */
ossa_status ossai_spanning_tree_make(ossai_arena *arena, const ossai_bone_graph *graph, const double *cost, uint32_t root,
	const ossai_symmetry *symmetry, ossai_tree *tree);

/* The bone whose patch's center of mass is nearest to that of the rest shape; of a symmetric
   surface a central one. */
uint32_t ossai_spanning_tree_root(const ossai_posed_surface *surface, const ossai_bone_graph *graph);

#endif
