/* tests/support/path_trees.c: see path_trees.h. */
#include "support/path_trees.h"

#include <ossa/mesh.h>

static uint32_t add(test_path_tree *t, uint32_t parent, ossai_vec3 at, double radius)
{
	const size_t i = t->tree.node_count++;
	assert_true(i < TEST_PATH_NODES);
	t->parent[i] = parent;
	t->node[i] = at;
	t->radius[i] = radius;
	t->voxel[i] = (uint32_t)i;
	return (uint32_t)i;
}

void test_path_begin(test_path_tree *t, ossai_vec3 at, double radius, double heart_radius)
{
	t->tree = (ossai_path_tree){.heart_radius = heart_radius};
	t->tree.parent = t->parent;
	t->tree.voxel = t->voxel;
	t->tree.node = t->node;
	t->tree.radius = t->radius;
	add(t, OSSA_NONE, at, radius);
}

uint32_t test_path_to(test_path_tree *t, uint32_t from, ossai_vec3 to, int steps, double radius)
{
	const ossai_vec3 begin = t->node[from];
	const double first = t->radius[from];
	uint32_t last = from;
	for (int i = 1; i <= steps; i++) {
		const double share = (double)i / steps;
		last = add(t, last, ossai_lerp(begin, to, share), first + share * (radius - first));
	}
	return last;
}
