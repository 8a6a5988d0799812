/* tests/curve/test_junctions.c: junctions just close enough and just too far to merge, on an H
   and a comb; their centers in the body. */
#include "curve/junctions.h"
#include "support/curves.h"
#include "support/support.h"

#include <string.h>

/* An H on its side: junctions at 0 and at `bar` along x with two arms each, a node between them.
   Radius 0.05: their balls touch where the bar is 0.1. */
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

/* Merges and centers the junctions of a curve whose balls are those of its nodes' radii where it
   has none yet, far from any wall: they hardly move. */
static void clean_junctions(test_curve_bench *b, ossai_curve *curve)
{
	const ossai_clearance clearance = test_box_clearance(&b->arena, 40, 40, 40);
	if (!curve->ball) {
		curve->ball = ossai_arena_new(&b->arena, curve->node_count, sizeof *curve->ball);
		assert_non_null(curve->ball);
		for (size_t i = 0; i < curve->node_count; i++) curve->ball[i] = (ossai_ball){curve->node[i], curve->radius[i]};
	}
	assert_ok(b->context, ossai_curve_center_junctions(&b->arena, &clearance, curve));
}

/* 1.12 times the sum of both radii */
static void junctions_whose_balls_touch_are_one(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const double radii[] = {0.05, 0.08};
	for (size_t i = 0; i < 2; i++) {
		const double limit = 1.12 * (0.05 + radii[i]);
		ossai_curve curve = make_h(&b.arena, 0.999 * limit, radii[i]);
		clean_junctions(&b, &curve);
		assert_int_equal(test_curve_count(&curve, 3), 1);
		assert_int_equal(test_curve_count(&curve, 1), 4);
		/* nodes between are merged too, with their areas; the mean of the balls is weighted by
		   their volumes */
		assert_int_equal(curve.node_count, 5);
		assert_int_equal(curve.edge_count, 4);
		double most = 0;
		for (size_t k = 0; k < 5; k++) {
			if (curve.area[k] <= most) continue;
			most = curve.area[k];
			assert_near(curve.node[k].x, 0.999 * limit * (i ? 512.0 / (512 + 125) : 0.5), 1e-3);
		}
		assert_near(most, 3, 1e-12);
		curve = make_h(&b.arena, 1.001 * limit, radii[i]);
		clean_junctions(&b, &curve);
		assert_int_equal(curve.node_count, 7);
		assert_int_equal(test_curve_count(&curve, 3), 2);
	}
	test_curve_end(&b);
}

/* a junction of five chains is three of three in another mesh */
static void junctions_count_by_their_chains(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const double nodes[] = {
		0, 0, 0, 0.1, 0, 0, -0.3, 0.3, 0, -0.3, -0.3, 0, 0.4, 0.3, 0, 0.4, -0.3, 0, 0.1, 0, 0.3, 0.1, 0, -0.3};
	const uint32_t edges[] = {0, 1, 0, 2, 0, 3, 1, 4, 1, 5, 1, 6, 1, 7};
	ossai_curve curve = test_curve_literal(&b.arena, 8, nodes, 7, edges);
	clean_junctions(&b, &curve);
	assert_int_equal(curve.node_count, 7);
	double nearest = INFINITY;
	for (size_t i = 0; i < 7; i++) nearest = fmin(nearest, ossai_distance(curve.node[i], ossai_v3(0.075, 0, 0)));
	assert_near(nearest, 0, 1e-3);
	test_curve_end(&b);
}

/* the radii of nodes count for nothing */
static void balls_decide(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	ossai_curve curve = make_h(&b.arena, 0.2, 0.05);
	ossai_ball balls[7];
	for (size_t i = 0; i < 7; i++) balls[i] = (ossai_ball){curve.node[i], 0.1};
	curve.ball = balls;
	clean_junctions(&b, &curve);
	assert_int_equal(test_curve_count(&curve, 3), 1);
	test_curve_end(&b);
}

/* A comb of three teeth, junctions each `step` from the next, the ball of the first the largest:
   the third is reached through the second, if it is not farther from the first than twice the sum
   of their radii. */
