/* medial/path_tree.h: a tree of paths, deep inside the shape, that covers what the medial surface
   covers.

   Place in the path: medial/medial -> here -> medial/skeletal_graph.
   Source: L. Wade and R. Parent 2002, section 3.3.
   Departures of ossai_path_tree_from_heart and ossai_path_tree_to: the first paths begin at the
   heart, which is deep, and not at an extreme point, which unevenness may have made; of extreme
   points between which the distance from the heart hardly falls one gets a path; the weight of a
   step counts with its length, for on level ground all paths of as many steps would be equally
   good. */
#ifndef OSSAI_MEDIAL_PATH_TREE_H
#define OSSAI_MEDIAL_PATH_TREE_H

#include "medial/medial.h"

/* Nodes come parents first; node 0 is the end farthest from the heart. */
typedef struct ossai_path_tree {
	size_t node_count;
	uint32_t *parent; /* OSSA_NONE at node 0 */
	ossai_vec3 *node; /* positions: centers of voxels, until smoothed */
	double *radius;   /* of the maximal ball: sqrt(distance2) * step */
	uint32_t *voxel;  /* interior voxel under the node */
	uint32_t heart;   /* the node nearest to the medial voxel that is most central */
	/* longest path over the medial surface from the heart */
	double heart_radius;
	/* extreme points found (none are looked for where paths lead to given places), and paths made;
	   from the heart the first two meet there */
	size_t extreme_count;
	size_t path_count;
	uint32_t heart_voxel; /* interior voxels */
	uint32_t *extreme;    /* extreme_count: interior voxels, the farthest from the heart first */
} ossai_path_tree;

/* As published: from the extreme point farthest from the heart, paths of least sum of 1 / depth^3
   are joined until the uncovered extreme point farthest from what is covered is less than closeness
   x heart radius away from it. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY,
   OSSA_ERROR_CANCELLED.  Cost: m log m of the medial voxels. */
ossa_status ossai_path_tree_make(
	ossai_arena *arena, const ossai_voxels *voxels, const ossai_medial *medial, double closeness, ossai_path_tree *tree);

/* The same from the heart, for shapes without limbs. */
ossa_status ossai_path_tree_from_heart(
	ossai_arena *arena, const ossai_voxels *voxels, const ossai_medial *medial, double closeness, ossai_path_tree *tree);

/* A path to each of the places, the first of them first: the medial voxel nearest to it is joined
   to the tree, which begins at the heart. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY,
   OSSA_ERROR_CANCELLED.  Cost: m log m, and m for each place. */
ossa_status ossai_path_tree_to(ossai_arena *arena, const ossai_voxels *voxels, const ossai_medial *medial, size_t count,
	const ossai_vec3 *target, ossai_path_tree *tree);

/* A moving average of radius `edges` over each chain between ends and junctions, which are fixed;
   shorter close to them. */
ossa_status ossai_path_tree_smooth(ossai_arena *arena, int edges, ossai_path_tree *tree);

#endif
