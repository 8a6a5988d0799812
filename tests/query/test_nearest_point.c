/* tests/query/test_nearest_point.c: nearest points against a search through all of them. */
#include "query/nearest_point.h"
#include "support/surfaces.h"
#include "support/support.h"

enum { MOST = 3000 };

/* the nearest by a search; of equally near ones the first */
static uint32_t search(size_t count, const double *points, const double *place)
{
	uint32_t best = 0;
	double best2 = INFINITY;
	for (uint32_t i = 0; i < count; i++) {
		const double *p = points + 3 * (size_t)i;
		const double x = p[0] - place[0], y = p[1] - place[1], z = p[2] - place[2], d2 = x * x + y * y + z * z;
		if (!(d2 < best2)) continue;
		best2 = d2;
		best = i;
	}
	return best;
}

static void check(int threads, size_t point_count, const double *points, size_t place_count, const double *places)
{
	static uint32_t nearest[MOST];
	ossa_context *context = test_context(threads);
	assert_ok(context, ossai_nearest_points(context, point_count, points, place_count, places, nearest));
	for (size_t i = 0; i < place_count; i++) assert_int_equal(nearest[i], search(point_count, points, places + 3 * i));
	test_context_end(context);
}

static void fill(size_t count, double *points, double reach, uint64_t seed)
{
	for (size_t i = 0; i < 3 * count; i++) points[i] = reach * test_random(&seed);
}

static void points_in_a_cube_and_places_far_around(void **state)
{
	(void)state;
	static double points[3 * MOST], places[3 * MOST];
	fill(MOST, points, 1, 1);
	for (int i = 0; i < 4; i++) {
		const double reach[] = {1, 1.5, 30, 1e6};
		fill(MOST / 4, places, reach[i], 2);
		check(1 + i, MOST, points, MOST / 4, places);
	}
}

/* the grids have cells in one layer, or one row */
static void points_in_a_plane_and_on_a_line(void **state)
{
	(void)state;
	static double points[3 * MOST], places[3 * MOST];
	fill(MOST, places, 1, 3);
	fill(MOST, points, 1, 4);
	for (size_t i = 0; i < MOST; i++) points[3 * i + 1] = 0.25;
	check(2, MOST, points, 500, places);
	for (size_t i = 0; i < MOST; i++) points[3 * i] = 7;
	check(2, MOST, points, 500, places);
}

/* a cluster and one distant point, with queries between: needs coarse grids */
static void clusters_far_apart(void **state)
{
	(void)state;
	static double points[3 * MOST], places[3 * MOST];
	fill(MOST, points, 1e-3, 5);
	points[0] = 1;
	points[3] = -2;
	for (size_t i = 0; i < 400; i++) {
		const double t = (double)i / 200 - 1;
		places[3 * i] = 1.5 * t;
		places[3 * i + 1] = 0.1 * t * t;
		places[3 * i + 2] = 0;
	}
	check(2, MOST, points, 400, places);
}

/* whole numbers: points half way between are equally near to two, four or eight */
static void of_equally_near_points_the_first(void **state)
{
	(void)state;
	enum { SIDE = 9 };
	double points[3 * SIDE * SIDE * SIDE], places[3 * 8 * 8 * 8];
	for (size_t i = 0; i < SIDE * SIDE * SIDE; i++) {
		/* numbered backwards along x, so that the first is not that of the first cell */
		points[3 * i] = SIDE - 1 - (double)(i % SIDE);
		points[3 * i + 1] = (double)(i / SIDE % SIDE);
		points[3 * i + 2] = (double)(i / SIDE / SIDE);
	}
	for (size_t i = 0; i < 8 * 8 * 8; i++) {
		places[3 * i] = (double)(i % 8) + 0.5;
		places[3 * i + 1] = (double)(i / 8 % 8) + (i % 2 ? 0.5 : 0);
		places[3 * i + 2] = (double)(i / 64) + (i % 3 ? 0.5 : 0);
	}
	check(1, SIDE * SIDE * SIDE, points, 8 * 8 * 8, places);
}

static void one_point_or_all_at_one_place(void **state)
{
	(void)state;
	const double points[] = {3, 3, 3, 3, 3, 3, 3, 3, 3}, places[] = {0, 0, 0, 3, 3, 3, -1e9, 5, 0};
	for (size_t count = 1; count <= 3; count++) check(1, count, points, 3, places);
	check(1, 1, points, 0, places);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_in_a_cube_and_places_far_around),
		cmocka_unit_test(points_in_a_plane_and_on_a_line),
		cmocka_unit_test(clusters_far_apart),
		cmocka_unit_test(of_equally_near_points_the_first),
		cmocka_unit_test(one_point_or_all_at_one_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
