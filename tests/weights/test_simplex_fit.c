/* tests/weights/test_simplex_fit.c: one vertex's weights against all supports tried one by one,
   the elimination against solving from scratch. */
#include "weights/simplex_fit.h"

#include "support/support.h"
#include "support/surfaces.h"

#include <stdbool.h>
#include <string.h>

enum { MOST = 12 };

/* products of n random vectors of `rows` numbers: singular where rows < n; `tilt` makes them alike,
   as bones are */
static void make_gram(uint64_t *random, size_t n, size_t rows, double tilt, double *g)
{
	double r[MOST * 2 * MOST];
	for (size_t i = 0; i < n * rows; i++) r[i] = test_random(random) + tilt * (double)(i % rows % 3);
	for (size_t i = 0; i < n * n; i++) {
		g[i] = 0;
		for (size_t k = 0; k < rows; k++) g[i] += r[i / n * rows + k] * r[i % n * rows + k];
	}
}

static double trace(size_t n, const double *g)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++) sum += g[i * n + i];
	return sum;
}

static double cost(size_t n, const double *g, const double *a)
{
	double sum = 0;
	for (size_t i = 0; i < n * n; i++) sum += a[i / n] * g[i] * a[i % n];
	return sum;
}

/* (G_S + ridge) y = 1 by elimination with pivots, a = y / sum y: the optimum with the equality
   alone; 0 outside S */
static void solve_support(size_t n, const double *g, double ridge, unsigned support, double *a)
{
	size_t index[MOST], m = 0;
	double w[MOST][MOST + 1], sum = 0;
	for (size_t i = 0; i < n; i++) {
		if (support >> i & 1) index[m++] = i;
	}
	for (size_t i = 0; i < m; i++) {
		for (size_t j = 0; j < m; j++) w[i][j] = g[index[i] * n + index[j]] + (i == j ? ridge : 0);
		w[i][m] = 1;
	}
	for (size_t p = 0; p < m; p++) {
		size_t best = p;
		for (size_t i = p + 1; i < m; i++) best = fabs(w[i][p]) > fabs(w[best][p]) ? i : best;
		for (size_t j = 0; j <= m; j++) {
			const double swap = w[p][j];
			w[p][j] = w[best][j];
			w[best][j] = swap;
		}
		for (size_t i = 0; i < m; i++) {
			const double factor = i == p ? 0 : w[i][p] / w[p][p];
			for (size_t j = p; j <= m; j++) w[i][j] -= factor * w[p][j];
		}
	}
	memset(a, 0, n * sizeof *a);
	for (size_t i = 0; i < m; i++) sum += a[index[i]] = w[i][m] / w[i][i];
	for (size_t i = 0; i < n; i++) a[i] /= sum;
}

/* the least cost of all supports of at most `most` bones */
static double enumerate(size_t n, const double *g, size_t most)
{
	double best = INFINITY;
	for (unsigned support = 1; support < 1u << n; support++) {
		double a[MOST];
		size_t count = 0;
		bool inside = true;
		for (size_t i = 0; i < n; i++) count += support >> i & 1;
		if (count > most) continue;
		solve_support(n, g, 1e-10 * trace(n, g) / (double)n, support, a);
		for (size_t i = 0; i < n; i++) inside = inside && a[i] >= 0;
		if (inside) best = fmin(best, cost(n, g, a));
	}
	return best;
}

static void assert_on_simplex(size_t n, const double *a, size_t most)
{
	double sum = 0;
	size_t count = 0;
	for (size_t i = 0; i < n; i++) {
		assert_true(a[i] >= 0);
		sum += a[i];
		count += a[i] > 0;
	}
	assert_near(sum, 1, 1e-12);
	assert_in_range(count, 1, most);
}

/* a start: none, or any weights */
static void make_start(uint64_t *random, size_t n, bool none, double *a)
{
	for (size_t i = 0; i < n; i++) a[i] = none ? 0 : fmax(test_random(random), 0);
}

