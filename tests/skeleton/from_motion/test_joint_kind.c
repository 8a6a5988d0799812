/* tests/skeleton/from_motion/test_joint_kind.c: kinds of joints of motions that are known. */
#include "skeleton/from_motion/joint_kind.h"

#include "math/cholesky.h"
#include "support/support.h"
#include "support/surfaces.h"

enum { POSES = 24 };

static const ossai_vec3 axis = {0.6, 0, 0.8}, across = {-0.8, 0, 0.6};
static const double even[9] = {1e-6, 0, 0, 0, 1e-6, 0, 0, 0, 1e-6};

/* how far the second bone turns against the first about `axis`, square to it and about all axes
   (RMS, radians); the first one moves anyhow */
static ossai_bone_motion make_pair(double about, double square, double anyhow, uint64_t seed, ossai_rigid *rigid)
{
	for (size_t k = 0; k < POSES; k++) {
		/* sines of RMS 1, at right angles over the poses */
		const double first = sqrt(2) * sin(2 * OSSAI_PI * (double)k / POSES),
					 second = sqrt(2) * sin(4 * OSSAI_PI * (double)k / POSES);
		const ossai_quat hinge = ossai_quat_exp(ossai_madd(ossai_scale(axis, about * first), square * second, across));
		const ossai_vec3 tremble = ossai_scale(test_random_point(&seed, 1), anyhow * sqrt(3));
		const ossai_mat3 turn = ossai_quat_matrix(ossai_quat_mul(hinge, ossai_quat_exp(tremble)));
		rigid[k] = (ossai_rigid){ossai_quat_matrix(test_random_turn(&seed, 3)), test_random_point(&seed, 1)};
		rigid[POSES + k] = (ossai_rigid){ossai_mat3_mul(&rigid[k].r, &turn), test_random_point(&seed, 1)};
	}
	return (ossai_bone_motion){2, POSES, rigid};
}

/* in a motion of many independent poses */
static ossa_joint_kind find(const ossai_bone_motion *motion, const double noise[9], ossai_vec3 *found)
{
	ossai_vec3 axes[2];
	const ossa_joint_kind kind = ossai_joint_kind_find(&(ossai_turning){motion, 0, 1, 12}, noise, axes);
	*found = axes[0];
	return kind;
}

static ossa_joint_kind kind_of(double about, double square, double anyhow, uint64_t seed, ossai_vec3 *found)
{
	ossai_rigid rigid[2 * POSES];
	const ossai_bone_motion motion = make_pair(about, square, anyhow, seed, rigid);
	return find(&motion, even, found);
}

static double degrees_between(ossai_vec3 a, ossai_vec3 b) { return asin(ossai_length(ossai_cross(a, b))) * 180 / OSSAI_PI; }

/* turns that are as unsure as they are said to be change neither kind nor axis */
static void kinds_are_those_of_the_motion(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 40; seed++) {
		for (int noisy = 0; noisy < 2; noisy++) {
			const double anyhow = noisy ? 1e-3 : 0;
			ossai_vec3 found;
			assert_int_equal(kind_of(0, 0, anyhow, seed, &found), OSSA_JOINT_WELDED);
			assert_near_vec3(found, ossai_v3(0, 0, 0), 0);
			assert_int_equal(kind_of(0.3, 0.1, anyhow, seed, &found), OSSA_JOINT_BALL);
			assert_near_vec3(found, ossai_v3(0, 0, 0), 0);
			assert_int_equal(kind_of(0.3, 0, anyhow, seed, &found), OSSA_JOINT_HINGE);
			assert_near(ossai_length(found), 1, 1e-12);
			assert_true(degrees_between(found, axis) < (noisy ? 0.2 : 1e-5));
		}
	}
}

