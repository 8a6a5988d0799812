/* conventions/tree_hand.h: the fingers of a hand, by the shape of the tree.

   Place in the path: tree_limbs -> here -> roles_by_tree.

   Five chains of two bones or more are fingers; the thumb is at the end of their row that is
   farther from the others. Chains of four bones begin with a metacarpal where the thumb has three,
   else they end with a leaf. Other numbers of fingers have no roles: which is missing is not
   known. */
#ifndef OSSAI_CONVENTIONS_TREE_HAND_H
#define OSSAI_CONVENTIONS_TREE_HAND_H

#include "conventions/tree_limbs.h"

/* Fills the roles of the fingers of a bone that has the role of a hand. */
void ossai_tree_hand(const ossai_bone_tree *tree, uint32_t hand, ossa_role *role);

#endif
