/* tests/math/test_cholesky.c: systems with known solutions, and systems that have none. */
#include "math/cholesky.h"
#include "support/support.h"
#include "support/surfaces.h"

enum { MOST = 40 };

/* lower half of B^T B + shift, the rest NaN: it must not be read */
static void make_system(uint64_t *random, size_t n, double shift, double *a)
{
	double b[MOST * MOST];
	for (size_t i = 0; i < n * n; i++) b[i] = test_random(random);
	for (size_t i = 0; i < n * n; i++) {
		const size_t row = i / n, column = i % n;
		a[i] = row == column ? shift : 0;
		for (size_t k = 0; k < n; k++) a[i] += b[k * n + row] * b[k * n + column];
		if (column > row) a[i] = NAN;
	}
}

static void solutions_are_found_again(void **state)
{
	(void)state;
	uint64_t random = 2;
	for (size_t n = 1; n <= MOST; n++) {
		double a[MOST * MOST], x[MOST], b[MOST];
		make_system(&random, n, 1, a);
		for (size_t i = 0; i < n; i++) x[i] = test_random(&random);
		for (size_t i = 0; i < n; i++) {
			b[i] = 0;
			for (size_t j = 0; j < n; j++) b[i] += (j <= i ? a[i * n + j] : a[j * n + i]) * x[j];
		}
		assert_true(ossai_cholesky_solve(n, a, b));
		for (size_t i = 0; i < n; i++) assert_near(b[i], x[i], 1e-12);
	}
}

static void what_is_not_positive_definite_is_refused(void **state)
{
	(void)state;
	double zero[4] = {0}, b[2] = {1, 1};
	assert_false(ossai_cholesky_solve(2, zero, b));
	double negative[4] = {1, 0, 2, 1};
	assert_false(ossai_cholesky_solve(2, negative, b));
	double unknown[1] = {NAN};
	assert_false(ossai_cholesky_solve(1, unknown, b));
	assert_true(ossai_cholesky_solve(0, zero, b));
}

enum { BLOCKS = 7, UNKNOWNS = 3 * BLOCKS };

/* a lane of random blocks inside a skyline, as a dense system too */
static void fill_lane(const ossai_skyline *s, uint64_t *random, int lane, ossai_lanes *h, double *dense)
{
	for (size_t i = 0; i < (size_t)UNKNOWNS * UNKNOWNS; i++) dense[i] = 0;
	for (size_t i = 0; i < UNKNOWNS; i++) {
		for (size_t j = 3 * s->first[i / 3]; j <= i; j++) {
			const double value = i == j ? UNKNOWNS : test_random(random);
			ossai_lanes *block = h + 9 * (s->start[i / 3] + j / 3 - s->first[i / 3]);
			dense[i * UNKNOWNS + j] = value;
			block[i % 3 * 3 + j % 3][lane] = value;
			if (i / 3 == j / 3) block[j % 3 * 3 + i % 3][lane] = value;
		}
	}
}

static void four_systems_with_zeros_are_those_of_dense_ones(void **state)
{
	(void)state;
	uint64_t random = 9;
	const uint32_t first[BLOCKS] = {0, 0, 2, 1, 4, 3, 0};
	size_t start[BLOCKS + 1] = {0};
	for (size_t i = 0; i < BLOCKS; i++) start[i + 1] = start[i] + i - first[i] + 1;
	const ossai_skyline shape = {BLOCKS, first, start};
	for (int bad = -1; bad < OSSAI_LANES; bad++) {
		ossai_lanes h[9 * BLOCKS * BLOCKS] = {{0}}, x[UNKNOWNS];
		double dense[OSSAI_LANES][UNKNOWNS * UNKNOWNS], y[OSSAI_LANES][UNKNOWNS];
		ossai_lane_mask failed;
		for (int l = 0; l < OSSAI_LANES; l++) {
			fill_lane(&shape, &random, l, h, dense[l]);
			for (int i = 0; i < UNKNOWNS; i++) x[i][l] = y[l][i] = test_random(&random);
		}
		if (bad >= 0) h[9 * start[3] - 1][bad] = -1;
		ossai_skyline_solve(&shape, h, x, &failed);
		for (int l = 0; l < OSSAI_LANES; l++) {
			assert_int_equal(failed[l] != 0, l == bad);
			assert_true(ossai_cholesky_solve(UNKNOWNS, dense[l], y[l]));
			for (int i = 0; i < UNKNOWNS && l != bad; i++) assert_near(x[i][l], y[l][i], 1e-13);
		}
	}
}

/* the same bits where nothing is 0 before the diagonal, and the same solution where something is */
static void one_system_with_zeros_is_that_of_a_dense_one(void **state)
{
	(void)state;
	uint64_t random = 4;
	const uint32_t firsts[2][BLOCKS] = {{0, 0, 2, 1, 4, 3, 0}, {0}};
	for (int full = 0; full < 2; full++) {
		const uint32_t *first = firsts[full];
		size_t start[BLOCKS + 1] = {0};
		for (size_t i = 0; i < BLOCKS; i++) start[i + 1] = start[i] + i - first[i] + 1;
		const ossai_skyline shape = {BLOCKS, first, start};
		double dense[UNKNOWNS * UNKNOWNS], a[9 * BLOCKS * BLOCKS], x[UNKNOWNS], y[UNKNOWNS];
		ossai_lanes h[9 * BLOCKS * BLOCKS];
		fill_lane(&shape, &random, 0, h, dense);
		for (size_t i = 0; i < UNKNOWNS; i++) {
			const size_t begin = 3 * first[i / 3], width = 3 * (i / 3 + 1) - begin;
			double *row = a + 9 * start[i / 3] + i % 3 * width;
			for (size_t j = 0; j < width; j++) row[j] = begin + j <= i ? dense[i * UNKNOWNS + begin + j] : NAN;
			x[i] = y[i] = test_random(&random);
		}
		assert_true(ossai_cholesky_solve(UNKNOWNS, dense, y));
		assert_true(ossai_skyline_solve_one(&shape, a, x));
		for (int i = 0; i < UNKNOWNS; i++) assert_near(x[i], y[i], 1e-13);
		if (full) assert_memory_equal(x, y, sizeof x);
		a[9 * start[3] - 1] = -1;
		assert_false(ossai_skyline_solve_one(&shape, a, x));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(solutions_are_found_again),
		cmocka_unit_test(what_is_not_positive_definite_is_refused),
		cmocka_unit_test(one_system_with_zeros_is_that_of_a_dense_one),
		cmocka_unit_test(four_systems_with_zeros_are_those_of_dense_ones),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