/* a hinge may turn through more than half a circle, where angles begin again */
static void hinges_may_turn_all_the_way_round(void **state)
{
	(void)state;
	ossai_vec3 found;
	assert_int_equal(kind_of(3, 0, 0, 1, &found), OSSA_JOINT_HINGE);
	assert_true(degrees_between(found, axis) < 1e-5);
	assert_int_equal(kind_of(3, 0.1, 0, 1, &found), OSSA_JOINT_BALL);
}

/* the limits that the criterion has: a first axis by more than 3.03 times the error, where
   l - 1 - log l = 6, a second one by more than 2.63 times, where it is 4 */
static void an_axis_must_be_worth_its_numbers(void **state)
{
	(void)state;
	ossai_vec3 found;
	assert_int_equal(kind_of(2.97e-3, 0, 0, 1, &found), OSSA_JOINT_WELDED);
	assert_int_equal(kind_of(3.09e-3, 0, 0, 1, &found), OSSA_JOINT_HINGE);
	assert_int_equal(kind_of(0.1, 2.58e-3, 0, 1, &found), OSSA_JOINT_HINGE);
	assert_int_equal(kind_of(0.1, 2.68e-3, 0, 1, &found), OSSA_JOINT_BALL);
}

/* what turns visibly, but no more than it is unsure, may be anything */
static void unsure_joints_are_not_welded(void **state)
{
	(void)state;
	const double unsure[9] = {0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01};
	ossai_rigid rigid[2 * POSES];
	for (int turns = 0; turns < 2; turns++) {
		/* 1.95 and 2.05 degrees */
		const ossai_bone_motion motion = make_pair(turns ? 0.0358 : 0.034, 0, 0, 3, rigid);
		ossai_vec3 found;
		const ossa_joint_kind kind = find(&motion, unsure, &found);
		assert_int_equal(kind, turns ? OSSA_JOINT_BALL : OSSA_JOINT_WELDED);
		assert_near_vec3(found, ossai_v3(0, 0, 0), 0);
	}
}

/* an error that is large about one axis hides turns about it, and about no other */
static void errors_about_an_axis_hide_turns_about_it(void **state)
{
	(void)state;
	ossai_rigid rigid[2 * POSES];
	ossai_vec3 found;
	double noise[9];
	for (int about = 0; about < 2; about++) {
		const ossai_vec3 d = about ? across : ossai_v3(0, 1, 0);
		const double x[3] = {d.x, d.y, d.z};
		for (int i = 0; i < 9; i++) noise[i] = even[i] + 1e-4 * x[i / 3] * x[i % 3];
		const ossai_bone_motion motion = make_pair(0.3, 0.01, 0, 2, rigid);
		assert_int_equal(find(&motion, noise, &found), about ? OSSA_JOINT_HINGE : OSSA_JOINT_BALL);
	}
}

/* twice the negative logarithm of the likelihood of a hinge about x that turns by `turn` (RMS) */
static double plain_energy(const double moment[9], const double noise[9], ossai_vec3 x, double turn)
{
	const double d[3] = {x.x, x.y, x.z};
	double c[9], sum = 0;
	for (int i = 0; i < 9; i++) c[i] = noise[i] + turn * turn * d[i / 3] * d[i % 3];
	const double determinant = c[0] * (c[4] * c[8] - c[5] * c[7]) - c[1] * (c[3] * c[8] - c[5] * c[6]) +
		c[2] * (c[3] * c[7] - c[4] * c[6]);
	for (int column = 0; column < 3; column++) {
		double copy[9], b[3] = {moment[column], moment[3 + column], moment[6 + column]};
		memcpy(copy, c, sizeof copy);
		assert_true(ossai_cholesky_solve(3, copy, b));
		sum += b[column];
	}
	return log(determinant) + sum;
}

static double best_energy(const double moment[9], const double noise[9], ossai_vec3 x)
{
	double best = INFINITY;
	for (double turn = 0.1; turn < 1; turn *= 1.001) best = fmin(best, plain_energy(moment, noise, x, turn));
	return best;
}

