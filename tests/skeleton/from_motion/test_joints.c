/* tests/skeleton/from_motion/test_joints.c: joints of motions about a known point. */
#include "skeleton/from_motion/joints.h"
#include "support/support.h"
#include "support/surfaces.h"

enum { POSES = 7 };

typedef enum turning { WELD, HINGE, BALL } turning;

static const ossai_vec3 center = {0.1, -0.2, 0.3}, hinge_axis = {0.6, 0, 0.8};

/* a pair of bones: the first moves anyhow, the second turns about `center` against it; moved by
   `noise` after that */
static ossai_bone_motion make_pair(turning kind, double noise, uint64_t seed, ossai_rigid *rigid)
{
	for (size_t k = 0; k < POSES; k++) {
		ossai_quat turn = ossai_quat_identity();
		const double angle = 0.3 + 0.2 * (double)k;
		if (kind == HINGE) turn = ossai_quat_axis_angle(hinge_axis, angle);
		if (kind == BALL) turn = test_random_turn(&seed, 1);
		const ossai_mat3 r = ossai_quat_matrix(turn);
		const ossai_rigid about = {r, ossai_sub(center, ossai_mat3_mul_v(&r, center))};
		rigid[k] = (ossai_rigid){ossai_quat_matrix(test_random_turn(&seed, 3)), test_random_point(&seed, 1)};
		rigid[POSES + k] = ossai_rigid_mul(&rigid[k], &about);
		rigid[POSES + k].t = ossai_add(rigid[POSES + k].t, test_random_point(&seed, noise));
	}
	return (ossai_bone_motion){2, POSES, rigid};
}

static void ball_is_found_from_anywhere(void **state)
{
	(void)state;
	ossai_rigid rigid[2 * POSES];
	for (uint64_t seed = 1; seed < 50; seed++) {
		uint64_t random = seed;
		const ossai_bone_motion motion = make_pair(BALL, 0, seed, rigid);
		ossai_joint joint = ossai_joint_fit(&motion, 0, 1, test_random_point(&random, 1), 1e-6);
		assert_near_vec3(joint.position, center, 1e-9);
		assert_true(joint.residual < 1e-7);
		ossai_joint_measure_turns(&motion, 0, 1, &joint);
		assert_true(ossai_joint_silence(joint.spread) == 0);
		assert_true(joint.spread[0] >= joint.spread[1] && joint.spread[1] >= joint.spread[2] && joint.spread[2] >= 0);
	}
}

static void hinge_is_found_on_its_axis_nearest_the_guess(void **state)
{
	(void)state;
	ossai_rigid rigid[2 * POSES];
	for (uint64_t seed = 1; seed < 50; seed++) {
		uint64_t random = seed;
		const ossai_vec3 prior = test_random_point(&random, 1);
		const ossai_bone_motion motion = make_pair(HINGE, 0, seed, rigid);
		ossai_joint joint = ossai_joint_fit(&motion, 0, 1, prior, 0.1);
		const ossai_vec3 wanted = ossai_madd(center, ossai_dot(ossai_sub(prior, center), hinge_axis), hinge_axis);
		assert_near_vec3(joint.position, wanted, 1e-9);
		assert_near(joint.prior_distance, ossai_distance(prior, wanted), 1e-9);
		assert_near(fabs(ossai_dot(joint.axis, hinge_axis)), 1, 1e-9);
		ossai_joint_measure_turns(&motion, 0, 1, &joint);
		assert_true(ossai_joint_silence(joint.spread) > 0.999);
	}
}

/* turns about the hinge's axis of about a radian, about one square to it of as much times
   `second` */
static void an_axis_is_silent_through_a_little_wobble(void **state)
{
	(void)state;
	const ossai_vec3 square = {-0.8, 0, 0.6};
	const double second[] = {0.1, 0.5};
	const bool is_silent[] = {true, false};
	for (int i = 0; i < 2; i++) {
		ossai_rigid rigid[2 * POSES];
		for (int k = 0; k < POSES; k++) {
			const ossai_quat wobble = ossai_quat_axis_angle(square, second[i] * sin(2.0 * k));
			const ossai_quat turn = ossai_quat_mul(ossai_quat_axis_angle(hinge_axis, cos(1.3 * k)), wobble);
			rigid[k] = (ossai_rigid){ossai_mat3_identity(), {0, 0, 0}};
			rigid[POSES + k] = (ossai_rigid){ossai_quat_matrix(turn), {0, 0, 0}};
		}
		const ossai_bone_motion motion = {2, POSES, rigid};
		ossai_joint joint;
		ossai_joint_measure_turns(&motion, 0, 1, &joint);
		assert_true((ossai_joint_silence(joint.spread) > 0) == is_silent[i]);
	}
}

