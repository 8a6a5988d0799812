/* tests/test_euler.c: three angles for a turn: the right turn, the nearest angles, and gimbal lock. */
#include "math/euler.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <stdio.h>

static const ossai_euler_order orders[6] = {{{0, 1, 2}}, {{1, 2, 0}}, {{2, 0, 1}}, {{2, 1, 0}}, {{1, 0, 2}}, {{0, 2, 1}}};

/* how far two turns are apart, radians */
static double apart(ossai_quat a, ossai_quat b) { return ossai_quat_angle(ossai_quat_mul(ossai_quat_conjugate(a), b)); }

static void angles_make_the_turn(void **state)
{
	(void)state;
	uint64_t seed = 7;
	for (int i = 0; i < 6000; i++) {
		const ossai_quat turn = test_random_turn(&seed, OSSAI_PI);
		const double near[3] = {400 * test_random(&seed), 400 * test_random(&seed), 400 * test_random(&seed)};
		double degrees[3];
		ossai_euler_near(turn, orders[i % 6], near, degrees);
		assert_true(apart(ossai_euler_quat(degrees, orders[i % 6]), turn) < 1e-7);
	}
}

static void order_is_that_of_the_product(void **state)
{
	(void)state;
	const double degrees[3] = {90, 0, 90};
	/* Rz Ry Rx turns y by x's turn first, to z, which the turn about z leaves alone */
	const ossai_quat zyx = ossai_euler_quat(degrees, OSSAI_EULER_ZYX), xyz = ossai_euler_quat(degrees, orders[0]);
	const ossai_mat3 first = ossai_quat_matrix(zyx), second = ossai_quat_matrix(xyz);
	const ossai_vec3 a = ossai_mat3_mul_v(&first, ossai_v3(0, 1, 0)), b = ossai_mat3_mul_v(&second, ossai_v3(0, 1, 0));
	assert_true(ossai_distance(a, ossai_v3(0, 0, 1)) < 1e-12);
	assert_true(ossai_distance(b, ossai_v3(-1, 0, 0)) < 1e-12);
}

/* the angles that were put in come out where they are the nearest */
static void known_angles_come_back(void **state)
{
	(void)state;
	uint64_t seed = 3;
	for (int i = 0; i < 6000; i++) {
		const double given[3] = {700 * test_random(&seed), 700 * test_random(&seed), 700 * test_random(&seed)};
		const double near[3] = {
			given[0] + 5 * test_random(&seed), given[1] + 5 * test_random(&seed), given[2] + 5 * test_random(&seed)};
		double degrees[3];
		const ossai_euler_order order = orders[i % 6];
		/* near the lock another triple may be nearer */
		if (fabs(cos(given[order.axis[1]] * OSSAI_PI / 180)) < 0.2) continue;
		ossai_euler_near(ossai_euler_quat(given, order), order, near, degrees);
		for (int k = 0; k < 3; k++) {
			if (fabs(degrees[k] - given[k]) > 1e-6) fail_msg("axis %d: %g instead of %g", k, degrees[k], given[k]);
		}
	}
}

/* a turn about the middle axis, straight through both locks, three times around: no other axis may move */
static void passing_through_the_lock_is_smooth(void **state)
{
	(void)state;
	for (int o = 0; o < 6; o++) {
		const int middle = orders[o].axis[1];
		double before[3] = {0, 0, 0};
		for (int step = 1; step <= 108; step++) {
			double wanted[3] = {0, 0, 0}, degrees[3];
			wanted[middle] = 10.0 * step;
			ossai_euler_near(ossai_euler_quat(wanted, orders[o]), orders[o], before, degrees);
			for (int k = 0; k < 3; k++) {
				if (fabs(degrees[k] - wanted[k]) > 1e-5) fail_msg("order %d, step %d, axis %d: %g", o, step, k, degrees[k]);
				before[k] = degrees[k];
			}
		}
	}
}

/* in the lock the outer and the inner axis are one: a turn about it is shared between them, in small steps */
static void turning_in_the_lock_is_smooth(void **state)
{
	(void)state;
	for (int o = 0; o < 12; o++) {
		const ossai_euler_order order = orders[o % 6];
		const double side = o < 6 ? 90 : -90;
		double before[3] = {0, 0, 0};
		before[order.axis[1]] = side;
		for (int step = 1; step <= 100; step++) {
			double wanted[3] = {0, 0, 0}, degrees[3];
			wanted[order.axis[1]] = side;
			wanted[order.axis[0]] = 10.0 * step;
			const ossai_quat turn = ossai_euler_quat(wanted, order);
			ossai_euler_near(turn, order, before, degrees);
			assert_true(apart(ossai_euler_quat(degrees, order), turn) < 1e-6);
			for (int k = 0; k < 3; k++) {
				assert_true(fabs(degrees[k] - before[k]) < 5.001);
				before[k] = degrees[k];
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(angles_make_the_turn),
		cmocka_unit_test(order_is_that_of_the_product),
		cmocka_unit_test(known_angles_come_back),
		cmocka_unit_test(passing_through_the_lock_is_smooth),
		cmocka_unit_test(turning_in_the_lock_is_smooth),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
