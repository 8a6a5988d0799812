/* tests/curve/test_curve_prune.c: pruning of branches just above and just below the least
   persistence; forks just in and just off the plane of symmetry. */
#include "curve/prune.h"
#include "support/curves.h"
#include "support/support.h"

#include <string.h>

static const double LEAST = 0.05;
static const ossai_mirror no_mirror = {.exists = false};

/* three long arms and a short branch of two nodes that leave node 0 */
static ossai_curve make_star(ossai_arena *arena, const double *persistence)
{
	const double nodes[] = {0, 0, 0, 0.3, 0, 0, -0.3, 0, 0, 0, 0.3, 0, 0, -0.05, 0, 0, -0.06, 0};
	const uint32_t edges[] = {0, 1, 0, 2, 0, 3, 0, 4, 4, 5};
	ossai_curve curve = test_curve_literal(arena, 6, nodes, 5, edges);
	test_curve_persistence(arena, &curve, persistence);
	for (size_t i = 0; i < 6; i++) curve.area[i] = 1;
	return curve;
}

/* how long a branch is, or how thick, counts for nothing: its most persistent tip does, wherever
   along it that lies */
static void branches_without_a_persistent_tip_go(void **state)
{
	(void)state;
	for (size_t tip = 3; tip <= 5; tip++) {
		for (int is_below = 0; is_below < 2; is_below++) {
			test_curve_bench b = test_curve_begin();
			double persistence[] = {0, 0.3, 0.3, 0.3, 0.01, tip == 3 ? 0.3 : 0.01};
			persistence[tip] = LEAST * (is_below ? 0.999 : 1);
			ossai_curve curve = make_star(&b.arena, persistence);
			assert_ok(b.context, ossai_curve_prune(&b.arena, LEAST, &no_mirror, &curve));
			assert_int_equal(test_curve_count(&curve, 1), is_below ? 3 : 4);
			/* what is removed becomes part of the junction */
			const size_t gone = is_below ? (tip == 3 ? 1 : 2) : 0;
			assert_int_equal(curve.node_count, 6 - gone);
			assert_near(curve.area[0], 1 + (double)gone, 0);
			test_curve_end(&b);
		}
	}
}

static void two_chains_stay_at_each_junction(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	/* a tip where the curve has no branch is of none */
	const double persistence[] = {1, 0.01, 0.03, 0.02, 0, 0.04};
	ossai_curve curve = make_star(&b.arena, persistence);
	assert_ok(b.context, ossai_curve_prune(&b.arena, LEAST, &no_mirror, &curve));
	/* the most persistent two */
	assert_int_equal(curve.node_count, 4);
	assert_int_equal(test_curve_count(&curve, 1), 2);
	const double expected[] = {0, -0.3, -0.05, -0.06};
	for (size_t i = 0; i < 4; i++) assert_near(i == 1 ? curve.node[i].x : curve.node[i].y, expected[i], 1e-12);
	test_curve_end(&b);
}

/* a branch that itself branches: both of its ends go, and then what is left of it */
static void what_is_left_is_tested_again(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const double nodes[] = {0, 0, 0, 0.3, 0, 0, -0.3, 0, 0, 0, 0.1, 0, 0.1, 0.2, 0, -0.1, 0.2, 0};
	const double persistence[] = {0, 0.3, 0.3, 0, 0.01, 0.02};
	const uint32_t edges[] = {0, 1, 0, 2, 0, 3, 3, 4, 3, 5};
	ossai_curve curve = test_curve_literal(&b.arena, 6, nodes, 5, edges);
	test_curve_persistence(&b.arena, &curve, persistence);
	assert_ok(b.context, ossai_curve_prune(&b.arena, LEAST, &no_mirror, &curve));
	assert_int_equal(curve.node_count, 3);
	assert_int_equal(test_curve_count(&curve, 1), 2);
	test_curve_end(&b);
}

/* A limb that ends in two prongs, of which the tip lies on one. How many nodes are left where their
   junction is so far from the plane of symmetry, in shares of the shorter prong's length. */
