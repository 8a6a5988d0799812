/* tests/curve/test_limb_ends.c: where limbs end on literal curves: balls that just contain the
   rest, and just do not. */
#include "curve/limb_ends.h"
#include "support/curves.h"
#include "support/support.h"

/* a limb along x that ends in a corner of its blunt end, or in a point */
static size_t nodes_of_limb(bool is_blunt)
{
	test_curve_bench b = test_curve_begin();
	const double nodes[] = {
		0, 0, 0, 0.1, 0, 0, 0.2, 0, 0, 0.3, 0, 0, 0.34, 0.02, 0, 0.36, 0.04, 0, -0.3, 0.3, 0, -0.3, -0.3, 0};
	const uint32_t edges[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 0, 6, 0, 7};
	ossai_curve curve = test_curve_literal(&b.arena, 8, nodes, 7, edges);
	const double blunt[] = {0.1, 0.07, 0.07, 0.07, 0.03, 0.01, 0.1, 0.1},
				 pointed[] = {0.1, 0.06, 0.04, 0.02, 0.012, 0.01, 0.1, 0.1};
	for (size_t i = 0; i < 8; i++) curve.radius[i] = is_blunt ? blunt[i] : pointed[i];
	test_curve_persistence(&b.arena, &curve, (double[]){0, 0, 0, 0, 0, 1, 1, 1});
	assert_ok(b.context, ossai_curve_shorten_ends(&b.arena, &curve));
	assert_int_equal(test_curve_count(&curve, 1), 3);
	const size_t count = curve.node_count;
	test_curve_end(&b);
	return count;
}

static void blunt_ends_are_no_corners(void **state)
{
	(void)state;
	/* the ball at 0.3, 2.2 times as large, holds both corners */
	assert_int_equal(nodes_of_limb(true), 6);
	/* no ball of a pointed one holds its point */
	assert_int_equal(nodes_of_limb(false), 8);
}

/* Three limbs that leave node 0; the one along x has a node with a ball of 0.1, and an end with one
   of 0.02 that lies `beyond` it and has a tip of this persistence. Whether that end is cut off. */
static bool is_cut(double beyond, double persistence)
{
	test_curve_bench b = test_curve_begin();
	const double nodes[] = {0, 0, 0, 0.5, 0, 0, 0.5 + beyond, 0, 0, 0, 0.5, 0, 0, -0.5, 0};
	const uint32_t edges[] = {0, 1, 1, 2, 0, 3, 0, 4};
	ossai_curve curve = test_curve_literal(&b.arena, 5, nodes, 4, edges);
	curve.radius[1] = 0.1;
	curve.radius[2] = 0.02;
	curve.area[1] = curve.area[2] = 1;
	test_curve_persistence(&b.arena, &curve, (double[]){0, 0, persistence, 1, 1});
	assert_ok(b.context, ossai_curve_shorten_ends(&b.arena, &curve));
	const bool is_gone = curve.node_count == 4;
	assert_int_equal(test_curve_count(&curve, 1), 3);
	/* its patch goes to the new end of the limb */
	assert_near(curve.area[1], is_gone ? 2 : 1, 0);
	test_curve_end(&b);
	return is_gone;
}

/* 0.22 is what a ball of 0.1 holds */
static void a_ball_holds_what_is_beyond(void **state)
{
	(void)state;
	assert_true(is_cut(0.1999, INFINITY));
	assert_false(is_cut(0.2001, INFINITY));
}

/* 1.5 times the persistence of its tip is the most that a limb loses */
static void a_spike_stays(void **state)
{
	(void)state;
	assert_true(is_cut(0.15, 0.1001));
	assert_false(is_cut(0.15, 0.0999));
}

static void a_ball_has_two_ends_yet(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const double nodes[] = {-0.03, 0, 0, -0.01, 0, 0, 0.01, 0, 0, 0.03, 0, 0};
	const uint32_t edges[] = {0, 1, 1, 2, 2, 3};
	ossai_curve curve = test_curve_literal(&b.arena, 4, nodes, 3, edges);
	for (size_t i = 0; i < 4; i++) curve.radius[i] = 0.5;
	test_curve_persistence(&b.arena, &curve, (double[]){1, 0, 0, 1});
	assert_ok(b.context, ossai_curve_shorten_ends(&b.arena, &curve));
	assert_int_equal(test_curve_count(&curve, 1), 2);
	test_curve_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blunt_ends_are_no_corners),
		cmocka_unit_test(a_ball_holds_what_is_beyond),
		cmocka_unit_test(a_spike_stays),
		cmocka_unit_test(a_ball_has_two_ends_yet),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