/* against all axes around it, each with the turn that suits it best */
static void the_axis_is_the_likeliest(void **state)
{
	(void)state;
	const double noise[9] = {4e-4, 1e-4, 0, 1e-4, 9e-4, 2e-4, 0, 2e-4, 2e-4};
	ossai_rigid rigid[2 * POSES];
	for (uint64_t seed = 1; seed < 6; seed++) {
		const ossai_bone_motion motion = make_pair(0.3, 0, 0.015, seed, rigid);
		double moment[9] = {0};
		for (int k = 0; k < POSES; k++) {
			const ossai_mat3 up = ossai_mat3_transpose(&rigid[k].r), turn = ossai_mat3_mul(&up, &rigid[POSES + k].r);
			const ossai_quat q = ossai_mat3_quat(&turn);
			const double v[3] = {q.x, q.y, q.z};
			for (int i = 0; i < 9; i++) moment[i] += 4 * v[i / 3] * v[i % 3] / POSES;
		}
		ossai_vec3 found;
		assert_int_equal(find(&motion, noise, &found), OSSA_JOINT_HINGE);
		const double least = best_energy(moment, noise, found);
		uint64_t random = seed;
		for (int i = 0; i < 50; i++) {
			const ossai_vec3 other = ossai_unit(ossai_madd(found, 0.05, test_random_point(&random, 1)), found);
			assert_true(best_energy(moment, noise, other) > least - 1e-5);
		}
	}
}

/* the covariance of a turn fitted to vertices, plainly: that of bones of independent vertices, each
   with the error of ten */
static void noise_is_that_of_both_bones(void **state)
{
	(void)state;
	double noises[2][3] = {{1e-6, 2e-6, 3e-6}, {4e-6, 4e-6, 4e-6}}, noise[9];
	const ossai_bone_core core[2] = {{100, {0, 0, 0}, {1, 0, 0, 0, 2, 0, 0, 0, 3}, noises[0]},
		{50, {0, 0, 0}, {0.5, 0.1, 0, 0.1, 0.5, 0, 0, 0, 0.5}, noises[1]}};
	ossai_turn_noise(core, 0, 1, 3, noise);
	const double first = 10 * 2e-6 + 100 * 1e-8, second = 10 * 4e-6 + 50 * 1e-8;
	assert_near(noise[0], first + 0.5 * second + 1e-8, 1e-15);
	assert_near(noise[1], 0.1 * second, 1e-15);
	assert_near(noise[8], 3 * first + 0.5 * second + 1e-8, 1e-15);
	/* bones without vertices and without length are as sure as any */
	const ossai_bone_core none[2] = {{.noise = noises[0]}, {.noise = noises[1]}};
	ossai_turn_noise(none, 0, 1, 3, noise);
	for (int i = 0; i < 9; i++) assert_near(noise[i], i % 4 == 0 ? 1e-8 : 0, 1e-15);
	ossai_turn_noise_of_lengths(0, 0.1, noise);
	for (int i = 0; i < 9; i++) assert_near(noise[i], i % 4 == 0 ? 1e-8 + 1e-6 : 0, 1e-15);
}

/* turned together, both bones' motions have the same kind, with the axis turned along */
static void axes_turn_with_the_rest(void **state)
{
	(void)state;
	ossai_rigid rigid[2 * POSES];
	uint64_t seed = 9;
	const ossai_bone_motion motion = make_pair(0.3, 0, 1e-3, seed, rigid);
	const ossai_mat3 turn = ossai_quat_matrix(test_random_turn(&seed, 3)), back = ossai_mat3_transpose(&turn);
	ossai_vec3 found, turned;
	assert_int_equal(find(&motion, even, &found), OSSA_JOINT_HINGE);
	for (int i = 0; i < 2 * POSES; i++) rigid[i].r = ossai_mat3_mul(&rigid[i].r, &back);
	assert_int_equal(find(&motion, even, &turned), OSSA_JOINT_HINGE);
	assert_true(degrees_between(turned, ossai_mat3_mul_v(&turn, found)) < 1e-6);
}

