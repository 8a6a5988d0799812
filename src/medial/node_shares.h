/* medial/node_shares.h: which voxels belong to which node of a path tree.

   Place in the path: below tree_curve. */
#ifndef OSSAI_MEDIAL_NODE_SHARES_H
#define OSSAI_MEDIAL_NODE_SHARES_H

#include "medial/path_tree.h"
#include "voxels/voxel_rows.h"

/* Keys and numbers of nodes have so many bits together; beyond it a slower way is taken. */
enum { OSSAI_SHARE_BITS = 32 };

/* The node of each interior voxel (N): the one whose ball is nearest on ways through the interior, in steps of 3, 4 and 5 thirds of a voxel over
   faces, edges and corners; of several the first. Trees have a node at least. The array is the arena's. bits: OSSAI_SHARE_BITS; the result is the same for any
   from 8 on. Errors: OSSA_ERROR_MEMORY.
   Cost: linear in voxels and in how often ways turn back: 10 to 20 ns a voxel. */
ossa_status ossai_node_shares(ossai_arena *arena, const ossai_voxels *voxels, const ossai_voxel_rows *rows,
	const ossai_path_tree *tree, int bits, uint32_t **node_of_voxel);

#endif
