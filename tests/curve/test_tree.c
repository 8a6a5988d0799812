/* tests/curve/test_tree.c: curves become trees: loops cut, pieces joined, roots chosen; on
   literal curves. */
#include "curve/prune.h"
#include "curve/tree.h"
#include "support/curves.h"
#include "support/support.h"

static void a_cycle_is_cut_where_it_is_thinnest(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const double nodes[] = {0, 0, 0, 0.1, 0, 0, 0.1, 0.1, 0, 0, 0.1, 0};
	const uint32_t edges[] = {0, 1, 1, 2, 2, 3, 3, 0};
	ossai_curve curve = test_curve_literal(&b.arena, 4, nodes, 4, edges);
	curve.radius[2] = 0.01;
	assert_ok(b.context, ossai_curve_cut_loops(&b.arena, &curve));
	assert_int_equal(curve.edge_count, 3);
	assert_int_equal(curve.cut_count, 1);
	assert_true(curve.cuts[0].a == 2 || curve.cuts[0].b == 2);
	test_curve_end(&b);
}

static void a_link_of_a_cycle_is_cut_first(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	/* four nodes near each other but for one edge that spans a gap */
	const double nodes[] = {0, 0, 0, 0.05, 0, 0, 0.1, 0, 0, 0.6, 0, 0, 0.3, 0.05, 0};
	const uint32_t edges[] = {0, 1, 1, 2, 2, 3, 0, 4, 3, 4};
	ossai_curve curve = test_curve_literal(&b.arena, 5, nodes, 5, edges);
	assert_ok(b.context, ossai_curve_cut_loops(&b.arena, &curve));
	assert_int_equal(curve.cut_count, 1);
	assert_int_equal(curve.cuts[0].a, 2);
	assert_int_equal(curve.cuts[0].b, 3);
	assert_near(curve.cuts[0].center.x, 0.35, 1e-12);
	test_curve_end(&b);
}

static void pieces_are_joined_by_their_nearest_nodes(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const double nodes[] = {0, 0, 0, 0.1, 0, 0, 0.3, 0, 0, 0.4, 0, 0, 0.4, 0.5, 0, 1, 1, 1};
	const uint32_t edges[] = {0, 1, 2, 3};
	ossai_curve curve = test_curve_literal(&b.arena, 6, nodes, 2, edges);
	assert_ok(b.context, ossai_curve_cut_loops(&b.arena, &curve));
	const uint32_t expected[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5};
	assert_int_equal(curve.edge_count, 5);
	assert_memory_equal(curve.edge, expected, sizeof expected);
	assert_int_equal(curve.cut_count, 0);
	test_curve_end(&b);
}

/* a trunk from 0 to 0.4 with two legs of 0.3 below and two arms above, which are `arm` long */
static uint32_t middle_of_body(double arm)
{
	test_curve_bench b = test_curve_begin();
	const double nodes[] = {0, 0, 0, 0, 0.4, 0, 0.1, -0.3, 0, -0.1, -0.3, 0, arm, 0.4, 0, -arm, 0.4, 0};
	const uint32_t edges[] = {0, 1, 0, 2, 0, 3, 1, 4, 1, 5};
	ossai_curve curve = test_curve_literal(&b.arena, 6, nodes, 5, edges);
	uint32_t middle;
	assert_ok(b.context, ossai_curve_central_node(&b.arena, &curve, &middle));
	test_curve_end(&b);
	return middle;
}

static void the_middle_is_the_junction_nearest_to_all(void **state)
{
	(void)state;
	/* legs are 0.316 long */
	assert_int_equal(middle_of_body(0.31), 0);
	assert_int_equal(middle_of_body(0.32), 1);
	/* without a junction any node may be it */
	test_curve_bench b = test_curve_begin();
	const double nodes[] = {0, 0, 0, 0.1, 0, 0, 0.25, 0, 0, 0.5, 0, 0};
	const uint32_t edges[] = {0, 1, 1, 2, 2, 3};
	ossai_curve curve = test_curve_literal(&b.arena, 4, nodes, 3, edges);
	uint32_t middle;
	assert_ok(b.context, ossai_curve_central_node(&b.arena, &curve, &middle));
	assert_int_equal(middle, 2);
	test_curve_end(&b);
}

static void little_curves_stay_as_they_are(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const double nodes[] = {0, 0, 0, 0.1, 0, 0}, persistence[2] = {0};
	const ossai_mirror no_mirror = {.exists = false};
	const uint32_t edges[] = {0, 1};
	for (size_t count = 0; count <= 2; count++) {
		ossai_curve curve = test_curve_literal(&b.arena, count, nodes, count == 2, edges);
		test_curve_persistence(&b.arena, &curve, persistence);
		assert_ok(b.context, ossai_curve_cut_loops(&b.arena, &curve));
		assert_ok(b.context, ossai_curve_prune(&b.arena, 1, &no_mirror, &curve));
		assert_int_equal(curve.node_count, count);
		if (count) assert_int_equal(ossai_curve_root(&curve), 0);
	}
	test_curve_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cycle_is_cut_where_it_is_thinnest),
		cmocka_unit_test(a_link_of_a_cycle_is_cut_first),
		cmocka_unit_test(pieces_are_joined_by_their_nearest_nodes),
		cmocka_unit_test(the_middle_is_the_junction_nearest_to_all),
		cmocka_unit_test(little_curves_stay_as_they_are),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