/* turns about two axes, one after the other or at once, and by the tremble about all */
static ossa_joint_kind kind_of_two(
	bool is_universal, double most, double anyhow, double poses, uint64_t seed, ossai_vec3 found[2])
{
	const double noise[9] = {4e-6, 0, 0, 0, 4e-6, 0, 0, 0, 4e-6};
	ossai_rigid rigid[2 * POSES];
	for (size_t k = 0; k < POSES; k++) {
		const ossai_vec3 angle = ossai_scale(test_random_point(&seed, 1), most);
		const ossai_vec3 first = ossai_scale(axis, angle.x), second = ossai_scale(across, angle.y);
		const ossai_quat two = is_universal ? ossai_quat_mul(ossai_quat_exp(first), ossai_quat_exp(second))
											: ossai_quat_exp(ossai_add(first, second));
		const ossai_vec3 tremble = ossai_scale(test_random_point(&seed, 1), anyhow * sqrt(3));
		const ossai_mat3 turn = ossai_quat_matrix(ossai_quat_mul(two, ossai_quat_exp(tremble)));
		rigid[k] = (ossai_rigid){ossai_quat_matrix(test_random_turn(&seed, 3)), test_random_point(&seed, 1)};
		rigid[POSES + k] = (ossai_rigid){ossai_mat3_mul(&rigid[k].r, &turn), test_random_point(&seed, 1)};
	}
	const ossai_bone_motion motion = {2, POSES, rigid};
	return ossai_joint_kind_find(&(ossai_turning){&motion, 0, 1, poses}, noise, found);
}

static void two_axes_one_after_the_other_are_universal(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 40; seed++) {
		for (int noisy = 0; noisy < 2; noisy++) {
			ossai_vec3 found[2];
			const double anyhow = noisy ? 2e-3 : 0;
			assert_int_equal(kind_of_two(true, 0.6, anyhow, 8, seed, found), OSSA_JOINT_UNIVERSAL);
			assert_true(degrees_between(found[0], axis) < (noisy ? 1 : 1e-3));
			assert_true(degrees_between(found[1], across) < (noisy ? 1 : 1e-3));
			/* about both at once is another joint, though it has two axes, too */
			assert_int_equal(kind_of_two(false, 0.6, anyhow, 8, seed, found), OSSA_JOINT_BALL);
			assert_near_vec3(found[1], ossai_v3(0, 0, 0), 0);
			/* and a third axis is none of it */
			assert_int_equal(kind_of_two(true, 0.6, 0.03, 8, seed, found), OSSA_JOINT_BALL);
		}
	}
}

/* turns whose order cannot be seen, and motions of few poses, which axes always suit */
static void what_is_not_shown_is_a_ball(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 20; seed++) {
		ossai_vec3 found[2];
		assert_int_equal(kind_of_two(true, 0.03, 0, 8, seed, found), OSSA_JOINT_BALL);
		assert_int_equal(kind_of_two(true, 0.6, 0, 3.4, seed, found), OSSA_JOINT_BALL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_are_those_of_the_motion),
		cmocka_unit_test(hinges_may_turn_all_the_way_round),
		cmocka_unit_test(an_axis_must_be_worth_its_numbers),
		cmocka_unit_test(unsure_joints_are_not_welded),
		cmocka_unit_test(errors_about_an_axis_hide_turns_about_it),
		cmocka_unit_test(the_axis_is_the_likeliest),
		cmocka_unit_test(noise_is_that_of_both_bones),
		cmocka_unit_test(axes_turn_with_the_rest),
		cmocka_unit_test(two_axes_one_after_the_other_are_universal),
		cmocka_unit_test(what_is_not_shown_is_a_ball),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
