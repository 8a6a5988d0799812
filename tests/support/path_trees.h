/* tests/support/path_trees.h: literal path trees: limbs as straight paths of evenly spaced
   nodes. */
#ifndef OSSA_TEST_PATH_TREES_H
#define OSSA_TEST_PATH_TREES_H

#include "support/support.h"
#include "medial/path_tree.h"

enum { TEST_PATH_NODES = 4096 };

/* A tree that grows; begins with one node. */
typedef struct test_path_tree {
	ossai_path_tree tree;
	uint32_t parent[TEST_PATH_NODES], voxel[TEST_PATH_NODES];
	ossai_vec3 node[TEST_PATH_NODES];
	double radius[TEST_PATH_NODES];
} test_path_tree;

void test_path_begin(test_path_tree *t, ossai_vec3 at, double radius, double heart_radius);

/* Adds a straight path of `steps` nodes from node `from` to a position; radii change linearly to
   `radius`. Returns the last node. */
uint32_t test_path_to(test_path_tree *t, uint32_t from, ossai_vec3 to, int steps, double radius);

#endif
