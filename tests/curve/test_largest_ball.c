/* tests/curve/test_largest_ball.c: the largest balls that contain junctions in a box and in a
   wedge, where they are known. */
#include "curve/largest_ball.h"
#include "support/curves.h"
#include "support/support.h"

#include <string.h>

static const ossai_junction_size along_x = {.radius = 0.05, .count = 2, .limb = {{1, 0, 0}, {-1, 0, 0}}};

static void a_ball_grows_to_the_walls(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const ossai_clearance clearance = test_box_clearance(&b.arena, 0.5, 0.1, 0.1);
	const double places[][3] = {{0, 0, 0}, {0.1, 0.04, 0}, {0.2, 0.05, 0.03}, {0.45, 0, 0}};
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		const ossai_vec3 node = ossai_v3_of(places[i]);
		const ossai_ball ball = ossai_largest_ball(&clearance, &along_x, node);
		/* its steps end at a fiftieth of the limbs' radius */
		assert_near(ball.radius, 0.1, 0.002);
		assert_near(ball.radius, ossai_clearance_nearest(&clearance, ball.center, NULL, NULL), 1e-12);
		assert_true(ossai_distance(ball.center, node) <= ball.radius);
	}
	test_curve_end(&b);
}

/* A wedge whose height and width rise with x, so that a ball grows without end: from a node at x =
   0.3 with a clearance of 0.14. How far the node is out of its ball. */
static double out_of_ball(double limb_radius, double y)
{
	test_curve_bench b = test_curve_begin();
	double corners[24];
	for (int i = 0; i < 8; i++) {
		const double half = i & 1 ? 1 : 0.001, place[] = {i & 1 ? 2 : 0, i & 2 ? half : -half, i & 4 ? half : -half};
		memcpy(corners + 3 * (size_t)i, place, sizeof place);
	}
	const ossai_clearance clearance = test_corners_clearance(&b.arena, corners);
	ossai_junction_size size = along_x;
	size.radius = limb_radius;
	const ossai_vec3 node = ossai_v3(0.3, y, 0);
	const ossai_ball ball = ossai_largest_ball(&clearance, &size, node);
	assert_true(ball.radius > 1.2 * ossai_clearance_nearest(&clearance, node, NULL, NULL));
	const double out = ossai_distance(ball.center, node) - ball.radius;
	test_curve_end(&b);
	return out;
}

static void a_ball_holds_its_node(void **state)
{
	(void)state;
	/* at the limit of containing the node, to within a few of the last steps */
	const double inside = out_of_ball(0.2, 0);
	assert_true(inside <= 0 && inside > -0.02);
	/* a node in a crotch, at 0.018 from the surface where limbs are 0.2 thick, may lie half of that
	   farther out, less what it has */
	const double crotch = out_of_ball(0.2, 0.13);
	assert_true(crotch > 0.05 && crotch <= 0.1);
}

static void junctions_get_balls_and_others_their_own(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const ossai_clearance clearance = test_box_clearance(&b.arena, 0.5, 0.1, 0.1);
	/* a junction beside the center, one outside */
	const double nodes[] = {0.05, 0.05, 0, 0.3, 0, 0, -0.3, 0, 0, 0, 0.09, 0, 0.7, 0, 0, 0.8, 0, 0, 0.7, 0.1, 0};
	const uint32_t edges[] = {0, 1, 0, 2, 0, 3, 4, 1, 4, 5, 4, 6};
	ossai_curve curve = test_curve_literal(&b.arena, 7, nodes, 6, edges);
	assert_ok(b.context, ossai_curve_find_balls(&b.arena, &clearance, &curve));
	assert_near(curve.ball[0].radius, 0.1, 0.002);
	for (size_t i = 1; i < 7; i++) {
		assert_near(curve.ball[i].radius, 0.05, 0);
		assert_true(ossai_distance(curve.ball[i].center, curve.node[i]) == 0);
	}
	/* balls that are there stay */
	ossai_ball *before = curve.ball;
	before[0].radius = 7;
	assert_ok(b.context, ossai_curve_find_balls(&b.arena, &clearance, &curve));
	assert_true(curve.ball == before && before[0].radius == 7);
	test_curve_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ball_grows_to_the_walls),
		cmocka_unit_test(a_ball_holds_its_node),
		cmocka_unit_test(junctions_get_balls_and_others_their_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
