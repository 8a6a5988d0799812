/* skeleton/volume_bones.h: segments and joints from a skeletal graph.

   Place in the path: volume/skeletal_graph -> here -> weights, rig.
   Source: L. Wade and R. Parent 2002, section 3.7. */
#ifndef OSSAI_SKELETON_VOLUME_BONES_H
#define OSSAI_SKELETON_VOLUME_BONES_H

#include "skeleton/tree.h"
#include "volume/skeletal_graph.h"

/* Where the root is. The order is that of the option tables' choices. */
typedef enum ossai_volume_root {
	OSSAI_ROOT_CENTER, /* a deep segment near the heart, at its midpoint (the paper) */
	OSSAI_ROOT_LOWEST, /* the end of the curve that is lowest (least y) */
	OSSAI_ROOT_POINT   /* the vertex of the graph nearest to a point */
} ossai_volume_root;

/* One bone a segment. */
typedef struct ossai_volume_bones {
	ossai_tree tree;        /* pair: OSSA_NONE everywhere */
	ossai_vec3 *joint;      /* B; the root's in the middle of its segment, which is not divided */
	ossai_vec3 *tail;       /* B */
	ossai_mat3 *frame;      /* B: columns x y z: z along the bone, x across the plane of the parent and it, y completes them */
	uint32_t *segment;      /* B: edge of the graph */
	uint32_t *level;        /* B: the coarsest level that has the bone: 0 for the coarsest of `levels`, up to levels - 1 */
	uint32_t *bone_of_node; /* nodes of the path tree */
} ossai_volume_bones;

/* levels >= 1: nested skeletons, each coarser one a subset of the joints of the finer. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_volume_bones_make(ossai_arena *arena, const ossai_path_tree *tree, const ossai_skeletal_graph *graph,
	ossai_volume_root root, ossai_vec3 point, size_t levels, ossai_volume_bones *bones);

#endif
