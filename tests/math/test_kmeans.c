/* tests/math/test_kmeans.c: clusters of points against the best of all partitions, and
   invariances. */
#include "math/kmeans.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double spread_of(size_t count, size_t dimension, const double *points, size_t groups, const uint32_t *group)
{
	double spread = 0;
	for (size_t g = 0; g < groups; g++) {
		for (size_t d = 0; d < dimension; d++) {
			double sum = 0, square = 0, size = 0;
			for (size_t i = 0; i < count; i++) {
				if (group[i] != g) continue;
				sum += points[i * dimension + d];
				square += points[i * dimension + d] * points[i * dimension + d];
				size++;
			}
			if (size > 0) spread += square - sum * sum / size;
		}
	}
	return spread;
}

static double group(
	ossa_context *context, size_t count, size_t dimension, const double *points, size_t groups, uint32_t *of_point)
{
	size_t made;
	double spread;
	assert_ok(context, ossai_kmeans(context, count, dimension, points, groups, of_point, &made, &spread));
	uint32_t seen = 0;
	for (size_t i = 0; i < count; i++) {
		assert_true(of_point[i] <= seen);
		seen += of_point[i] == seen;
	}
	assert_int_equal(seen, made);
	assert_true(made <= groups);
	return spread;
}

static void few_points_are_grouped_as_well_as_by_trying_all(void **state)
{
	(void)state;
	enum { COUNT = 9, GROUPS = 3, ASSIGNMENTS = 19683 };
	ossa_context *context = test_context(1);
	for (uint64_t seed = 1; seed <= 12; seed++) {
		double points[2 * COUNT], best = INFINITY;
		uint64_t random = seed;
		for (size_t i = 0; i < 2 * COUNT; i++) points[i] = test_random(&random);
		for (size_t assignment = 0; assignment < ASSIGNMENTS; assignment++) {
			uint32_t of_point[COUNT];
			for (size_t i = 0, rest = assignment; i < COUNT; i++, rest /= GROUPS) of_point[i] = (uint32_t)(rest % GROUPS);
			best = fmin(best, spread_of(COUNT, 2, points, GROUPS, of_point));
		}
		uint32_t of_point[COUNT];
		const double spread = group(context, COUNT, 2, points, GROUPS, of_point);
		assert_near(spread, spread_of(COUNT, 2, points, GROUPS, of_point), 1e-12);
		assert_true(spread >= best - 1e-12 && spread <= best * 1.01);
	}
	test_context_end(context);
}

static void make_clouds(size_t count, size_t dimension, size_t clouds, double *points)
{
	uint64_t random = 5;
	for (size_t i = 0; i < count * dimension; i++) {
		points[i] = 0.1 * test_random(&random) + (i % dimension == i / dimension % clouds ? 1 : 0);
	}
}

/* So many that means are compared first and distances are abandoned half-way: points overlap, and
   still each belongs to the nearest mean. */
static void many_points_go_to_the_nearest_mean(void **state)
{
	(void)state;
	enum { COUNT = 900, GROUPS = 200, DIMENSION = 200 };
	ossa_context *context = test_context(1);
	double *points = malloc(sizeof(double) * COUNT * DIMENSION), *mean = calloc(GROUPS * DIMENSION, sizeof(double));
	uint32_t of_point[COUNT];
	double size[GROUPS] = {0};
	uint64_t random = 11;
	/* wide along some axes, so that most means are far from a point, and few too near to tell at
	   once */
	for (size_t i = 0; i < COUNT * DIMENSION; i++) points[i] = test_random(&random) * (i % DIMENSION < 6 ? 1 : 0.02);
	const double spread = group(context, COUNT, DIMENSION, points, GROUPS, of_point);
	assert_near(spread / spread_of(COUNT, DIMENSION, points, GROUPS, of_point), 1, 1e-9);
	for (size_t i = 0; i < COUNT; i++) {
		size[of_point[i]]++;
		for (size_t d = 0; d < DIMENSION; d++) mean[of_point[i] * DIMENSION + d] += points[i * DIMENSION + d];
	}
	for (size_t i = 0; i < COUNT; i++) {
		double own = 0, least = INFINITY;
		for (size_t g = 0; g < GROUPS; g++) {
			double square = 0;
			for (size_t d = 0; size[g] > 0 && d < DIMENSION; d++) {
				const double apart = points[i * DIMENSION + d] - mean[g * DIMENSION + d] / size[g];
				square += apart * apart;
			}
			if (g == of_point[i]) own = square;
			if (size[g] > 0) least = fmin(least, square);
		}
		assert_true(own <= least * (1 + 1e-9));
	}
	free(points);
	free(mean);
	test_context_end(context);
}

