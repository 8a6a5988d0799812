/* tests/skeleton/from_motion/test_universal.c: axes of joints whose motion is known. */
#include "skeleton/from_motion/universal.h"

#include "support/support.h"
#include "support/surfaces.h"

enum { POSES = 24 };

static double degrees_between(ossai_vec3 a, ossai_vec3 b)
{
	return asin(fmin(ossai_length(ossai_cross(a, b)), 1)) * 180 / OSSAI_PI;
}

/* turns by up to `most` about a first axis and a second one, then by `third` about the last */
static void make_pair(ossai_quat frame, double most, double third, uint64_t seed, ossai_rigid *rigid)
{
	const ossai_mat3 r = ossai_quat_matrix(frame);
	for (size_t k = 0; k < POSES; k++) {
		const ossai_vec3 angle = ossai_scale(test_random_point(&seed, 1), most);
		ossai_quat turn = ossai_quat_axis_angle(ossai_v3(r.m[0][0], r.m[1][0], r.m[2][0]), angle.x);
		turn = ossai_quat_mul(turn, ossai_quat_axis_angle(ossai_v3(r.m[0][1], r.m[1][1], r.m[2][1]), angle.y));
		turn = ossai_quat_mul(turn, ossai_quat_axis_angle(ossai_v3(r.m[0][2], r.m[1][2], r.m[2][2]), third * (k % 2 ? 1 : -1)));
		const ossai_mat3 by = ossai_quat_matrix(turn);
		rigid[k] = (ossai_rigid){ossai_quat_matrix(test_random_turn(&seed, 3)), test_random_point(&seed, 1)};
		rigid[POSES + k] = (ossai_rigid){ossai_mat3_mul(&rigid[k].r, &by), test_random_point(&seed, 1)};
	}
}

static void axes_are_found(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 60; seed++) {
		ossai_rigid rigid[2 * POSES];
		uint64_t own = seed;
		const ossai_quat frame = test_random_turn(&own, 3);
		const ossai_mat3 r = ossai_quat_matrix(frame);
		make_pair(frame, seed % 2 ? 0.4 : 1.5, 0, seed, rigid);
		const ossai_bone_motion motion = {2, POSES, rigid};
		const ossai_universal found = ossai_universal_fit(&motion, 0, 1);
		assert_true(found.square < 1e-12);
		assert_true(degrees_between(found.first, ossai_v3(r.m[0][0], r.m[1][0], r.m[2][0])) < 1e-3);
		assert_true(degrees_between(found.second, ossai_v3(r.m[0][1], r.m[1][1], r.m[2][1])) < 1e-3);
		assert_near(ossai_length(found.first), 1, 1e-12);
		assert_near(ossai_dot(found.first, found.second), 0, 1e-12);
	}
}

/* by its definition */
static double square_of(const ossai_rigid *rigid, ossai_vec3 first, ossai_vec3 second)
{
	double sum = 0;
	for (int k = 0; k < POSES; k++) {
		const ossai_mat3 up = ossai_mat3_transpose(&rigid[k].r), turn = ossai_mat3_mul(&up, &rigid[POSES + k].r);
		const ossai_quat q = ossai_mat3_quat(&turn);
		const ossai_vec3 v = ossai_v3(q.x, q.y, q.z);
		const double off = q.w * ossai_dot(ossai_cross(first, second), v) - ossai_dot(first, v) * ossai_dot(second, v);
		sum += 4 * off * off / POSES;
	}
	return sum;
}

static double square_of_frame(const ossai_rigid *rigid, ossai_quat frame)
{
	const ossai_mat3 r = ossai_quat_matrix(frame);
	return square_of(rigid, ossai_v3(r.m[0][0], r.m[1][0], r.m[2][0]), ossai_v3(r.m[0][1], r.m[1][1], r.m[2][1]));
}

/* turns the frame by less and less, each time to the better side */
static double walk_down(const ossai_rigid *rigid, ossai_quat frame)
{
	double least = square_of_frame(rigid, frame);
	for (double step = 0.2; step > 1e-5;) {
		bool is_better = false;
		for (int side = 0; side < 6; side++) {
			const double by = side % 2 ? step : -step;
			const ossai_vec3 turn = ossai_v3(side / 2 == 0 ? by : 0, side / 2 == 1 ? by : 0, side / 2 == 2 ? by : 0);
			const ossai_quat next = ossai_quat_unit(ossai_quat_mul(ossai_quat_exp(turn), frame));
			const double square = square_of_frame(rigid, next);
			if (!(square < least)) continue;
			least = square;
			frame = next;
			is_better = true;
		}
		if (!is_better) step /= 2;
	}
	return least;
}

/* against a plain search from axes all over: of joints that are nearly universal, and of balls */
static void no_axes_are_better(void **state)
{
	(void)state;
	static const double third[] = {0, 0.02, 0.2, 0.8};
	for (uint64_t seed = 1; seed <= 24; seed++) {
		ossai_rigid rigid[2 * POSES];
		uint64_t own = seed;
		make_pair(test_random_turn(&own, 3), 0.3 + 0.05 * (double)seed, third[seed % 4], seed, rigid);
		const ossai_bone_motion motion = {2, POSES, rigid};
		const ossai_universal found = ossai_universal_fit(&motion, 0, 1);
		double least = INFINITY;
		for (int start = 0; start < 40; start++) least = fmin(least, walk_down(rigid, test_random_turn(&own, 3)));
		assert_true(found.square < least * 1.001 + 1e-9);
	}
}

/* beside the true axes, and any others around them: what is left is the angle by which the nearest
   turn of the joint is off */
static void what_is_left_is_least(void **state)
{
	(void)state;
	ossai_rigid rigid[2 * POSES];
	make_pair(ossai_quat_identity(), 0.8, 0.05, 3, rigid);
	const ossai_bone_motion motion = {2, POSES, rigid};
	const ossai_universal found = ossai_universal_fit(&motion, 0, 1);
	double least = INFINITY, own = INFINITY;
	for (int n = 0; n <= 300; n++) {
		uint64_t seed = (uint64_t)n;
		const ossai_quat aside = n < 1 ? ossai_quat_identity() : ossai_quat_exp(ossai_scale(test_random_point(&seed, 1), 0.1));
		const ossai_mat3 by = ossai_quat_matrix(aside);
		const double sum = square_of(rigid, ossai_mat3_mul_v(&by, found.first), ossai_mat3_mul_v(&by, found.second));
		if (n == 0) own = sum;
		else least = fmin(least, sum);
	}
	assert_near(own, found.square, 1e-12);
	assert_true(own < least);
	assert_true(sqrt(own) > 0.03 && sqrt(own) < 0.05);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(axes_are_found),
		cmocka_unit_test(no_axes_are_better),
		cmocka_unit_test(what_is_left_is_least),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
