/* medial/tree_curve.h: a path tree as a curve skeleton, each node with its part of the volume and
   surface.

   Place in the path: medial/path_tree -> here -> curve/tree, skeleton/from_curve/curve_bones. */
#ifndef OSSAI_MEDIAL_TREE_CURVE_H
#define OSSAI_MEDIAL_TREE_CURVE_H

#include "curve/curve.h"
#include "proxy/proxy.h"
#include "medial/path_tree.h"

/* Every voxel belongs to the node whose ball is nearest to it on paths through the interior; a
   node's volume is that of its voxels, and the proxy's vertices are those of the voxels that they
   lie in. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY.
   Cost: linear in voxels (node_shares.h) and vertices. */
ossa_status ossai_tree_curve_make(
	ossai_arena *arena, const ossai_voxels *voxels, const ossai_path_tree *tree, const ossai_proxy *proxy, ossai_curve *curve);

#endif
