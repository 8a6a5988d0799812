/* query/face_tree.h: a tree of boxes over faces: finds the nearest face of another group, and the
   faces along a segment.

   Place in the path: below links and visibility.
   Input: faces, with a group each where one asks for the nearest.
   Output: faces. */
#ifndef OSSAI_QUERY_FACE_TREE_H
#define OSSAI_QUERY_FACE_TREE_H

#include "mesh/view.h"

/* A box with the faces faces[begin .. end) in it. The left child of an inner node follows it at
   once. */
typedef struct ossai_face_node {
	float low[3], high[3];
	uint32_t begin, end;
	uint32_t right; /* the right child; 0 for a leaf */
	uint32_t group; /* of all its faces, or OSSA_NONE where they differ */
} ossai_face_node;

typedef struct ossai_face_tree {
	const float *positions;
	const uint32_t *triangles;
	uint32_t *faces; /* in the order of the leaves */
	ossai_face_node *nodes;
	size_t node_count;
} ossai_face_tree;

/* A face and the square of its distance. */
typedef struct ossai_near_face {
	uint32_t face; /* OSSA_NONE: there is none within the distance */
	double distance2;
} ossai_near_face;

/* The view's triangles, and its positions where they are floats, must outlive the tree.
   Errors: OSSA_ERROR_MEMORY.  Ownership: the arena's.  Cost: n log n. */
ossa_status ossai_face_tree_make(ossai_arena *arena, const ossai_mesh_view *mesh, ossai_face_tree *tree);

/* Gives the faces new positions and fits the boxes to them; the tree stays as it was cut. Cost:
   linear. */
void ossai_face_tree_refit(ossai_face_tree *tree, const float *positions);

/* A walk over the leaves whose boxes a segment meets, in the order of the tree. */
enum { OSSAI_FACE_TREE_DEPTH = 40 };
typedef struct ossai_face_walk {
	ossai_vec3 from, inverse; /* 1 / direction, by axis */
	uint32_t todo[OSSAI_FACE_TREE_DEPTH];
	size_t depth;
} ossai_face_walk;

/* Begins a walk from `from` to `to`, and gives its next leaf's faces; false at the end. */
ossai_face_walk ossai_face_walk_begin(const ossai_face_tree *tree, ossai_vec3 from, ossai_vec3 to);
bool ossai_face_walk_next(const ossai_face_tree *tree, ossai_face_walk *walk, const uint32_t **faces, size_t *count);

/* Stores the groups of the faces in the nodes; a query from a group skips subtrees of that group
   alone. */
void ossai_face_tree_set_groups(ossai_face_tree *tree, const uint32_t *group_of_face);

/* The face nearest to `point` that is not of `group`, within the distance of `within`; of equally
   near ones the smallest. */
ossai_near_face ossai_face_tree_nearest(
	const ossai_face_tree *tree, const uint32_t *group_of_face, ossai_vec3 point, uint32_t group, ossai_near_face within);

/* The same, as long as nothing is found within the square of a distance that is `near2`: else any
   face that near, for those who ask only whether there is one. */
ossai_near_face ossai_face_tree_nearest_beyond(const ossai_face_tree *tree, const uint32_t *group_of_face, ossai_vec3 point,
	uint32_t group, ossai_near_face within, double near2);

/* Square of the distance from a point to the box of a node. */
static inline double ossai_face_node_distance2(const ossai_face_node *node, ossai_vec3 point)
{
	const double dx = ossai_larger(0, ossai_larger(node->low[0] - point.x, point.x - node->high[0]));
	const double dy = ossai_larger(0, ossai_larger(node->low[1] - point.y, point.y - node->high[1]));
	const double dz = ossai_larger(0, ossai_larger(node->low[2] - point.z, point.z - node->high[2]));
	return dx * dx + dy * dy + dz * dz;
}

/* The face's center. */
ossai_vec3 ossai_face_center(const float *positions, const uint32_t *triangles, size_t face);

/* Square of the distance from a point to a face, degenerate or not. */
double ossai_face_distance2(const float *positions, const uint32_t *triangles, size_t face, ossai_vec3 point);

#endif