static void clouds_are_found_whatever_the_axes(void **state)
{
	(void)state;
	enum { COUNT = 120, CLOUDS = 8 };
	ossa_context *context = test_context(1);
	double points[COUNT * CLOUDS], turned[COUNT * CLOUDS];
	uint32_t a[COUNT], b[COUNT];
	make_clouds(COUNT, CLOUDS, CLOUDS, points);
	group(context, COUNT, CLOUDS, points, CLOUDS, a);
	for (size_t i = 0; i < COUNT; i++) assert_int_equal(a[i], i % CLOUDS);
	/* one axis reversed, two turned into each other */
	memcpy(turned, points, sizeof points);
	for (size_t i = 0; i < COUNT; i++) {
		double *p = turned + i * CLOUDS;
		const double x = p[1], y = p[2];
		p[0] = -p[0];
		p[1] = 0.6 * x - 0.8 * y;
		p[2] = 0.8 * x + 0.6 * y;
	}
	group(context, COUNT, CLOUDS, turned, CLOUDS, b);
	assert_memory_equal(a, b, sizeof a);
	test_context_end(context);
}

static void equal_points_make_fewer_groups(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const double points[] = {1, 1, 1, 2, 2, 1, 2};
	uint32_t of_point[7];
	const uint32_t expected[7] = {0, 0, 0, 1, 1, 0, 1};
	assert_true(group(context, 7, 1, points, 4, of_point) == 0);
	assert_memory_equal(of_point, expected, sizeof expected);
	assert_true(group(context, 7, 1, points, 1, of_point) > 0);
	for (int i = 0; i < 7; i++) assert_int_equal(of_point[i], 0);
	assert_true(group(context, 2, 1, points, 9, of_point) == 0);
	test_context_end(context);
}

static void same_groups_for_any_threads(void **state)
{
	(void)state;
	enum { COUNT = 300, DIMENSION = 12 };
	static double points[COUNT * DIMENSION];
	static uint32_t groups[3][COUNT];
	uint64_t random = 7;
	for (size_t i = 0; i < COUNT * DIMENSION; i++) points[i] = test_random(&random);
	for (int threads = 1; threads <= 3; threads++) {
		ossa_context *context = test_context(threads);
		group(context, COUNT, DIMENSION, points, 20, groups[threads - 1]);
		assert_memory_equal(groups[0], groups[threads - 1], sizeof groups[0]);
		test_context_end(context);
	}
}

static ossa_status group_in_sweep(ossa_context *context, void *arg)
{
	uint32_t of_point[30];
	size_t made;
	double spread;
	return ossai_kmeans(context, 30, 2, arg, 4, of_point, &made, &spread);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	double points[60];
	make_clouds(30, 2, 2, points);
	test_allocation_sweep(group_in_sweep, points, 200, 1);
}

/* so many that there is one start: pairs of points far from each other are found all the same */
static void hundreds_of_small_groups_are_found(void **state)
{
	(void)state;
	enum { GROUPS = 500, COUNT = 2 * GROUPS };
	ossa_context *context = test_context(1);
	double *points = calloc((size_t)COUNT * GROUPS, sizeof *points);
	uint32_t *of_point = calloc(COUNT, sizeof *of_point);
	uint64_t random = 5;
	for (size_t i = 0; i < COUNT; i++) {
		points[i * GROUPS + i % GROUPS] = 1;
		for (size_t d = 0; d < GROUPS; d++) points[i * GROUPS + d] += 0.01 * test_random(&random);
	}
	const double spread = group(context, COUNT, GROUPS, points, GROUPS, of_point);
	for (size_t i = 0; i < COUNT; i++) assert_int_equal(of_point[i], i % GROUPS);
	assert_true(spread < 0.02 * COUNT);
	free(points);
	free(of_point);
	test_context_end(context);
}

static bool stop_after(void *left, const char *stage, double fraction)
{
	(void)stage;
	(void)fraction;
	return --*(int *)left > 0;
}

static void every_round_can_be_the_last(void **state)
{
	(void)state;
	enum { COUNT = 300, GROUPS = 12 };
	double points[3 * COUNT];
	uint32_t wanted[COUNT], of_point[COUNT];
	uint64_t random = 7;
	for (size_t i = 0; i < 3 * COUNT; i++) points[i] = test_random(&random);
	ossa_context *plain = test_context(1);
	const double best = group(plain, COUNT, 3, points, GROUPS, wanted);
	test_context_end(plain);
	int rounds = 0;
	for (ossa_status status = OSSA_ERROR_CANCELLED; status != OSSA_OK;) {
		int left = ++rounds;
		size_t made;
		double spread;
		ossa_context_options options = ossa_context_default();
		options.progress = stop_after;
		options.progress_user = &left;
		options.threads = 1;
		ossa_context *context;
		assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
		status = ossai_kmeans(context, COUNT, 3, points, GROUPS, of_point, &made, &spread);
		assert_int_equal(status, left > 0 ? OSSA_OK : OSSA_ERROR_CANCELLED);
		if (status == OSSA_OK) assert_true(spread == best && memcmp(wanted, of_point, sizeof wanted) == 0);
		test_context_end(context);
	}
	assert_true(rounds > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_points_are_grouped_as_well_as_by_trying_all),
		cmocka_unit_test(many_points_go_to_the_nearest_mean),
		cmocka_unit_test(clouds_are_found_whatever_the_axes),
		cmocka_unit_test(equal_points_make_fewer_groups),
		cmocka_unit_test(hundreds_of_small_groups_are_found),
		cmocka_unit_test(same_groups_for_any_threads),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(every_round_can_be_the_last),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