static void fit_without_a_limit_is_the_optimum(void **state)
{
	(void)state;
	uint64_t random = 11;
	for (size_t i = 0; i < 4000; i++) {
		const size_t n = 1 + i % 6, rows = 1 + i / 6 % 9;
		double g[MOST * MOST], a[MOST];
		make_gram(&random, n, rows, i % 4 * 0.7, g);
		make_start(&random, n, i % 3 == 0, a);
		const double best = enumerate(n, g, n), fitted = ossai_simplex_fit(n, g, n, a);
		assert_on_simplex(n, a, n);
		assert_near(fitted, cost(n, g, a), 1e-12 * trace(n, g));
		/* where G is singular the optimum is 0 and the ridge is all there is */
		assert_true(fitted <= best * (1 + 1e-6) + 1e-9 * trace(n, g));
	}
}

/* random systems of 3 to 8 bones brought to at most 1 to 4: how often and how far the fit ends
   above the best support */
typedef struct misses {
	size_t count, missed;
	double sum, worst;
} misses;

static misses count_misses(uint64_t seed, size_t begin_rows, size_t most_of_rows)
{
	misses m = {0};
	for (size_t most = 1; most <= 4; most++) {
		for (size_t n = most + 1; n <= 8; n++) {
			for (size_t i = 0; i < 60; i++) {
				double g[MOST * MOST], a[MOST] = {0};
				make_gram(&seed, n, begin_rows + i % most_of_rows, i % 4 * 0.7, g);
				const double best = enumerate(n, g, most), fitted = ossai_simplex_fit(n, g, most, a);
				assert_on_simplex(n, a, most);
				assert_true(fitted >= best - 1e-9 * trace(n, g));
				const double above = fmax(fitted - best, 0) / (best + 1e-9 * trace(n, g));
				m.count++;
				m.missed += above > 1e-6;
				m.sum += above;
				m.worst = fmax(m.worst, above);
			}
		}
	}
	return m;
}

/* Bones are taken away one by one, which may end above the best support of all: in 65 of 1000 of
   these systems, 1.5 % above in the mean of all, 2.5 times the least error at the worst. */
static void fit_to_few_bones_is_close_to_the_best_support(void **state)
{
	(void)state;
	const misses many_poses = count_misses(12, 12, 12);
	assert_true(many_poses.missed * 10 < many_poses.count);
	assert_true(many_poses.sum < 0.03 * (double)many_poses.count && many_poses.worst < 3);
	/* one or two poses: supports that are exact exist, and 81 of 1000 times they are missed */
	const misses few_poses = count_misses(13, 3, 4);
	assert_true(few_poses.missed * 5 < few_poses.count);
}

/* the least cost of the subsets of a support, which becomes the best of them */
static double best_within(size_t n, const double *g, unsigned *support)
{
	double best = INFINITY;
	const unsigned all = *support;
	for (unsigned tried = all; tried > 0; tried = (tried - 1) & all) {
		double a[MOST];
		bool inside = true;
		solve_support(n, g, 1e-10 * trace(n, g) / (double)n, tried, a);
		for (size_t i = 0; i < n; i++) inside = inside && a[i] >= 0;
		if (!inside || !(cost(n, g, a) < best)) continue;
		best = cost(n, g, a);
		*support = tried;
	}
	return best;
}

/* every bone taken out in turn, the cheapest for good, until `most` are left */
static double plain_removals(size_t n, const double *g, size_t most)
{
	unsigned support = (1u << n) - 1;
	double best = best_within(n, g, &support);
	while ((size_t)__builtin_popcount(support) > most) {
		unsigned kept = 0;
		best = INFINITY;
		for (size_t out = 0; out < n; out++) {
			unsigned left = support & ~(1u << out);
			if (left == support) continue;
			const double value = best_within(n, g, &left);
			if (value < best) kept = left;
			best = fmin(best, value);
		}
		support = kept;
	}
	return best;
}

