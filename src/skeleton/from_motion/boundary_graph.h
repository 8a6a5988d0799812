/* skeleton/from_motion/boundary_graph.h: which parts of a surface touch, how long their common
   boundary is, and the resulting tree.

   Place in the path: parts -> here -> joints, hierarchy.
   Input: a part for every face.
   Output: an ossai_bone_graph, so that later stages work for parts of faces as for bones with
   weights.
   Source: de Aguiar, Theobalt, Thrun, Seidel, Automatic Conversion of Mesh Animations into
   Skeleton-based Animations, Eurographics 2008: patches that share boundary triangles are adjacent,
   and where more than two meet the pairs with the longest boundary are connected. */
#ifndef OSSAI_SKELETON_FROM_MOTION_BOUNDARY_GRAPH_H
#define OSSAI_SKELETON_FROM_MOTION_BOUNDARY_GRAPH_H

#include "skeleton/from_motion/bone_graph.h"
#include "skeleton/tree.h"

/* Fills `graph` with a bone for each part:
   - contact: number of triangles of both parts at their common boundary; where the parts share no
     edge but pieces of the surface touch there (its links), n triangles at the links count n / (n +
     1), less than any boundary;
   - mass: length of the boundary in diagonals, 0 for links; shared: 0;
   - prior: centroid of the boundary curve at rest; for links the centroid of the triangles that
     touch;
   - center, area: of the part; a part of no area has the mean of its faces' centers;
   - bone_of_vertex: the part of the largest face around a vertex.
   Faces with the part OSSA_NONE belong to none. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY.
   Cost: linear in faces. */
ossa_status ossai_boundary_graph_make(ossai_arena *arena, const ossai_posed_surface *surface, const uint32_t *part_of_face,
	size_t part_count, ossai_bone_graph *graph);

/* The tree of the longest boundaries: the maximum spanning tree under `contact`, rooted at the part
   at the surface's center of gravity. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_boundary_tree_make(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_bone_graph *graph, ossai_tree *tree);

#endif
