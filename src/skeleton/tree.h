/* skeleton/tree.h: a tree of bones.

   Place in the path: joints -> here -> hierarchy, rig. */
#ifndef OSSAI_SKELETON_TREE_H
#define OSSAI_SKELETON_TREE_H

#include "base/context.h"
#include "math/vec.h"

#include <ossa/rig.h>

typedef struct ossai_tree {
	size_t bone_count;
	uint32_t root;
	uint32_t *parent; /* B; OSSA_NONE at the root */
	/* B: index of the edge to the parent in the bone graph that the tree was made of; OSSA_NONE
	   where there is none: at the root, and in trees of curves and of files */
	uint32_t *pair;
	uint32_t *order; /* B: bones, parents before children, siblings by index */
} ossai_tree;

/* Allocates the arrays of a tree of `bone_count` bones. `pair` is OSSA_NONE, the others are not
   initialised. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_tree_new(ossai_arena *arena, size_t bone_count, ossai_tree *tree);
void ossai_tree_copy(const ossai_tree *from, ossai_tree *to);

/* The tree of a rig's skeleton: its bones are in order already. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_tree_of_skeleton(ossai_arena *arena, const ossa_skeleton *skeleton, ossai_tree *tree);

/* Fills `order` from root and parents: breadth first, siblings by index. */
void ossai_tree_sort(ossai_tree *tree);

/* The mean of the points of a bone's children (B points); false where it has none. */
bool ossai_tree_children_mean(const ossai_tree *tree, const ossai_vec3 *point, uint32_t bone, ossai_vec3 *mean);

/* The depth of each bone, 0 at the root; an array of the arena, NULL where memory ends. */
uint32_t *ossai_tree_depths(ossai_arena *arena, const ossai_tree *tree);

/* Numbers the bones that `counted` (B; NULL: all) marks from 0 on, so that each comes after those
   below it and every subtree is a range; the others get OSSA_NONE (place: B). In systems where
   bones are coupled with their ancestors, elimination in this order fills in little. */
ossa_status ossai_tree_number(ossai_arena *arena, const ossai_tree *tree, const uint8_t *counted, uint32_t *place);

/* The number of edges on the path between two bones. Cost: the depth. */
size_t ossai_tree_steps(const uint32_t *parent, const uint32_t *depth, uint32_t a, uint32_t b);

#endif
