/* tests/skeleton/from_motion/test_joint_posterior.c: joints of motions about a known point, with
   what they are known from. */
#include "skeleton/from_motion/joint_posterior.h"

#include "math/cholesky.h"
#include "support/support.h"
#include "support/surfaces.h"

enum { POSES = 7 };

static const ossai_vec3 center = {0.1, -0.2, 0.3}, axis = {0.6, 0, 0.8};

/* the second bone turns against the first about `center`: about `axis`, or anyhow */
static ossai_bone_motion make_pair(bool is_hinge, double gap, uint64_t seed, ossai_rigid *rigid)
{
	for (size_t k = 0; k < POSES; k++) {
		const ossai_quat turn = is_hinge ? ossai_quat_axis_angle(axis, 0.3 + 0.2 * (double)k) : test_random_turn(&seed, 1);
		const ossai_mat3 r = ossai_quat_matrix(turn);
		const ossai_rigid about = {r, ossai_sub(center, ossai_mat3_mul_v(&r, center))};
		rigid[k] = (ossai_rigid){ossai_quat_matrix(test_random_turn(&seed, 3)), test_random_point(&seed, 1)};
		rigid[POSES + k] = ossai_rigid_mul(&rigid[k], &about);
		rigid[POSES + k].t = ossai_add(rigid[POSES + k].t, test_random_point(&seed, gap));
	}
	return (ossai_bone_motion){2, POSES, rigid};
}

/* vertices of squared weight 100 around `at`, with inertia 1, and an error */
static ossai_bone_core core_at(ossai_vec3 at, double noise, double *noises)
{
	for (size_t k = 0; k < POSES; k++) noises[k] = noise * noise;
	return (ossai_bone_core){.weight = 100, .center = at, .turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .noise = noises};
}

static ossai_joint_prior prior_at(ossai_vec3 mean, double deviation)
{
	const double p = 1 / (deviation * deviation);
	return (ossai_joint_prior){.mean = mean, .precision = {p, 0, 0, 0, p, 0, 0, 0, p}, .radius = deviation};
}

static ossai_joint_posterior find(bool is_hinge, double gap, double noise, ossai_vec3 core, ossai_vec3 prior, uint64_t seed)
{
	ossai_rigid rigid[2 * POSES];
	double noises[2][POSES];
	const ossai_bone_motion motion = make_pair(is_hinge, gap, seed, rigid);
	const ossai_bone_core cores[] = {core_at(core, noise, noises[0]), core_at(core, noise, noises[1])};
	const ossai_joint_prior around = prior_at(prior, 0.05);
	return ossai_joint_posterior_find(&motion, cores, 0, 1, &around);
}

static double deviation_along(const ossai_joint_posterior *found, ossai_vec3 d)
{
	const double x[3] = {d.x, d.y, d.z};
	double sum = 0;
	for (int i = 0; i < 9; i++) sum += x[i / 3] * found->covariance[i] * x[i % 3];
	return sqrt(sum);
}

static void a_ball_is_where_the_motion_has_it(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 30; seed++) {
		const ossai_vec3 prior = ossai_add(center, ossai_v3(0.03, -0.03, 0.03));
		const ossai_joint_posterior found = find(false, 0, 0, center, prior, seed);
		assert_near_vec3(found.mean, center, 1e-5);
		assert_true(deviation_along(&found, axis) < 1e-3);
	}
}

/* across its axis a hinge is where the motion has it, along it where the prior has it, as sure */
static void a_hinge_follows_the_prior_along_its_axis(void **state)
{
	(void)state;
	const ossai_vec3 across = {0, 1, 0};
	for (uint64_t seed = 1; seed < 30; seed++) {
		const ossai_vec3 prior = ossai_add(ossai_madd(center, 0.2, axis), ossai_scale(across, 0.03));
		const ossai_joint_posterior found = find(true, 0, 0, center, prior, seed);
		assert_near_vec3(found.mean, ossai_madd(center, 0.2, axis), 1e-5);
		assert_near(deviation_along(&found, axis), 0.05, 1e-6);
		assert_true(deviation_along(&found, across) < 1e-3);
	}
}

