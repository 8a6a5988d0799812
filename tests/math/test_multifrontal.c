/* tests/math/test_multifrontal.c: multifrontal factors against dense solutions, and what has
   none. */
#include "math/cholesky.h"
#include "math/multifrontal.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <string.h>

enum { MOST = 400, W = OSSAI_MULTIFRONTAL_WIDTH };

/* a symmetric matrix, diagonally dominant, as a lower triangle and in full */
typedef struct test_system {
	size_t n, entries;
	uint32_t start[MOST + 1], row[MOST * MOST];
	double value[MOST * MOST], dense[MOST * MOST];
} test_system;

typedef bool joined(size_t i, size_t j, uint64_t *random);

static bool at_random(size_t i, size_t j, uint64_t *random)
{
	(void)i;
	(void)j;
	return fabs(test_random(random)) < 0.06;
}

/* a grid of 20 columns, as far as two squares */
static bool on_a_grid(size_t i, size_t j, uint64_t *random)
{
	(void)random;
	const size_t across = i % 20 > j % 20 ? i % 20 - j % 20 : j % 20 - i % 20;
	return across <= 2 && i / 20 - j / 20 <= 2;
}

static bool as_a_star(size_t i, size_t j, uint64_t *random)
{
	(void)i;
	(void)random;
	return j == 0;
}

static bool to_the_next(size_t i, size_t j, uint64_t *random)
{
	(void)random;
	return i == j + 1;
}

static bool never(size_t i, size_t j, uint64_t *random)
{
	(void)i;
	(void)j;
	(void)random;
	return false;
}

static bool always(size_t i, size_t j, uint64_t *random)
{
	(void)i;
	(void)j;
	(void)random;
	return true;
}

static void make_system(uint64_t *random, size_t n, joined *is_joined, test_system *s)
{
	s->n = n;
	s->entries = 0;
	memset(s->dense, 0, sizeof s->dense);
	for (uint32_t j = 0; j < n; j++) {
		s->start[j] = (uint32_t)s->entries;
		s->row[s->entries++] = j;
		for (uint32_t i = j + 1; i < n; i++) {
			if (!is_joined(i, j, random)) continue;
			const double x = s->value[s->entries] = test_random(random);
			s->row[s->entries++] = i;
			s->dense[i * n + j] = s->dense[j * n + i] = x;
			s->dense[i * n + i] += fabs(x);
			s->dense[j * n + j] += fabs(x);
		}
	}
	s->start[n] = (uint32_t)s->entries;
	for (size_t j = 0; j < n; j++) s->value[s->start[j]] = s->dense[j * n + j] += 0.1;
}

static void check_solutions(uint64_t *random, const test_system *s, ossai_multifrontal *system)
{
	static double x[MOST * W], b[MOST * W], a[MOST * MOST], y[MOST];
	for (size_t i = 0; i < s->n * W; i++) b[i] = x[i] = test_random(random);
	ossai_multifrontal_solve(system, x);
	for (size_t side = 0; side < W; side++) {
		memcpy(a, s->dense, s->n * s->n * sizeof *a);
		for (size_t i = 0; i < s->n; i++) y[i] = b[i * W + side];
		assert_true(ossai_cholesky_solve(s->n, a, y));
		for (size_t i = 0; i < s->n; i++) assert_near(y[i], x[i * W + side], 1e-10);
	}
}

static void solutions_are_those_of_a_dense_solver(void **state)
{
	(void)state;
	joined *const shapes[] = {at_random, on_a_grid, as_a_star, to_the_next, never, always};
	ossa_context *context = test_context(1);
	uint64_t random = 11;
	static test_system s;
	for (size_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++) {
		for (size_t n = 1; n <= MOST; n = n * 3 + 1) {
			ossai_arena arena = ossai_arena_begin(context);
			ossai_multifrontal system;
			make_system(&random, n, shapes[shape], &s);
			assert_ok(context, ossai_multifrontal_make(&arena, &(ossai_sparse_pattern){n, s.start, s.row}, &system));
			/* the same values twice: nothing is left of the first factorization */
			const double growth = ossai_multifrontal_factorise(&system, s.value);
			assert_true(growth >= 1 && growth < 1000);
			assert_true(growth == ossai_multifrontal_factorise(&system, s.value));
			check_solutions(&random, &s, &system);
			ossai_arena_end(&arena);
		}
	}
	test_context_end(context);
}

/* [1 1; 1 1 + e]: the second pivot is e, and the growth 1 / e */
static void growth_is_how_many_digits_are_lost(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	static const uint32_t start[] = {0, 2, 3}, row[] = {0, 1, 1};
	ossai_multifrontal system;
	assert_ok(context, ossai_multifrontal_make(&arena, &(ossai_sparse_pattern){2, start, row}, &system));
	for (double e = 1; e > 1e-12; e /= 8) {
		const double value[] = {1, 1, 1 + e};
		assert_near((1 + e) / e, ossai_multifrontal_factorise(&system, value), 1e-3 / e);
	}
	const double not_definite[] = {1, 1, 1}, not_finite[] = {1, NAN, 2};
	assert_true(isinf(ossai_multifrontal_factorise(&system, not_definite)));
	assert_true(isinf(ossai_multifrontal_factorise(&system, not_finite)));
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void bad_patterns_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	static const uint32_t start[] = {0, 2, 3}, outside[] = {0, 2, 1};
	ossai_multifrontal system;
	const ossai_sparse_pattern pattern = {2, start, outside};
	assert_fails(context, ossai_multifrontal_make(&arena, &pattern, &system), OSSA_ERROR_ARGUMENT, "sparse pattern");
	ossai_arena_end(&arena);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(solutions_are_those_of_a_dense_solver),
		cmocka_unit_test(growth_is_how_many_digits_are_lost),
		cmocka_unit_test(bad_patterns_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
