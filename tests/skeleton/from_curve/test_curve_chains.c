/* tests/skeleton/from_curve/test_curve_chains.c: the chains of a fork: points, lengths, parents,
   mirror images; curves that are no trees. */
#include "skeleton/from_curve/curve_chains.h"
#include "support/curves.h"
#include "support/support.h"

static const ossai_proxy none = {.vertex_count = 0};

/* a handle of two edges up to node 2, and two prongs: 3 to the left, of one edge, 4 - 5 to the
   right */
static const double nodes[] = {0, 0, 0, 0, 1, 0, 0, 2, 0, -1, 3, 0, 0.5, 2.5, 0, 1, 3, 0};
static const uint32_t edges[] = {0, 1, 1, 2, 2, 3, 2, 4, 4, 5};

static ossai_curve fork_of(ossai_arena *arena)
{
	ossai_curve curve = test_curve_literal(arena, 6, nodes, 5, edges);
	for (size_t i = 0; i < 6; i++) curve.radius[i] = 0.1 * (double)i;
	return curve;
}

static void a_fork_has_three_chains(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const ossai_curve curve = fork_of(&b.arena);
	ossai_chains chains;
	assert_ok(b.context, ossai_chains_make(&b.arena, &none, &curve, 0, &chains));
	assert_int_equal(chains.count, 3);
	assert_int_equal(chains.root, 0);
	assert_int_equal(chains.root_count, 1);
	static const struct {
		uint32_t parent, first, last;
		bool is_leaf;
		double length;
	} expected[] = {{OSSA_NONE, 0, 2, false, 2}, {0, 2, 3, true, 1.41421356}, {0, 2, 5, true, 1.41421356}};
	for (size_t c = 0; c < 3; c++) {
		const ossai_chain *chain = &chains.chain[c];
		assert_int_equal(chain->parent, expected[c].parent);
		assert_int_equal(chain->is_leaf, expected[c].is_leaf);
		assert_int_equal(chains.node[chain->begin], expected[c].first);
		assert_near(chain->length, expected[c].length, 1e-8);
		assert_near(
			ossai_distance(ossai_chain_at(&chains, (uint32_t)c, chain->length, NULL), curve.node[expected[c].last]), 0, 1e-12);
	}
	test_curve_end(&b);
}

static void the_root_may_be_the_junction(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const ossai_curve curve = fork_of(&b.arena);
	ossai_chains chains;
	assert_ok(b.context, ossai_chains_make(&b.arena, &none, &curve, 2, &chains));
	assert_int_equal(chains.count, 3);
	assert_int_equal(chains.root_count, 3);
	for (size_t c = 0; c < 3; c++) assert_true(chains.chain[c].parent == OSSA_NONE && chains.chain[c].is_leaf);
	test_curve_end(&b);
}

static void points_and_radii_lie_between_nodes(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const ossai_curve curve = fork_of(&b.arena);
	ossai_chains chains;
	double radius;
	assert_ok(b.context, ossai_chains_make(&b.arena, &none, &curve, 0, &chains));
	const ossai_vec3 middle = ossai_chain_at(&chains, 0, 1.5, &radius);
	assert_near(ossai_distance(middle, ossai_v3(0, 1.5, 0)), 0, 1e-12);
	assert_near(radius, 0.15, 1e-12);
	/* beyond its ends are its ends */
	assert_near(ossai_distance(ossai_chain_at(&chains, 0, -1, &radius), curve.node[0]), 0, 1e-12);
	assert_near(ossai_distance(ossai_chain_at(&chains, 0, 9, &radius), curve.node[2]), 0, 1e-12);
	assert_near(radius, 0.2, 1e-12);
	test_curve_end(&b);
}

static void prongs_are_mirror_images(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const ossai_curve curve = fork_of(&b.arena);
	const ossai_mirror mirror = {.exists = true, .normal = {1, 0, 0}};
	ossai_chains chains;
	assert_ok(b.context, ossai_chains_make(&b.arena, &none, &curve, 0, &chains));
	assert_ok(b.context, ossai_chains_match(&b.arena, &mirror, &chains));
	assert_int_equal(chains.chain[0].mirrored, 0);
	assert_int_equal(chains.chain[1].mirrored, 2);
	assert_int_equal(chains.chain[2].mirrored, 1);
	test_curve_end(&b);
}

static void a_loop_is_refused(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	static const uint32_t ring[] = {0, 1, 1, 2, 2, 3, 0, 3};
	const ossai_curve curve = test_curve_literal(&b.arena, 4, nodes, 4, ring);
	ossai_chains chains;
	assert_int_equal(ossai_chains_make(&b.arena, &none, &curve, 0, &chains), OSSA_ERROR_INPUT);
	test_curve_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_fork_has_three_chains),
		cmocka_unit_test(the_root_may_be_the_junction), cmocka_unit_test(points_and_radii_lie_between_nodes),
		cmocka_unit_test(prongs_are_mirror_images), cmocka_unit_test(a_loop_is_refused)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
