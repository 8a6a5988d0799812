/* tests/math/test_sparse.c: sparse systems against dense ones, and systems without a solution. */
#include "math/cholesky.h"
#include "math/sparse.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <string.h>

enum { MOST = 60, W = OSSAI_SPARSE_WIDTH };

/* a random symmetric matrix, diagonally dominant, as a lower triangle and in full */
typedef struct random_system {
	size_t n, entries;
	uint32_t start[MOST + 1], row[MOST * MOST];
	double value[MOST * MOST], dense[MOST * MOST];
} random_system;

static void make_pattern(uint64_t *random, size_t n, double density, random_system *s)
{
	s->n = n;
	s->entries = 0;
	for (uint32_t j = 0; j < n; j++) {
		s->start[j] = (uint32_t)s->entries;
		s->row[s->entries++] = j;
		for (uint32_t i = j + 1; i < n; i++) {
			if (fabs(test_random(random)) < density) s->row[s->entries++] = i;
		}
	}
	s->start[n] = (uint32_t)s->entries;
}

static void make_values(uint64_t *random, random_system *s)
{
	memset(s->dense, 0, sizeof s->dense);
	for (size_t j = 0; j < s->n; j++) {
		for (uint32_t e = s->start[j] + 1; e < s->start[j + 1]; e++) {
			const size_t i = s->row[e];
			const double x = s->value[e] = test_random(random);
			s->dense[i * s->n + j] = s->dense[j * s->n + i] = x;
			s->dense[i * s->n + i] += fabs(x);
			s->dense[j * s->n + j] += fabs(x);
		}
	}
	for (size_t j = 0; j < s->n; j++) s->value[s->start[j]] = s->dense[j * s->n + j] += 0.1;
}

static ossai_sparse_pattern pattern_of(const random_system *s) { return (ossai_sparse_pattern){s->n, s->start, s->row}; }

static void solutions_are_those_of_a_dense_solver(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	uint64_t random = 7;
	static random_system s;
	for (size_t n = 1; n <= MOST; n += 1 + n / 8) {
		make_pattern(&random, n, 0.1, &s);
		ossai_sparse *system;
		assert_ok(context, ossai_sparse_analyse(context, &(ossai_sparse_pattern){s.n, s.start, s.row}, &system));
		/* one analysis, several sets of values */
		for (int round = 0; round < 3; round++) {
			enum { GROUPS = 3 };
			static double x[GROUPS * MOST * W], b[GROUPS * MOST * W];
			make_values(&random, &s);
			assert_ok(context, ossai_sparse_factorise(system, s.value));
			for (size_t i = 0; i < GROUPS * n * W; i++) b[i] = x[i] = i % 3 == 0 ? test_random(&random) : 0;
			assert_ok(context, ossai_sparse_solve(system, GROUPS, x));
			for (size_t side = 0; side < GROUPS * W; side++) {
				static double a[MOST * MOST], y[MOST];
				memcpy(a, s.dense, n * n * sizeof *a);
				for (size_t i = 0; i < n; i++) y[i] = b[(side / W * n + i) * W + side % W];
				assert_true(ossai_cholesky_solve(n, a, y));
				for (size_t i = 0; i < n; i++) assert_near(y[i], x[(side / W * n + i) * W + side % W], 1e-11);
			}
		}
		ossai_sparse_end(system);
	}
	test_context_end(context);
}

static void what_is_not_positive_definite_is_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	uint64_t random = 3;
	static random_system s;
	ossai_sparse *system;
	double x[MOST * W] = {0};
	make_pattern(&random, 20, 0.2, &s);
	make_values(&random, &s);
	const ossai_sparse_pattern pattern = pattern_of(&s);
	assert_ok(context, ossai_sparse_analyse(context, &pattern, &system));
	assert_fails(context, ossai_sparse_solve(system, 1, x), OSSA_ERROR_ARGUMENT, "not factorised");
	s.value[s.start[7]] = -1;
	assert_fails(context, ossai_sparse_factorise(system, s.value), OSSA_ERROR_INPUT, "not positive definite");
	assert_fails(context, ossai_sparse_solve(system, 1, x), OSSA_ERROR_ARGUMENT, "not factorised");
	s.value[s.start[7]] = NAN;
	assert_fails(context, ossai_sparse_factorise(system, s.value), OSSA_ERROR_INPUT, "not finite");
	/* and it can be used again */
	make_values(&random, &s);
	assert_ok(context, ossai_sparse_factorise(system, s.value));
	assert_ok(context, ossai_sparse_solve(system, 1, x));
	ossai_sparse_end(system);
	test_context_end(context);
}

static void bad_patterns_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_sparse *system;
	static const uint32_t start[] = {0, 2, 3}, no_diagonal[] = {1, 1, 1}, falls[] = {0, 0, 1}, outside[] = {0, 2, 1};
	const uint32_t *bad[] = {no_diagonal, falls, outside};
	for (size_t i = 0; i < 3; i++) {
		const ossai_sparse_pattern pattern = {2, start, bad[i]};
		assert_fails(context, ossai_sparse_analyse(context, &pattern, &system), OSSA_ERROR_ARGUMENT, "sparse pattern");
		assert_null(system);
	}
	test_context_end(context);
}

/* what the library takes by itself counts as the context's, and what would be too much is not
   taken */
static void memory_of_the_library_is_counted(void **state)
{
	(void)state;
	enum { N = 3000 };
	static uint32_t start[N + 1], row[2 * N];
	static double value[2 * N];
	for (uint32_t j = 0; j < N; j++) {
		start[j] = 2 * j;
		row[2 * j] = j;
		row[2 * j + 1] = j + 1;
		value[2 * j] = 3;
		value[2 * j + 1] = -1;
	}
	start[N] = 2 * N - 1;
	ossa_context_options options = ossa_context_default();
	ossa_context *context;
	ossai_sparse *system;
	options.memory_limit = 200000;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	const ossai_sparse_pattern pattern = {N, start, row};
	assert_fails(context, ossai_sparse_analyse(context, &pattern, &system), OSSA_ERROR_LIMIT, "memory limit");
	ossai_sparse_end(system);
	test_context_end(context);
	context = test_context(1);
	assert_ok(context, ossai_sparse_analyse(context, &pattern, &system));
	assert_ok(context, ossai_sparse_factorise(system, value));
	/* the factor, which has the entries of the matrix at least, counts as the context's */
	assert_true(ossa_context_bytes(context) > 12 * start[N]);
	ossai_sparse_end(system);
	test_context_end(context);
}

static ossa_status solve_once(ossa_context *context, void *arg)
{
	const random_system *s = arg;
	const ossai_sparse_pattern pattern = pattern_of(s);
	double x[MOST * W] = {1};
	ossai_sparse *system;
	ossa_status status = ossai_sparse_analyse(context, &pattern, &system);
	if (status == OSSA_OK) status = ossai_sparse_factorise(system, s->value);
	if (status == OSSA_OK) status = ossai_sparse_solve(system, 1, x);
	ossai_sparse_end(system);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	uint64_t random = 11;
	static random_system s;
	make_pattern(&random, 30, 0.2, &s);
	make_values(&random, &s);
	test_allocation_sweep(solve_once, &s, 100, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(solutions_are_those_of_a_dense_solver),
		cmocka_unit_test(what_is_not_positive_definite_is_refused),
		cmocka_unit_test(bad_patterns_are_refused),
		cmocka_unit_test(memory_of_the_library_is_counted),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
