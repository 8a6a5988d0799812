/* tests/test_path_tree.c: path trees of shapes that are known: their ends, deep ways, smoothing. */
#include "volume/path_tree.h"

#include "support/support.h"
#include "support/volumes.h"

#include <string.h>

static const double EXPOSURE = 0.12, CLOSENESS = 0.08;

typedef struct grown {
	ossa_context *context;
	ossai_arena arena;
	ossai_voxels voxels;
	ossai_medial medial;
	ossai_path_tree tree;
} grown;

static void grow(grown *g, const test_volume *volume, double size)
{
	const ossai_mat3 turn = ossai_mat3_identity();
	g->context = test_context(1);
	g->arena = ossai_arena_begin(g->context);
	g->voxels = test_voxels_of(&g->arena, volume, &turn, size);
	assert_ok(g->context, ossai_medial_make(&g->arena, &g->voxels, EXPOSURE, &g->medial));
	assert_ok(g->context, ossai_path_tree_make(&g->arena, &g->voxels, &g->medial, CLOSENESS, &g->tree));
}

static void grown_end(grown *g)
{
	ossai_arena_end(&g->arena);
	test_context_end(g->context);
}

static size_t count_ends(const ossai_path_tree *tree)
{
	size_t ends = 0;
	for (size_t i = 0; i < tree->node_count; i++) {
		size_t degree = i > 0;
		for (size_t k = 1; k < tree->node_count; k++) degree += tree->parent[k] == i;
		ends += degree == 1;
	}
	return ends;
}

/* parents first, neighbours of their parents, one node a voxel */
static void assert_sound(const grown *g)
{
	const ossai_path_tree *tree = &g->tree;
	assert_true(tree->node_count > 0);
	assert_int_equal(tree->parent[0], OSSA_NONE);
	for (size_t i = 1; i < tree->node_count; i++) {
		assert_true(tree->parent[i] < i);
		assert_true(ossai_distance(tree->node[i], tree->node[tree->parent[i]]) <= 1.7321 * g->voxels.step);
		assert_true(tree->radius[i] > 0);
	}
	assert_true(tree->heart < tree->node_count);
}

static void shapes_have_their_ends(void **state)
{
	(void)state;
	const test_volume octopus = test_volume_octopus(), capsule = test_volume_capsule(1, 0.12), ball = test_volume_ball(0.5);
	grown g;
	grow(&g, &octopus, 0.01);
	assert_sound(&g);
	assert_true(count_ends(&g.tree) >= 8);
	grown_end(&g);
	grow(&g, &capsule, 0.01);
	assert_sound(&g);
	assert_true(count_ends(&g.tree) >= 2);
	grown_end(&g);
	grow(&g, &ball, 0.03);
	assert_sound(&g);
	assert_true(g.tree.path_count == 0);
	grown_end(&g);
}

static void smoothing_keeps_ends_and_branchings(void **state)
{
	(void)state;
	double node_radius[5] = {1, 1, 1, 1, 1};
	uint32_t parent[5] = {OSSA_NONE, 0, 1, 2, 3}, voxel[5] = {0};
	ossai_vec3 node[5] = {{0, 0, 0}, {1, 1, 0}, {2, 0, 0}, {3, 1, 0}, {4, 0, 0}};
	ossai_path_tree tree = {.node_count = 5, .parent = parent, .node = node, .radius = node_radius, .voxel = voxel};
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	assert_ok(context, ossai_path_tree_smooth(&arena, 3, &tree));
	assert_true(node[0].y == 0 && node[4].y == 0);
	assert_true(fabs(node[1].y - 1.0 / 3) < 1e-12 && fabs(node[2].y - 0.4) < 1e-12 && fabs(node[2].x - 2) < 1e-12);
	ossai_arena_end(&arena);
	test_context_end(context);
}

typedef struct sweep_case {
	const ossai_voxels *voxels;
	const ossai_medial *medial;
} sweep_case;

static ossa_status sweep(ossa_context *context, void *arg)
{
	const sweep_case *c = arg;
	ossai_arena arena = ossai_arena_begin(context);
	ossai_path_tree tree;
	ossa_status status = ossai_path_tree_make(&arena, c->voxels, c->medial, CLOSENESS, &tree);
	if (status == OSSA_OK) status = ossai_path_tree_smooth(&arena, 3, &tree);
	ossai_arena_end(&arena);
	return status;
}

static void memory_may_fail(void **state)
{
	(void)state;
	const test_volume person = test_volume_person();
	grown g;
	grow(&g, &person, 0.04);
	sweep_case c = {&g.voxels, &g.medial};
	assert_true(test_allocation_sweep(sweep, &c, 200, 1) >= 3);
	grown_end(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shapes_have_their_ends),
		cmocka_unit_test(smoothing_keeps_ends_and_branchings),
		cmocka_unit_test(memory_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