static size_t nodes_of_fork(double off, double other)
{
	test_curve_bench b = test_curve_begin();
	const double nodes[] = {0, 0, 0, 0.3, 0, 0, 0.35, 0.05, 0, 0.35, -0.05, 0, -0.3, 0.3, 0, -0.3, -0.3, 0};
	const double persistence[] = {0, 0, 0.3, other, 0.3, 0.3};
	const uint32_t edges[] = {0, 1, 1, 2, 1, 3, 0, 4, 0, 5};
	ossai_curve curve = test_curve_literal(&b.arena, 6, nodes, 5, edges);
	test_curve_persistence(&b.arena, &curve, persistence);
	const ossai_mirror mirror = {.exists = true, .normal = {0, 1, 0}, .offset = off * 0.05 * sqrt(2)};
	assert_ok(b.context, ossai_curve_prune(&b.arena, LEAST, &mirror, &curve));
	const size_t count = curve.node_count;
	test_curve_end(&b);
	return count;
}

static void prongs_stay_or_go_together(void **state)
{
	(void)state;
	assert_int_equal(nodes_of_fork(0, 0.03), 4);
	assert_int_equal(nodes_of_fork(0, LEAST), 6);
	/* a quarter of their length from the plane they are a fork; farther they are two arms */
	assert_int_equal(nodes_of_fork(0.249, 0.03), 4);
	assert_int_equal(nodes_of_fork(0.251, 0.03), 5);
}

/* an arm on each side, at a junction of its own: what is left depends on each alone, for tips have
   been matched before */
static void arms_at_two_junctions_are_no_fork(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const double nodes[] = {-0.05, 0, 0, 0.05, 0, 0, -0.05, -0.4, 0, 0.05, -0.4, 0, -0.4, 0, 0, 0.4, 0, 0};
	const double persistence[] = {0, 0, 0.3, 0.3, 0.3, 0.01};
	const uint32_t edges[] = {0, 1, 0, 2, 1, 3, 0, 4, 1, 5};
	ossai_curve curve = test_curve_literal(&b.arena, 6, nodes, 5, edges);
	test_curve_persistence(&b.arena, &curve, persistence);
	const ossai_mirror mirror = {.exists = true, .normal = {1, 0, 0}};
	assert_ok(b.context, ossai_curve_prune(&b.arena, LEAST, &mirror, &curve));
	assert_int_equal(curve.node_count, 5);
	test_curve_end(&b);
}

static ossa_status prune_once(ossa_context *context, void *arg)
{
	ossai_arena arena = ossai_arena_begin(context);
	ossai_curve curve = *(const ossai_curve *)arg;
	double persistence[6], area[6], volume[6], radius[6];
	ossai_vec3 node[6];
	memcpy(persistence, curve.persistence, sizeof persistence);
	memcpy(area, curve.area, sizeof area);
	memcpy(volume, curve.volume, sizeof volume);
	memcpy(radius, curve.radius, sizeof radius);
	memcpy(node, curve.node, sizeof node);
	curve.persistence = persistence;
	curve.area = area;
	curve.volume = volume;
	curve.radius = radius;
	curve.node = node;
	const ossai_mirror mirror = {.exists = true, .normal = {1, 0, 0}};
	const ossa_status status = ossai_curve_prune(&arena, LEAST, &mirror, &curve);
	ossai_arena_end(&arena);
	return status;
}

static void memory_may_fail(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	ossai_curve curve = make_star(&b.arena, (double[]){0, 0.3, 0.3, 0.3, 0, 0.01});
	assert_true(test_allocation_sweep(prune_once, &curve, 200, 1) >= 5);
	test_curve_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(branches_without_a_persistent_tip_go),
		cmocka_unit_test(two_chains_stay_at_each_junction),
		cmocka_unit_test(what_is_left_is_tested_again),
		cmocka_unit_test(prongs_stay_or_go_together),
		cmocka_unit_test(arms_at_two_junctions_are_no_fork),
		cmocka_unit_test(memory_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