/* the same poses again say nothing new */
static void poses_do_not_count_twice(void **state)
{
	(void)state;
	ossai_rigid rigid[2 * POSES], twice[4 * POSES];
	double noises[2][2 * POSES];
	const ossai_bone_motion motion = make_pair(false, 0.01, 3, rigid), again = {2, 2 * POSES, twice};
	for (size_t i = 0; i < 4 * POSES; i++) twice[i] = rigid[i / (2 * POSES) * POSES + i % POSES];
	for (size_t i = 0; i < 4 * POSES; i++) noises[i / (2 * POSES)][i % (2 * POSES)] = 1e-6;
	ossai_bone_core cores[2];
	for (int i = 0; i < 2; i++) cores[i] = (ossai_bone_core){10, center, {1, 0, 0, 0, 1, 0, 0, 0, 1}, noises[i]};
	const ossai_joint_prior prior = prior_at(ossai_v3(0, 0, 0), 0.05);
	const ossai_joint_posterior a = ossai_joint_posterior_find(&motion, cores, 0, 1, &prior);
	const ossai_joint_posterior b = ossai_joint_posterior_find(&again, cores, 0, 1, &prior);
	assert_near_vec3(a.mean, b.mean, 1e-9);
	for (int i = 0; i < 9; i++) assert_near(a.covariance[i], b.covariance[i], 1e-9);
}

/* what is not known exactly, or from far away, pulls less */
static void error_and_distance_make_unsure(void **state)
{
	(void)state;
	const ossai_vec3 prior = ossai_add(center, ossai_v3(0.03, -0.03, 0.03)), far = ossai_add(center, ossai_v3(0, 2, 0));
	const ossai_joint_posterior sure = find(false, 0, 0.001, center, prior, 5);
	const ossai_joint_posterior noisy = find(false, 0, 0.1, center, prior, 5), distant = find(false, 0, 0.1, far, prior, 5);
	const ossai_vec3 x = {1, 0, 0};
	assert_true(deviation_along(&sure, x) < 0.5 * deviation_along(&noisy, x));
	assert_true(deviation_along(&noisy, x) < deviation_along(&distant, x));
	assert_true(ossai_distance(sure.mean, center) < ossai_distance(noisy.mean, center));
	assert_true(ossai_distance(noisy.mean, center) < ossai_distance(distant.mean, center));
}

/* Twice the energy at x, by its definition: the mean over the poses of the gap's squared length in
   units of its covariance, and that of the distance from the prior. The covariances are those at
   `at`. */
static double plain_energy(const ossai_bone_motion *motion, const ossai_bone_core *core, const ossai_joint_prior *prior,
	ossai_vec3 at, double error, ossai_vec3 x)
{
	double energy = 0;
	for (size_t k = 0; k < POSES; k++) {
		double s[9] = {error, 0, 0, 0, error, 0, 0, 0, error};
		for (size_t b = 0; b < 2; b++) {
			/* unit turns about the axes through the core move the point by these */
			const ossai_mat3 *r = &motion->rigid[b * POSES + k].r;
			for (int e = 0; e < 3; e++) {
				const ossai_vec3 turn = ossai_v3(e == 0, e == 1, e == 2);
				const ossai_vec3 step = ossai_mat3_mul_v(r, ossai_cross(turn, ossai_sub(at, core[b].center)));
				const double d[3] = {step.x, step.y, step.z}, share = 10 * core[b].noise[k];
				for (int i = 0; i < 9; i++) s[i] += share * core[b].turn[4 * e] * d[i / 3] * d[i % 3];
				s[4 * e] += share / core[b].weight;
			}
		}
		const ossai_vec3 p = ossai_rigid_point(&motion->rigid[k], x), q = ossai_rigid_point(&motion->rigid[POSES + k], x);
		const ossai_vec3 gap = ossai_sub(p, q);
		double solved[3] = {gap.x, gap.y, gap.z};
		assert_true(ossai_cholesky_solve(3, s, solved));
		energy += ossai_dot(gap, ossai_v3_of(solved)) / POSES;
	}
	const ossai_vec3 d = ossai_sub(x, prior->mean);
	return energy + prior->precision[0] * ossai_length2(d);
}

/* the mean is the minimum, and the curvature there is the precision */
static void mean_is_the_minimum_of_the_energy(void **state)
{
	(void)state;
	ossai_rigid rigid[2 * POSES];
	double noises[2][POSES];
	const ossai_bone_motion motion = make_pair(false, 0.02, 11, rigid);
	const ossai_bone_core cores[] = {core_at(center, 0.05, noises[0]), core_at(ossai_v3(0.4, 0.1, 0), 0.08, noises[1])};
	const ossai_joint_prior prior = prior_at(ossai_v3(0.15, -0.2, 0.25), 0.05);
	const ossai_joint_posterior found = ossai_joint_posterior_find(&motion, cores, 0, 1, &prior);
	double gap = 0;
	for (size_t k = 0; k < POSES; k++) {
		const ossai_vec3 p = ossai_rigid_point(&rigid[k], found.mean), q = ossai_rigid_point(&rigid[POSES + k], found.mean);
		gap += ossai_length2(ossai_sub(p, q)) / POSES;
	}
	const double least = plain_energy(&motion, cores, &prior, found.mean, gap / 3, found.mean);
	for (int e = 0; e < 3; e++) {
		const double h = 1e-3;
		const ossai_vec3 step = ossai_v3(e == 0 ? h : 0, e == 1 ? h : 0, e == 2 ? h : 0);
		const double up = plain_energy(&motion, cores, &prior, found.mean, gap / 3, ossai_add(found.mean, step));
		const double down = plain_energy(&motion, cores, &prior, found.mean, gap / 3, ossai_sub(found.mean, step));
		assert_near((up + down - 2 * least) / (2 * h * h) / found.precision[4 * e], 1, 1e-3);
		assert_near((up - down) / (up + down - 2 * least), 0, 1e-2);
	}
}

