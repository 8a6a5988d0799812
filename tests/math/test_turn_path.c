/* tests/math/test_turn_path.c: fractions of rotations, and paths through rotations: they meet
   their keys, are smooth, and have zero velocity at their ends. */
#include "math/turn_path.h"
#include "math/affine.h"
#include "support/support.h"

#include <stdlib.h>

static double random_between(double low, double high) { return low + (high - low) * (rand() / (double)RAND_MAX); }

static ossai_quat random_turn(double most)
{
	const ossai_vec3 axis = {random_between(-1, 1), random_between(-1, 1), random_between(-1, 1)};
	const ossai_quat turn = ossai_quat_axis_angle(ossai_unit(axis, ossai_v3(0, 1, 0)), random_between(-most, most));
	return rand() % 2 ? turn : ossai_quat_negate(turn);
}

static double apart(ossai_quat a, ossai_quat b) { return ossai_quat_angle(ossai_quat_mul(ossai_quat_conjugate(a), b)); }

static void parts_of_turns(void **state)
{
	(void)state;
	srand(3);
	for (int i = 0; i < 2000; i++) {
		const ossai_quat turn = random_turn(3.1);
		const double s = random_between(-2, 3);
		assert_true(apart(ossai_quat_exp(ossai_quat_log(turn)), turn) < 1e-7);
		assert_true(apart(ossai_quat_power(turn, 1), turn) < 1e-7);
		assert_true(apart(ossai_quat_power(turn, 0), ossai_quat_identity()) < 1e-7);
		/* fractions add up, and are those of the arc on the sphere */
		const ossai_quat sum = ossai_quat_mul(ossai_quat_power(turn, s), ossai_quat_power(turn, 1 - s));
		assert_true(apart(sum, turn) < 1e-6);
		const double share = random_between(0, 1);
		assert_true(apart(ossai_quat_power(turn, share), ossai_quat_slerp(ossai_quat_identity(), turn, share)) < 1e-6);
	}
	/* turns too small to have an axis */
	const ossai_vec3 tiny = ossai_quat_log((ossai_quat){1e-14, 0, 0, -1});
	assert_true(tiny.x == -2e-14 && tiny.y == 0 && tiny.z == 0);
	assert_true(ossai_length(ossai_quat_log(ossai_quat_identity())) == 0);
}

/* angular velocity by differences, in the world's frame */
static ossai_vec3 velocity(const ossai_turn_key *keys, size_t count, double time, double step)
{
	const ossai_quat a = ossai_turn_path_at(keys, count, time), b = ossai_turn_path_at(keys, count, time + step);
	return ossai_scale(ossai_quat_log(ossai_quat_mul(b, ossai_quat_conjugate(a))), 1 / step);
}

static void paths_meet_their_keys_without_corners(void **state)
{
	(void)state;
	enum { COUNT = 6 };
	const double h = 1e-6;
	srand(5);
	for (int round = 0; round < 200; round++) {
		ossai_turn_key keys[COUNT];
		double time = random_between(-5, 5);
		for (int i = 0; i < COUNT; i++) {
			keys[i] = (ossai_turn_key){time, random_turn(1.2)};
			time += random_between(0.2, 2);
		}
		for (int i = 0; i < COUNT; i++) {
			assert_true(apart(ossai_turn_path_at(keys, COUNT, keys[i].time), keys[i].turn) < 1e-7);
			const ossai_vec3 before = velocity(keys, COUNT, keys[i].time, -h), after = velocity(keys, COUNT, keys[i].time, h);
			assert_near_vec3(before, after, 1e-2);
			/* it begins and ends at rest */
			if (i == 0 || i + 1 == COUNT) assert_true(ossai_length(before) < 1e-2 && ossai_length(after) < 1e-2);
		}
		assert_true(apart(ossai_turn_path_at(keys, COUNT, keys[0].time - 1), keys[0].turn) < 1e-7);
		assert_true(apart(ossai_turn_path_at(keys, COUNT, time + 1), keys[COUNT - 1].turn) < 1e-7);
	}
}

/* evenly spaced turns about one axis are gone through at an even pace between the ends */
static void even_keys_give_an_even_pace(void **state)
{
	(void)state;
	ossai_turn_key keys[5];
	for (int i = 0; i < 5; i++) keys[i] = (ossai_turn_key){i, ossai_quat_axis_angle(ossai_v3(0, 0, 1), 0.4 * i)};
	for (double t = 1; t <= 3; t += 0.125) {
		assert_true(apart(ossai_turn_path_at(keys, 5, t), ossai_quat_axis_angle(ossai_v3(0, 0, 1), 0.4 * t)) < 1e-7);
	}
}

static void few_and_odd_keys(void **state)
{
	(void)state;
	const ossai_quat turn = ossai_quat_axis_angle(ossai_v3(1, 0, 0), 1);
	const ossai_turn_key one = {2, turn};
	for (double t = 0; t < 4; t += 0.5) assert_true(apart(ossai_turn_path_at(&one, 1, t), turn) < 1e-7);
	/* alike keys of both signs: nothing moves */
	const ossai_turn_key same[3] = {{0, turn}, {1, ossai_quat_negate(turn)}, {2, turn}};
	for (double t = 0; t < 2; t += 0.1) assert_true(apart(ossai_turn_path_at(same, 3, t), turn) < 1e-7);
	/* half a turn apart: either of the two arcs, and all of it unit */
	const ossai_turn_key half[2] = {{0, ossai_quat_identity()}, {1, {0, 1, 0, 0}}};
	for (double t = 0; t <= 1; t += 0.1) {
		const ossai_quat at = ossai_turn_path_at(half, 2, t);
		assert_near(ossai_quat_dot(at, at), 1, 1e-12);
		const double s = t * t * (3 - 2 * t);
		assert_near(ossai_quat_angle(at), s * OSSAI_PI, 1e-6);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_of_turns),
		cmocka_unit_test(paths_meet_their_keys_without_corners),
		cmocka_unit_test(even_keys_give_an_even_pace),
		cmocka_unit_test(few_and_odd_keys),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
