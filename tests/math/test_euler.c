/* tests/math/test_euler.c: Euler angles of a rotation: the right rotation, the nearest angles,
   and gimbal lock. */
#include "math/euler.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <stdio.h>

static const ossai_euler_order orders[6] = {{{0, 1, 2}}, {{1, 2, 0}}, {{2, 0, 1}}, {{2, 1, 0}}, {{1, 0, 2}}, {{0, 2, 1}}};
/* as Maya names the orders of ossai_euler_orders: the first turn first */
static const char *const names[OSSAI_EULER_ORDERS] = {"xyz", "yzx", "zxy", "xzy", "yxz", "zyx"};

/* the angle between two rotations, radians */
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
	assert_near_vec3(a, ossai_v3(0, 0, 1), 1e-12);
	assert_near_vec3(b, ossai_v3(-1, 0, 0), 1e-12);
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

/* a rotation about the second axis, straight through both gimbal locks, three times around: no
   other axis may move */
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

/* in the lock the outer and the inner axis are one: a turn about it is shared between them, in
   small steps */
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
				assert_near(degrees[k], before[k], 5.001);
				before[k] = degrees[k];
			}
		}
	}
}

/* ---- orders ---- */

static void orders_are_those_of_their_names(void **state)
{
	(void)state;
	for (int n = 0; n < OSSAI_EULER_ORDERS; n++) {
		for (int i = 0; i < 3; i++) assert_int_equal(names[n][i], "xyz"[ossai_euler_orders[n].axis[2 - i]]);
	}
}

/* the largest |sine| of the second angle */
static void locks_are_those_of_the_middle_angles(void **state)
{
	(void)state;
	uint64_t seed = 4;
	for (int i = 0; i < 300; i++) {
		ossai_euler_locks locks = {{0}};
		double most[OSSAI_EULER_ORDERS] = {0};
		for (int turns = 0; turns < 5; turns++) {
			const ossai_quat turn = test_random_turn(&seed, 0.1 * i);
			ossai_euler_watch(&locks, turn);
			for (int n = 0; n < OSSAI_EULER_ORDERS; n++) {
				static const double none[3] = {0, 0, 0};
				double degrees[3];
				ossai_euler_near(turn, ossai_euler_orders[n], none, degrees);
				most[n] = fmax(most[n], fabs(sin(degrees[ossai_euler_orders[n].axis[1]] * OSSAI_PI / 180)));
			}
		}
		for (int n = 0; n < OSSAI_EULER_ORDERS; n++) assert_near(locks.sine[n], most[n], 1e-9);
	}
}

static int choose(ossai_vec3 axis, double degrees, int preferred)
{
	ossai_euler_locks locks = {{0}};
	for (int i = 0; i <= 100; i++) ossai_euler_watch(&locks, ossai_quat_axis_angle(axis, degrees * i / 100 * OSSAI_PI / 180));
	return ossai_euler_choose(&locks, preferred);
}

static void orders_keep_away_from_their_lock(void **state)
{
	(void)state;
	const ossai_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, slanted = {0.6, 0.64, 0.48};
	for (int preferred = 0; preferred < OSSAI_EULER_ORDERS; preferred++) {
		/* small rotations, and those about other axes, get the usual order */
		const int middle = ossai_euler_orders[preferred].axis[1];
		assert_int_equal(choose(slanted, 30, preferred), preferred);
		assert_int_equal(choose(y, 59, preferred), preferred);
		assert_true((choose(x, 90, preferred) == preferred) == (middle != 0));
		assert_true((choose(y, 400, preferred) == preferred) == (middle != 1));
		assert_true((choose(z, -95, preferred) == preferred) == (middle != 2));
		/* motion through every gimbal lock gets it, too */
		const ossai_euler_locks all = {{1, 1, 1, 1, 1, 1}};
		assert_int_equal(ossai_euler_choose(&all, preferred), preferred);
	}
	/* an axis that rotates that far is never the second one */
	assert_int_not_equal(ossai_euler_orders[choose(y, 120, OSSAI_EULER_XYZ)].axis[1], 1);
	assert_int_not_equal(ossai_euler_orders[choose(x, 120, OSSAI_EULER_YXZ)].axis[1], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(angles_make_the_turn),
		cmocka_unit_test(order_is_that_of_the_product),
		cmocka_unit_test(known_angles_come_back),
		cmocka_unit_test(passing_through_the_lock_is_smooth),
		cmocka_unit_test(turning_in_the_lock_is_smooth),
		cmocka_unit_test(orders_are_those_of_their_names),
		cmocka_unit_test(locks_are_those_of_the_middle_angles),
		cmocka_unit_test(orders_keep_away_from_their_lock),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
