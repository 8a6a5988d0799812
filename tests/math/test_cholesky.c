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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(solutions_are_found_again),
		cmocka_unit_test(what_is_not_positive_definite_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
