/* medial/loops.h: loops of a shape, which a tree of paths leaves open.

   Place in the path: medial/tree_curve -> here -> curve, rig. */
#ifndef OSSAI_MEDIAL_LOOPS_H
#define OSSAI_MEDIAL_LOOPS_H

#include "curve/curve.h"
#include "medial/path_tree.h"
#include "voxels/voxel_rows.h"

/* Adds to the curve of a path tree, whose nodes are still the tree's, a cut for each loop: where
   voxels of two nodes touch whose distance through the tree is large. At most as many as the
   voxels have handles (Euler's characteristic), the longest first; a path shorter than the
   distance across is no loop. node_of_voxel: the node that each voxel belongs to. Errors:
   OSSA_ERROR_MEMORY.  Cost: linear in voxels; pairs of nodes that touch x depth. */
ossa_status ossai_volume_loops_find(ossai_arena *arena, const ossai_voxels *voxels, const ossai_voxel_rows *rows,
	const ossai_path_tree *tree, const uint32_t *node_of_voxel, ossai_curve *curve);

#endif
