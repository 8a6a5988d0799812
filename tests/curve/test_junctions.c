/* tests/curve/test_junctions.c: junctions just near enough to be one and just not, on an H and on a comb. */
#include "curve/junctions.h"
#include "support/curves.h"
#include "support/support.h"

typedef struct bench {
	ossa_context *context;
	ossai_arena arena;
} bench;

static bench begin(void)
{
	bench b = {.context = test_context(1)};
	b.arena = ossai_arena_begin(b.context);
	return b;
}

static void end(bench *b)
{
	ossai_arena_end(&b->arena);
	test_context_end(b->context);
}

/* An H on its side: junctions at 0 and at `bar` along x with two arms each, a node between them. Radius 0.05: their balls touch where the bar is 0.1. */
static ossai_curve make_h(ossai_arena *arena, double bar, double radius)
{
	const double nodes[] = {
		0, 0, 0, bar / 2, 0, 0, bar, 0, 0, -0.3, 0.3, 0, -0.3, -0.3, 0, bar + 0.3, 0.3, 0, bar + 0.3, -0.3, 0};
	const uint32_t edges[] = {0, 1, 1, 2, 0, 3, 0, 4, 2, 5, 2, 6};
	ossai_curve curve = test_curve_literal(arena, 7, nodes, 6, edges);
	curve.radius[2] = radius;
	for (size_t i = 0; i < 7; i++) curve.area[i] = 1;
	return curve;
}

/* 1.12 times the sum of both radii */
static void junctions_whose_balls_touch_are_one(void **state)
{
	(void)state;
	bench b = begin();
	const double radii[] = {0.05, 0.08};
	for (size_t i = 0; i < 2; i++) {
		const double limit = 1.12 * (0.05 + radii[i]);
		ossai_curve curve = make_h(&b.arena, 0.999 * limit, radii[i]);
		assert_ok(b.context, ossai_curve_merge_junctions(&b.arena, &curve));
		assert_int_equal(test_curve_count(&curve, 3), 1);
		assert_int_equal(test_curve_count(&curve, 1), 4);
		/* what lies between goes with it, areas too; the larger ball stays, of equal ones the first */
		assert_int_equal(curve.node_count, 5);
		assert_int_equal(curve.edge_count, 4);
		double most = 0;
		for (size_t k = 0; k < 5; k++) {
			if (curve.area[k] <= most) continue;
			most = curve.area[k];
			assert_near(curve.node[k].x, i ? 0.999 * limit : 0, 1e-12);
		}
		assert_near(most, 3, 1e-12);
		curve = make_h(&b.arena, 1.001 * limit, radii[i]);
		assert_ok(b.context, ossai_curve_merge_junctions(&b.arena, &curve));
		assert_int_equal(curve.node_count, 7);
		assert_int_equal(test_curve_count(&curve, 3), 2);
	}
	end(&b);
}

/* balls that are known go before the nodes' radii */
static void balls_go_before_radii(void **state)
{
	(void)state;
	bench b = begin();
	ossai_curve curve = make_h(&b.arena, 0.2, 0.05);
	ossai_ball balls[7];
	for (size_t i = 0; i < 7; i++) balls[i] = (ossai_ball){curve.node[i], 0.1};
	curve.ball = balls;
	assert_ok(b.context, ossai_curve_merge_junctions(&b.arena, &curve));
	assert_int_equal(test_curve_count(&curve, 3), 1);
	end(&b);
}

/* A comb of three teeth, junctions each `step` from the next, the ball of the first the largest: the third is reached through the second, if it is not
   farther from the first than twice the sum of their radii. */
static size_t junctions_of_comb(double step)
{
	bench b = begin();
	const double nodes[] = {
		0, 0, 0, step, 0, 0, 2 * step, 0, 0, -0.5, 0, 0, 0, 0.5, 0, step, 0.5, 0, 2 * step, 0.5, 0, 2 * step + 0.5, 0, 0};
	const uint32_t edges[] = {0, 1, 1, 2, 0, 3, 0, 4, 1, 5, 2, 6, 2, 7};
	ossai_curve curve = test_curve_literal(&b.arena, 8, nodes, 7, edges);
	curve.radius[0] = 0.051;
	assert_ok(b.context, ossai_curve_merge_junctions(&b.arena, &curve));
	assert_int_equal(test_curve_count(&curve, 1), 5);
	const size_t count = test_curve_count(&curve, 3);
	end(&b);
	return count;
}

static void a_body_is_no_longer_than_its_largest_ball_allows(void **state)
{
	(void)state;
	/* twice the step against 2 x 0.101 */
	assert_int_equal(junctions_of_comb(0.1005), 1);
	assert_int_equal(junctions_of_comb(0.1015), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(junctions_whose_balls_touch_are_one),
		cmocka_unit_test(balls_go_before_radii),
		cmocka_unit_test(a_body_is_no_longer_than_its_largest_ball_allows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
