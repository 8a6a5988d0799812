/* skeleton/from_curve/volume_bones.h: segments and joints from a skeletal graph.

   Place in the path: medial/skeletal_graph -> here -> weights, rig.
   Source: L. Wade and R. Parent 2002, section 3.4.2. */
#ifndef OSSAI_SKELETON_FROM_CURVE_VOLUME_BONES_H
#define OSSAI_SKELETON_FROM_CURVE_VOLUME_BONES_H

#include "skeleton/tree.h"
#include "medial/skeletal_graph.h"
#include <ossa/volume.h>

/* One bone a segment, with the segment's number; a tree of one node has one bone, all at that
   node. */
typedef struct ossai_volume_bones {
	ossai_tree tree;
	/* B: the vertex where a bone meets its parent; the root's at its end, or within its segment,
	   which is not divided: then bones are attached to both its ends */
	ossai_vec3 *joint;
	/* B: the other end; a root within its segment is directed at the larger part of the skeleton */
	ossai_vec3 *tail;
	/* B: columns x y z: z along the bone, x perpendicular to it and its parent, y completes them */
	ossai_mat3 *frame;
	uint32_t *segment; /* B: edge of the graph; OSSA_NONE: of one node */
	uint32_t *
		/* B: the coarsest level that has the bone: 0 for the coarsest of `levels`, up to levels -
		   1. A coarser level's bone covers its children of finer levels */
		level;
} ossai_volume_bones;

/* point: of OSSA_ROOT_POINT; of OSSA_ROOT_LOWEST the up direction. levels >= 1: nested skeletons,
   each coarser one a subset of the joints of the finer: the coarsest has ends and junctions, the
   splits are distributed evenly over the others. Where the whole tree is straight, x is
   perpendicular to the world's axis that is least along the bone. Arrays are the arena's. Errors:
   OSSA_ERROR_MEMORY.  Cost: linear. */
ossa_status ossai_volume_bones_make(ossai_arena *arena, const ossai_path_tree *tree, const ossai_skeletal_graph *graph,
	ossa_root_kind root, ossai_vec3 point, size_t levels, ossai_volume_bones *bones);

#endif
