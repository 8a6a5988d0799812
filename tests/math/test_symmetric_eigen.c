/* tests/math/test_symmetric_eigen.c: eigenvalues and vectors against their definition, and
   against Jacobi's rotations. */
#include "math/symmetric_eigen.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <math.h>
#include <string.h>

enum { MOST = 60 };

static void fill(size_t n, uint64_t seed, double *a)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i; j < n; j++) a[i * n + j] = a[j * n + i] = test_random(&seed);
	}
}

/* values by plain rotations, falling */
static void jacobi(size_t n, double *a, double *values)
{
	for (int sweep = 0; sweep < 30; sweep++) {
		for (size_t p = 0; p < n; p++) {
			for (size_t q = p + 1; q < n; q++) {
				if (fabs(a[p * n + q]) < 1e-300) continue;
				const double theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
				const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
				const double c = 1 / sqrt(t * t + 1), s = t * c;
				for (size_t k = 0; k < n; k++) {
					const double x = a[k * n + p], y = a[k * n + q];
					a[k * n + p] = c * x - s * y;
					a[k * n + q] = s * x + c * y;
				}
				for (size_t k = 0; k < n; k++) {
					const double x = a[p * n + k], y = a[q * n + k];
					a[p * n + k] = c * x - s * y;
					a[q * n + k] = s * x + c * y;
				}
			}
		}
	}
	for (size_t i = 0; i < n; i++) values[i] = a[i * n + i];
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++) {
			const double low = fmin(values[i], values[j]);
			values[i] = fmax(values[i], values[j]);
			values[j] = low;
		}
	}
}

/* A v = value v, and v are orthonormal */
static void assert_eigen(size_t n, const double *a, const double *values, size_t count, const double *vectors)
{
	for (size_t j = 0; j < count; j++) {
		for (size_t i = 0; i < n; i++) {
			double sum = -values[j] * vectors[i * count + j];
			for (size_t k = 0; k < n; k++) sum += a[i * n + k] * vectors[k * count + j];
			assert_near(sum, 0, 1e-12 * (double)n);
		}
		for (size_t other = 0; other <= j; other++) {
			double dot = 0;
			for (size_t k = 0; k < n; k++) dot += vectors[k * count + j] * vectors[k * count + other];
			assert_near(dot, other == j, 1e-12 * (double)n);
		}
	}
}

static void values_are_jacobis_and_vectors_are_what_they_must_be(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (size_t n = 1; n <= MOST; n += 1 + n / 3) {
		double a[MOST * MOST], work[MOST * MOST], values[MOST], vectors[MOST * MOST];
		fill(n, n, a);
		memcpy(work, a, n * n * sizeof *a);
		jacobi(n, work, values);
		for (size_t count = 1; count <= n; count += 1 + n / 2) {
			ossai_arena arena = ossai_arena_begin(context);
			ossai_eigen eigen;
			memcpy(work, a, n * n * sizeof *a);
			assert_ok(context, ossai_eigen_make(context, &arena, n, work, &eigen));
			for (size_t i = 0; i < n; i++) assert_near(eigen.values[i], values[i], 1e-12 * (double)n);
			assert_ok(context, ossai_eigen_vectors(context, &eigen, count, vectors));
			assert_eigen(n, a, eigen.values, count, vectors);
			/* the same matrix again, with fewer */
			assert_ok(context, ossai_eigen_vectors(context, &eigen, 1, vectors));
			assert_eigen(n, a, eigen.values, 1, vectors);
			ossai_arena_end(&arena);
		}
	}
	test_context_end(context);
}

static void equal_values_have_vectors_too(void **state)
{
	(void)state;
	/* three blocks of ones: the value 10 three times, all others 0 */
	enum { N = 30 };
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	double a[N * N], work[N * N], vectors[N * 3];
	for (size_t i = 0; i < N * N; i++) a[i] = i / N / 10 == i % N / 10;
	memcpy(work, a, sizeof a);
	ossai_eigen eigen;
	assert_ok(context, ossai_eigen_make(context, &arena, N, work, &eigen));
	assert_ok(context, ossai_eigen_vectors(context, &eigen, 3, vectors));
	assert_near(eigen.values[2], 10, 1e-12);
	assert_near(eigen.values[3], 0, 1e-12);
	assert_eigen(N, a, eigen.values, 3, vectors);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void sizes_and_counts_out_of_range_are_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	double one = 4, vector[2];
	ossai_eigen eigen;
	assert_fails(context, ossai_eigen_make(context, &arena, 0, &one, &eigen), OSSA_ERROR_LIMIT, "eigenvalues");
	assert_fails(context, ossai_eigen_make(context, &arena, 100000, &one, &eigen), OSSA_ERROR_LIMIT, "100000");
	assert_ok(context, ossai_eigen_make(context, &arena, 1, &one, &eigen));
	assert_true(eigen.values[0] == 4);
	assert_fails(context, ossai_eigen_vectors(context, &eigen, 2, vector), OSSA_ERROR_ARGUMENT, "2 of 1");
	assert_ok(context, ossai_eigen_vectors(context, &eigen, 1, vector));
	assert_true(fabs(vector[0]) == 1);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static ossa_status solve_in_sweep(ossa_context *context, void *arg)
{
	(void)arg;
	double a[64], vectors[24];
	fill(8, 3, a);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_eigen eigen;
	ossa_status status = ossai_eigen_make(context, &arena, 8, a, &eigen);
	if (status == OSSA_OK) status = ossai_eigen_vectors(context, &eigen, 3, vectors);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_allocation_sweep(solve_in_sweep, NULL, 100, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_jacobis_and_vectors_are_what_they_must_be),
		cmocka_unit_test(equal_values_have_vectors_too),
		cmocka_unit_test(sizes_and_counts_out_of_range_are_reported),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
