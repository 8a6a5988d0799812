/* skeleton/from_curve/volume_bones.h: bones from the segments of a skeletal graph.

   Place in the path: medial/skeletal_graph -> here -> weights, rig.
   Input: a path tree and its segments.
   Output: a bone for each segment, and levels of articulation.
   Source: L. Wade and R. Parent 2002, section 3.4.2. */
#ifndef OSSAI_SKELETON_FROM_CURVE_VOLUME_BONES_H
#define OSSAI_SKELETON_FROM_CURVE_VOLUME_BONES_H

#include "skeleton/tree.h"
#include "medial/skeletal_graph.h"
#include <ossa/volume.h>

/* One bone for each segment, with its number; a path tree of one node has one bone, at that
   node. */
typedef struct ossai_volume_bones {
	ossai_tree tree;
	/* B: the vertex where a bone meets its parent. The joint of the root is at an end of its
	   segment, or in the middle: then both ends have children */
	ossai_vec3 *joint;
	/* B: the other end; of a root with its joint in the middle, the end with the longer subtree */
	ossai_vec3 *tail;
	/* B: columns x y z: z along the bone, x normal to the plane of bone and parent */
	ossai_mat3 *frame;
	uint32_t *segment; /* B: edge of the graph; OSSA_NONE where the path tree has one node */
	/* B: the coarsest level that has the bone: 0, the coarsest, to levels - 1. In a coarser level,
	   a bone stands for its descendants of finer levels, too */
	uint32_t *level;
	uint32_t *bone_of_node; /* of the nodes of the path tree; at joints the bone that ends there */
} ossai_volume_bones;

/* point: that of OSSA_ROOT_POINT; the upward direction for OSSA_ROOT_LOWEST. levels >= 1: nested
   skeletons, of which each coarser one has a subset of the joints of the finer: the coarsest has
   ends and junctions, and each finer one about the same number of splits more. Arrays are the
   arena's. Errors: OSSA_ERROR_MEMORY.  Cost: linear. */
ossa_status ossai_volume_bones_make(ossai_arena *arena, const ossai_path_tree *tree, const ossai_skeletal_graph *graph,
	ossa_root_kind root, ossai_vec3 point, size_t levels, ossai_volume_bones *bones);

#endif
