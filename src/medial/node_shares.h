/* medial/node_shares.h: assigns each voxel to a node of a path tree.

   Place in the path: below tree_curve. */
#ifndef OSSAI_MEDIAL_NODE_SHARES_H
#define OSSAI_MEDIAL_NODE_SHARES_H

#include "medial/path_tree.h"
#include "voxels/voxel_rows.h"

/* Bits of a key and a node's number together; beyond it a slower algorithm is used. */
enum { OSSAI_SHARE_BITS = 32 };

/* The node of each interior voxel (N): the one whose ball is nearest on paths through the interior,
   in steps of 3, 4 and 5 thirds of a voxel over faces, edges and corners; of several the first.
   Trees have a node at least. The array is the arena's. bits: OSSAI_SHARE_BITS; the result is the
   same for any from 8 on. Errors: OSSA_ERROR_MEMORY.
   Cost: linear in voxels and in the number of times that paths change direction: 10 to 20 ns a
   voxel. */
ossa_status ossai_node_shares(ossai_arena *arena, const ossai_voxels *voxels, const ossai_voxel_rows *rows,
	const ossai_path_tree *tree, int bits, uint32_t **node_of_voxel);

#endif
