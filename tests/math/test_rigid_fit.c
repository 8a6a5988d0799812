/* tests/math/test_rigid_fit.c: the fast lambda against the safe one, and recovered rotations. */
#include "math/rigid_fit.h"
#include "support/support.h"

static double random_unit(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(*state >> 11) / 9007199254740992.0 * 2 - 1;
}

/* correlation of points whose spread along x, y, z is `s`, moved by q */
static void make_correlation(uint64_t *state, const double s[3], ossai_quat q, int count, double m[9])
{
	const ossai_mat3 r = ossai_quat_matrix(q);
	for (int i = 0; i < 9; i++) m[i] = 0;
	for (int i = 0; i < count; i++) {
		const ossai_vec3 p = ossai_v3(s[0] * random_unit(state), s[1] * random_unit(state), s[2] * random_unit(state));
		const ossai_vec3 t = ossai_mat3_mul_v(&r, p);
		const double a[3] = {p.x, p.y, p.z}, b[3] = {t.x, t.y, t.z};
		for (int j = 0; j < 9; j++) m[j] += a[j / 3] * b[j % 3];
	}
}

static ossai_quat random_quat(uint64_t *state)
{
	return ossai_quat_unit((ossai_quat){random_unit(state), random_unit(state), random_unit(state), random_unit(state)});
}

static void newton_agrees_with_jacobi(void **state)
{
	(void)state;
	uint64_t random = 7;
	const double shapes[][3] = {{1, 1, 1}, {1, 0.5, 0}, {1, 1e-5, 0}, {1, 0, 0}, {1e-6, 1e-6, 1e-7}, {1, 1, 1e-9}};
	for (int i = 0; i < 6000; i++) {
		double m[9];
		make_correlation(&random, shapes[i % 6], random_quat(&random), 12, m);
		/* half of them not rigid, some with a reflection */
		for (int j = 0; i % 2 && j < 9; j++) m[j] *= 1 + 0.9 * random_unit(&random);
		for (int j = 0; i % 5 == 0 && j < 3; j++) m[3 * j] = -m[3 * j];
		const double exact = ossai_rigid_lambda(m);
		double norm = 0;
		for (int j = 0; j < 9; j++) norm += m[j] * m[j];
		const double fast = ossai_rigid_lambda_newton(m, INFINITY);
		assert_near(fast, exact, 2e-8 * sqrt(norm));
		if (i % 5 != 0 && i % 2 == 0) assert_near(fast, exact, 1e-13 * sqrt(norm) + 1e-30);
	}
}

static void rotation_is_found_again(void **state)
{
	(void)state;
	uint64_t random = 3;
	const double shapes[][3] = {{1, 1, 1}, {1, 0.5, 0}, {1e-6, 1e-6, 1e-6}};
	for (int i = 0; i < 3000; i++) {
		double m[9];
		const ossai_quat truth = random_quat(&random);
		make_correlation(&random, shapes[i % 3], truth, 9, m);
		assert_near(fabs(ossai_quat_dot(ossai_rigid_rotation(m), truth)), 1, 1e-12);
	}
}

static void zero_gives_a_unit_quaternion(void **state)
{
	(void)state;
	const double m[9] = {0};
	const ossai_quat q = ossai_rigid_rotation(m);
	assert_near(ossai_quat_dot(q, q), 1, 1e-15);
	assert_true(ossai_rigid_lambda_newton(m, 0) == 0);
}

/* each lane as if it were alone, whatever its neighbours are: also where only Jacobi helps */
static void four_rotations_are_those_of_one(void **state)
{
	(void)state;
	uint64_t random = 5;
	for (int i = 0; i < 2000; i++) {
		ossai_lanes m[9], r[9], again[9];
		double one[9];
		for (int e = 0; e < 9; e++) {
			for (int l = 0; l < OSSAI_LANES; l++) m[e][l] = i % 3 == 0 && l == i % 4 && e > 2 ? 0 : random_unit(&random);
		}
		ossai_rigid_rotations(m, r);
		for (int l = 0; l < OSSAI_LANES; l++) {
			for (int e = 0; e < 9; e++) one[e] = m[e][l];
			const ossai_mat3 plain = ossai_quat_matrix(ossai_rigid_rotation(one));
			ossai_lanes alone[9];
			for (int e = 0; e < 9; e++) alone[e] = ossai_lanes_all(one[e]);
			ossai_rigid_rotations(alone, again);
			for (int e = 0; e < 9; e++) {
				assert_near(r[e][l], plain.m[e / 3][e % 3], 1e-11);
				assert_true(r[e][l] == again[e][0]);
			}
		}
	}
}

/* to the last bit, at every size, also where only Jacobi helps */
static void each_of_four_rotations_has_the_bytes_of_one(void **state)
{
	(void)state;
	static const double sizes[] = {1, 1e-9, 1e-40, 1e9};
	uint64_t random = 11;
	for (int i = 0; i < 4000; i++) {
		ossai_lanes m[9], r[9];
		for (int e = 0; e < 9; e++) {
			for (int l = 0; l < OSSAI_LANES; l++)
				m[e][l] = i % 3 == 0 && l == i % 4 && e > i % 9 ? 0 : sizes[i % 4] * random_unit(&random);
		}
		ossai_rigid_each_rotation(m, r);
		for (int l = 0; l < OSSAI_LANES; l++) {
			double one[9];
			for (int e = 0; e < 9; e++) one[e] = m[e][l];
			const ossai_mat3 plain = ossai_quat_matrix(ossai_rigid_rotation(one));
			for (int e = 0; e < 9; e++) assert_true(r[e][l] == plain.m[e / 3][e % 3]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(newton_agrees_with_jacobi),
		cmocka_unit_test(rotation_is_found_again),
		cmocka_unit_test(zero_gives_a_unit_quaternion),
		cmocka_unit_test(four_rotations_are_those_of_one),
		cmocka_unit_test(each_of_four_rotations_has_the_bytes_of_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