static size_t junctions_of_comb(double step)
{
	test_curve_bench b = test_curve_begin();
	const double nodes[] = {
		0, 0, 0, step, 0, 0, 2 * step, 0, 0, -0.5, 0, 0, 0, 0.5, 0, step, 0.5, 0, 2 * step, 0.5, 0, 2 * step + 0.5, 0, 0};
	const uint32_t edges[] = {0, 1, 1, 2, 0, 3, 0, 4, 1, 5, 2, 6, 2, 7};
	ossai_curve curve = test_curve_literal(&b.arena, 8, nodes, 7, edges);
	curve.radius[0] = 0.051;
	clean_junctions(&b, &curve);
	assert_int_equal(test_curve_count(&curve, 1), 5);
	const size_t count = test_curve_count(&curve, 3);
	test_curve_end(&b);
	return count;
}

static void a_body_is_no_longer_than_its_largest_ball_allows(void **state)
{
	(void)state;
	/* twice the step against 2 x 0.101 */
	assert_int_equal(junctions_of_comb(0.1005), 1);
	assert_int_equal(junctions_of_comb(0.1015), 2);
}

/* a centipede: junctions in a row, the ball of each touching the next one's */
static void a_row_of_legs_has_a_spine(void **state)
{
	(void)state;
	enum { PAIRS = 12 };
	test_curve_bench b = test_curve_begin();
	double nodes[9 * PAIRS];
	uint32_t edges[6 * PAIRS];
	size_t count = 0;
	for (uint32_t i = 0; i < PAIRS; i++) {
		const double three[] = {0.09 * i, 0, 0, 0.09 * i, 0.4, 0, 0.09 * i, -0.4, 0};
		memcpy(nodes + 9 * i, three, sizeof three);
		const uint32_t legs[] = {3 * i, 3 * i + 1, 3 * i, 3 * i + 2, 3 * i, 3 * i + 3};
		memcpy(edges + 2 * count, legs, sizeof legs);
		count += i + 1 < PAIRS ? 3 : 2;
	}
	ossai_curve curve = test_curve_literal(&b.arena, 3 * PAIRS, nodes, count, edges);
	clean_junctions(&b, &curve);
	/* three at a time: the first takes the two beside it, and is as far as it may be from the
	   next */
	assert_int_equal(test_curve_count(&curve, 3), PAIRS / 3);
	assert_int_equal(test_curve_count(&curve, 1), 2 * PAIRS);
	test_curve_end(&b);
}

/* three chains from a junction, each with a node near it and one where it ends; its ball is
   wherever it is */
static void junctions_settle_in_the_middle_of_their_bodies(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const double nodes[] = {0.05, 0.02, 0, 0.04, 0, 0.01, 0.09, 0, 0, -0.05, 0.03, 0, -0.09, 0, 0, 0, 0.05, 0, 0, 0.065, 0};
	const uint32_t edges[] = {0, 1, 1, 2, 0, 3, 3, 4, 0, 5, 5, 6};
	const ossai_vec3 starts[] = {{0.045, 0.015, 0}, {-0.05, -0.02, 0.01}, {0, 0, 0}};
	const ossai_clearance clearance = test_box_clearance(&b.arena, 0.1, 0.07, 0.05);
	for (size_t k = 0; k < 3; k++) {
		ossai_curve curve = test_curve_literal(&b.arena, 7, nodes, 6, edges);
		ossai_ball balls[7];
		for (size_t i = 0; i < 7; i++) balls[i] = (ossai_ball){curve.node[i], curve.radius[i]};
		balls[0] = (ossai_ball){starts[k], ossai_clearance_nearest(&clearance, starts[k], NULL, NULL)};
		curve.ball = balls;
		assert_ok(b.context, ossai_curve_center_junctions(&b.arena, &clearance, &curve));
		/* from 0.05 away on either side; a third of that is left */
		assert_true(ossai_length(curve.node[0]) < 0.026);
		assert_near(curve.radius[0], 0.05, 0.003);
		/* neighbours move half way to the end, in position and radius */
		for (uint32_t i = 1; i < 7; i += 2) {
			const ossai_vec3 middle = ossai_lerp(curve.node[0], curve.node[i + 1], 0.5);
			assert_near_vec3(curve.node[i], middle, 1e-12);
			assert_near(curve.radius[i], (curve.radius[0] + curve.radius[i + 1]) / 2, 1e-12);
			assert_true(curve.node[i + 1].x == nodes[3 * i + 3] && curve.node[i + 1].y == nodes[3 * i + 4]);
		}
	}
	test_curve_end(&b);
}