/* the bounds leave none out that would be the cheapest */
static void the_cheapest_bone_goes(void **state)
{
	(void)state;
	uint64_t random = 15;
	for (size_t most = 1; most <= 4; most++) {
		for (size_t n = most + 1; n <= 7; n++) {
			for (size_t i = 0; i < 40; i++) {
				double g[MOST * MOST], a[MOST] = {0};
				make_gram(&random, n, 12 + i % 12, i % 4 * 0.7, g);
				const double plain = plain_removals(n, g, most), fitted = ossai_simplex_fit(n, g, most, a);
				assert_near(fitted, plain, 1e-9 * trace(n, g));
			}
		}
	}
}

/* ---- the published elimination ---- */

static void plain_elimination(size_t n, const double *g, size_t most, double *a)
{
	const double ridge = 1e-8 * trace(n, g) / (double)n;
	unsigned support = (1u << n) - 1;
	for (size_t left = n;; left--) {
		solve_support(n, g, ridge, support, a);
		size_t out = n;
		for (size_t i = 0; i < n; i++) {
			if (support >> i & 1 && (out == n || a[i] < a[out])) out = i;
		}
		if (left == 1 || (a[out] >= 0 && left <= most)) return;
		support &= ~(1u << out);
	}
}

static void elimination_is_the_plain_one(void **state)
{
	(void)state;
	uint64_t random = 13;
	for (size_t i = 0; i < 3000; i++) {
		const size_t n = 1 + i % MOST, rows = n + i % 7, most = 1 + i / 36 % 5;
		double g[MOST * MOST], h[MOST * MOST + MOST], a[MOST], plain[MOST];
		make_gram(&random, n, rows, i % 4 * 0.7, g);
		plain_elimination(n, g, most, plain);
		const double error = ossai_simplex_eliminate(n, g, most, h, a);
		assert_on_simplex(n, a, most);
		assert_near(error, cost(n, g, a), 1e-12 * trace(n, g));
		for (size_t j = 0; j < n; j++) assert_near(a[j], plain[j], 1e-5);
	}
}

static void elimination_of_a_singular_system_stays_on_the_simplex(void **state)
{
	(void)state;
	uint64_t random = 14;
	for (size_t i = 0; i < 3000; i++) {
		const size_t n = 2 + i % (MOST - 1), rows = 1 + i % n, most = 1 + i / 36 % 5;
		double g[MOST * MOST], h[MOST * MOST + MOST], a[MOST];
		make_gram(&random, n, rows, i % 4 * 0.7, g);
		ossai_simplex_eliminate(n, g, most, h, a);
		assert_on_simplex(n, a, most);
	}
}

static void bones_that_fit_exactly_get_the_weight(void **state)
{
	(void)state;
	/* all zero: every blend is exact; then one bone that is exact beside two that are not */
	double g[9] = {0}, h[12], a[3] = {0};
	assert_true(ossai_simplex_fit(3, g, 2, a) == 0);
	assert_on_simplex(3, a, 2);
	assert_true(ossai_simplex_eliminate(3, g, 2, h, a) == 0);
	assert_on_simplex(3, a, 2);
	const double one[9] = {1, 0, 0.5, 0, 0, 0, 0.5, 0, 2};
	memset(a, 0, sizeof a);
	assert_true(ossai_simplex_fit(3, one, 3, a) < 1e-12);
	assert_true(a[1] > 1 - 1e-6);
}

static void equal_bones_share_evenly(void **state)
{
	(void)state;
	const double g[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
	double a[3] = {0}, h[12];
	ossai_simplex_eliminate(3, g, 3, h, a);
	for (int i = 0; i < 3; i++) assert_near(a[i], 1.0 / 3, 1e-6);
	assert_near(ossai_simplex_fit(3, g, 3, a), 1, 1e-9);
	assert_on_simplex(3, a, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fit_without_a_limit_is_the_optimum),
		cmocka_unit_test(fit_to_few_bones_is_close_to_the_best_support),
		cmocka_unit_test(the_cheapest_bone_goes),
		cmocka_unit_test(elimination_is_the_plain_one),
		cmocka_unit_test(elimination_of_a_singular_system_stays_on_the_simplex),
		cmocka_unit_test(bones_that_fit_exactly_get_the_weight),
		cmocka_unit_test(equal_bones_share_evenly),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