static void bones_may_be_named_either_way_round(void **state)
{
	(void)state;
	ossai_rigid rigid[2 * POSES];
	double noises[2][POSES];
	const ossai_bone_motion motion = make_pair(true, 0.01, 7, rigid);
	const ossai_bone_core cores[] = {core_at(center, 0.01, noises[0]), core_at(ossai_v3(0.4, 0.1, 0), 0.02, noises[1])};
	const ossai_joint_prior prior = prior_at(ossai_v3(0, 0, 0), 0.05);
	const ossai_joint_posterior a = ossai_joint_posterior_find(&motion, cores, 0, 1, &prior);
	const ossai_joint_posterior b = ossai_joint_posterior_find(&motion, cores, 1, 0, &prior);
	assert_near_vec3(a.mean, b.mean, 1e-12);
	for (int i = 0; i < 9; i++) assert_near(a.precision[i], b.precision[i], 1e-9 * a.precision[0]);
}

/* weights, centers, inertia and errors of a chain, against their definitions */
static void cores_are_what_they_say(void **state)
{
	(void)state;
	static const float points[] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3};
	static const uint32_t triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
	static const float moved[] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 4};
	test_surface t = test_surface_make(1, 4, points, 4, triangles, 1, moved);
	ossai_bone_weights weights;
	ossai_bone_motion motion;
	ossai_bone_core core[2];
	assert_ok(t.context, ossai_bone_weights_new(&t.arena, 4, 2, 2, &weights));
	for (size_t v = 0; v < 4; v++) {
		weights.count[v] = 0;
		ossai_bone_weights_keep(&weights, v, 0, v == 3 ? 0.5 : 1);
	}
	ossai_bone_weights_keep(&weights, 3, 1, 0.5);
	assert_ok(t.context, ossai_bone_motion_new(&t.arena, 2, 1, &motion));
	for (size_t b = 0; b < 2; b++) motion.rigid[b] = (ossai_rigid){ossai_mat3_identity(), {0, 0, 0}};
	assert_ok(t.context, ossai_bone_cores_make(&t.arena, &t.s, &weights, &motion, core));
	assert_near(core[0].weight, 3.25, 1e-12);
	assert_near(core[1].weight, 0.25, 1e-12);
	const ossai_vec3 wanted = ossai_v3(1 / 3.25, 2 / 3.25, 0.25 * 3 / 3.25);
	assert_near_vec3(ossai_posed_surface_place(&t.s, core[0].center), wanted, 1e-6);
	/* the second moment along x: 1 - 1 / 3.25, and so on, in diagonals */
	const double unit = 1 / (t.s.scale * t.s.scale);
	const double xx = 1 - 1 / 3.25, yy = 4 - 4 / 3.25, zz = 0.25 * 9 - 0.5625 / 3.25;
	const double xy = -2 / 3.25, xz = -0.75 / 3.25, yz = -1.5 / 3.25;
	const double inertia[9] = {yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy};
	for (int i = 0; i < 9; i++) {
		double product = 0;
		for (int j = 0; j < 3; j++) product += unit * inertia[i / 3 * 3 + j] * core[0].turn[3 * j + i % 3];
		assert_near(product, i % 4 == 0 ? 1 : 0, 1e-4);
	}
	/* the errors, about each pose's centroid: the fourth vertex is 3/4 of a unit off,
	   the others 1/4 */
	const double mean = (3 * 0.0625 + 0.5 * 0.5625) / 3.5 / 3 * unit;
	assert_near(core[0].noise[0] / mean, 1, 1e-5);
	assert_near(core[1].noise[0] / (0.5625 / 3 * unit), 1, 1e-5);
	test_surface_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ball_is_where_the_motion_has_it),
		cmocka_unit_test(a_hinge_follows_the_prior_along_its_axis),
		cmocka_unit_test(poses_do_not_count_twice),
		cmocka_unit_test(error_and_distance_make_unsure),
		cmocka_unit_test(mean_is_the_minimum_of_the_energy),
		cmocka_unit_test(bones_may_be_named_either_way_round),
		cmocka_unit_test(cores_are_what_they_say),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
