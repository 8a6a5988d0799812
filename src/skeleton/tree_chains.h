/* skeleton/tree_chains.h: splits a tree of bones into chains, and finds bones of different limbs.

   Place in the path: tree -> here -> limb_weights, metrics/weight_bleeding. */
#ifndef OSSAI_SKELETON_TREE_CHAINS_H
#define OSSAI_SKELETON_TREE_CHAINS_H

#include "skeleton/tree.h"

/* A chain goes from the root or a bone below a junction to the next junction or a leaf. One that
   ends in a leaf is a limb. */
typedef struct ossai_tree_chains {
	const uint32_t *parent; /* B; OSSA_NONE at the root */
	uint32_t *chain;        /* B */
	uint8_t *is_limb;       /* of each chain */
	uint32_t chain_count;
	uint32_t limb_count;
} ossai_tree_chains;

/* `order` holds the bones with parents before their children; NULL: they are numbered so. Keeps
   `parent`; arrays are the arena's. */
ossa_status ossai_tree_chains_find(
	ossai_arena *arena, size_t bone_count, const uint32_t *parent, const uint32_t *order, ossai_tree_chains *chains);

/* Whether two bones are of two limbs. Children of one parent do not count: they share the skin
   where they meet. */
static inline bool ossai_bones_apart(const ossai_tree_chains *chains, uint32_t one, uint32_t other)
{
	const uint32_t a = chains->chain[one], b = chains->chain[other];
	return a != b && chains->is_limb[a] && chains->is_limb[b] && chains->parent[one] != chains->parent[other];
}

#endif