/* A junction in the middle of a bar whose largest ball has a radius of 0.1, with a chain whose
   first node lies at a distance from it, aside of the straight line to the second one; whether that
   node is put onto the line. */
static bool is_straightened(double distance)
{
	test_curve_bench b = test_curve_begin();
	const double nodes[] = {0, 0, 0, 0.8 * distance, 0.6 * distance, 0, 0.3, 0, 0, 0.6, 0, 0, -0.5, 0, 0, 0, -0.09, 0};
	const uint32_t edges[] = {0, 1, 1, 2, 2, 3, 0, 4, 0, 5};
	ossai_curve curve = test_curve_literal(&b.arena, 6, nodes, 5, edges);
	const ossai_clearance clearance = test_box_clearance(&b.arena, 1, 0.1, 0.1);
	ossai_ball balls[6];
	for (size_t i = 0; i < 6; i++) balls[i] = (ossai_ball){curve.node[i], i == 0 ? 0.1 : 0.05};
	curve.ball = balls;
	assert_ok(b.context, ossai_curve_center_junctions(&b.arena, &clearance, &curve));
	const bool is_moved = curve.node[1].y != nodes[4];
	if (is_moved) assert_near(curve.node[1].y, 0, 1e-9);
	test_curve_end(&b);
	return is_moved;
}

/* 1.5 radii of the ball */
static void chains_are_straight_within_the_body(void **state)
{
	(void)state;
	assert_true(is_straightened(0.149));
	assert_false(is_straightened(0.151));
}

/* a wedge whose width and height rise with x: the mean of large clearance is always farther on, and
   a junction stays in its body */
static void junctions_stay_in_their_bodies(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	double corners[24];
	for (int i = 0; i < 8; i++) {
		const double half = i & 1 ? 1 : 0.001, place[] = {i & 1 ? 2 : 0, i & 2 ? half : -half, i & 4 ? half : -half};
		memcpy(corners + 3 * (size_t)i, place, sizeof place);
	}
	const ossai_clearance clearance = test_corners_clearance(&b.arena, corners);
	const double nodes[] = {0.3, 0, 0, 0.1, 0, 0, 0.3, 0.1, 0, 0.3, -0.1, 0};
	const uint32_t edges[] = {0, 1, 0, 2, 0, 3};
	ossai_curve curve = test_curve_literal(&b.arena, 4, nodes, 3, edges);
	ossai_ball balls[4];
	for (size_t i = 0; i < 4; i++) balls[i] = (ossai_ball){curve.node[i], curve.radius[i]};
	balls[0].radius = ossai_clearance_nearest(&clearance, curve.node[0], NULL, NULL);
	const double most = 1.5 * balls[0].radius;
	curve.ball = balls;
	assert_ok(b.context, ossai_curve_center_junctions(&b.arena, &clearance, &curve));
	assert_near(ossai_distance(curve.node[0], ossai_v3(0.3, 0, 0)), most, 1e-9);
	assert_true(curve.node[0].x > 0.3);
	test_curve_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(junctions_whose_balls_touch_are_one),
		cmocka_unit_test(junctions_count_by_their_chains),
		cmocka_unit_test(balls_decide),
		cmocka_unit_test(a_body_is_no_longer_than_its_largest_ball_allows),
		cmocka_unit_test(a_row_of_legs_has_a_spine),
		cmocka_unit_test(junctions_settle_in_the_middle_of_their_bodies),
		cmocka_unit_test(chains_are_straight_within_the_body),
		cmocka_unit_test(junctions_stay_in_their_bodies),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