static void welded_pair_stays_at_the_guess(void **state)
{
	(void)state;
	ossai_rigid rigid[2 * POSES];
	const ossai_vec3 prior = {0.4, 0.1, 0};
	const ossai_bone_motion motion = make_pair(WELD, 0, 3, rigid);
	ossai_joint hard = ossai_joint_fit(&motion, 0, 1, prior, 0.1);
	ossai_joint soft = ossai_joint_fit_soft(&motion, 0, 1, prior, 0.05, 1e-4);
	assert_true(hard.prior_distance < 1e-9 && soft.prior_distance < 1e-9);
	ossai_joint_measure_turns(&motion, 0, 1, &hard);
	assert_true(hard.spread[0] < 1e-12);
	assert_true(hard.residual < 1e-12);
}

static void bones_may_be_named_either_way_round(void **state)
{
	(void)state;
	ossai_rigid rigid[2 * POSES];
	const ossai_vec3 prior = {0, 0, 0};
	const ossai_bone_motion motion = make_pair(HINGE, 0.01, 5, rigid);
	const ossai_joint a = ossai_joint_fit_soft(&motion, 0, 1, prior, 0.05, 1e-4);
	const ossai_joint b = ossai_joint_fit_soft(&motion, 1, 0, prior, 0.05, 1e-4);
	assert_near_vec3(a.position, b.position, 1e-12);
	assert_near(a.residual, b.residual, 1e-12);
}

/* the gap between the two images of the joint, RMS over the poses, by its definition */
static double plain_residual(const ossai_bone_motion *motion, ossai_vec3 x)
{
	double sum = 0;
	for (size_t k = 0; k < POSES; k++) {
		const ossai_vec3 p = ossai_rigid_point(&motion->rigid[k], x), q = ossai_rigid_point(&motion->rigid[POSES + k], x);
		sum += ossai_length2(ossai_sub(p, q)) / POSES;
	}
	return sqrt(sum);
}

static void residual_is_what_it_says(void **state)
{
	(void)state;
	ossai_rigid rigid[2 * POSES];
	for (uint64_t seed = 1; seed < 40; seed++) {
		const ossai_bone_motion motion = make_pair(seed % 2 ? HINGE : BALL, 0.02, seed, rigid);
		const ossai_vec3 prior = {0.3, 0.2, 0.1};
		ossai_joint hard = ossai_joint_fit(&motion, 0, 1, prior, 0.1);
		ossai_joint soft = ossai_joint_fit_soft(&motion, 0, 1, prior, 0.05, 1e-4);
		assert_near(hard.residual, plain_residual(&motion, hard.position), 1e-9);
		assert_near(soft.residual, plain_residual(&motion, soft.position), 1e-9);
		/* the soft one holds on to the guess and pays with a gap */
		assert_true(soft.prior_distance <= ossai_distance(prior, center) + 0.1);
	}
}

static void soft_fit_stays_at_the_guess_where_the_motion_is_silent(void **state)
{
	(void)state;
	ossai_rigid rigid[2 * POSES];
	for (uint64_t seed = 1; seed < 40; seed++) {
		const ossai_bone_motion motion = make_pair(HINGE, 0.003, seed, rigid);
		const ossai_vec3 prior = ossai_madd(ossai_add(center, ossai_v3(0, 0.05, 0)), 0.2, hinge_axis);
		ossai_joint joint = ossai_joint_fit_soft(&motion, 0, 1, prior, 0.05, 1e-4);
		assert_near(ossai_dot(ossai_sub(joint.position, prior), hinge_axis), 0, 1e-3);
		/* and follows it where it speaks */
		const ossai_vec3 off = ossai_sub(joint.position, center);
		assert_true(ossai_length(ossai_madd(off, -ossai_dot(off, hinge_axis), hinge_axis)) < 0.015);
		ossai_joint_measure_turns(&motion, 0, 1, &joint);
		assert_true(ossai_joint_silence(joint.spread) > 0.999);
	}
}

/* from 1 without a second axis to 0 where the third eigenvalue has 6 % of the first, and where the
   pair turns less than 2 degrees */
static void silence_falls_as_a_second_axis_speaks(void **state)
{
	(void)state;
	const double hinged[3] = {0.5, 0.5, 0.015}, wobbling[3] = {0.5, 0.5, 0.0299}, free[3] = {0.5, 0.5, 0.0301};
	const double still[3] = {1.21e-3, 1.21e-3, 0}, barely[3] = {1.23e-3, 1.23e-3, 0};
	assert_near(ossai_joint_silence(hinged), 0.5, 1e-9);
	assert_true(ossai_joint_silence(wobbling) > 0 && ossai_joint_silence(wobbling) < 0.01);
	assert_true(ossai_joint_silence(free) == 0);
	assert_true(ossai_joint_silence(still) == 0);
	assert_near(ossai_joint_silence(barely), 1, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ball_is_found_from_anywhere),
		cmocka_unit_test(hinge_is_found_on_its_axis_nearest_the_guess),
		cmocka_unit_test(an_axis_is_silent_through_a_little_wobble),
		cmocka_unit_test(welded_pair_stays_at_the_guess),
		cmocka_unit_test(bones_may_be_named_either_way_round),
		cmocka_unit_test(residual_is_what_it_says),
		cmocka_unit_test(silence_falls_as_a_second_axis_speaks),
		cmocka_unit_test(soft_fit_stays_at_the_guess_where_the_motion_is_silent),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
