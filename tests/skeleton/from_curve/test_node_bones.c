/* tests/skeleton/from_curve/test_node_bones.c: a bone for each node of a cross; curves that are no
   trees. */
#include "skeleton/from_curve/node_bones.h"
#include "support/curves.h"
#include "support/support.h"

static const ossai_proxy none = {.vertex_count = 0};

/* four arms around node 4; the one along x has two edges */
static const double nodes[] = {2, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0};
static const uint32_t edges[] = {1, 4, 2, 4, 3, 4, 4, 5, 0, 5};

static void every_node_of_a_cross_is_a_joint(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const ossai_curve curve = test_curve_literal(&b.arena, 6, nodes, 5, edges);
	ossai_curve_bones bones;
	assert_ok(b.context, ossai_curve_bones_of_nodes(&b.arena, &none, &curve, 4, &bones));
	static const uint32_t parent[] = {5, 4, 4, 4, OSSA_NONE, 4};
	assert_int_equal(bones.tree.bone_count, 6);
	assert_int_equal(bones.tree.root, 4);
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(bones.tree.parent[i], parent[i]);
		assert_near(ossai_distance(bones.joint[i], curve.node[i]), 0, 0);
		assert_near(bones.radius[i], 0.05, 0);
		assert_int_equal(bones.mirrored[i], OSSA_NONE);
	}
	/* along its chain; the root's along one of them, an end's at the end */
	assert_near(ossai_distance(bones.tail[5], curve.node[0]), 0, 0);
	assert_near(ossai_distance(bones.tail[0], curve.node[0]), 0, 0);
	assert_near(ossai_distance(bones.tail[4], curve.node[4]), 1, 0);
	test_curve_end(&b);
}

static void the_root_decides_what_is_a_parent(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const ossai_curve curve = test_curve_literal(&b.arena, 6, nodes, 5, edges);
	ossai_curve_bones bones;
	assert_ok(b.context, ossai_curve_bones_of_nodes(&b.arena, &none, &curve, 0, &bones));
	assert_int_equal(bones.tree.parent[0], OSSA_NONE);
	assert_int_equal(bones.tree.parent[5], 0);
	assert_int_equal(bones.tree.parent[4], 5);
	assert_int_equal(bones.tree.order[0], 0);
	test_curve_end(&b);
}

static void curves_without_nodes_or_with_loops_are_refused(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	ossai_curve_bones bones;
	const ossai_curve empty = {.node_count = 0};
	assert_int_equal(ossai_curve_bones_of_nodes(&b.arena, &none, &empty, 0, &bones), OSSA_ERROR_INPUT);
	static const uint32_t ring[] = {1, 2, 2, 3, 1, 3, 3, 4, 4, 5, 0, 5};
	const ossai_curve curve = test_curve_literal(&b.arena, 6, nodes, 6, ring);
	assert_int_equal(ossai_curve_bones_of_nodes(&b.arena, &none, &curve, 0, &bones), OSSA_ERROR_INPUT);
	test_curve_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_node_of_a_cross_is_a_joint),
		cmocka_unit_test(the_root_decides_what_is_a_parent), cmocka_unit_test(curves_without_nodes_or_with_loops_are_refused)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
