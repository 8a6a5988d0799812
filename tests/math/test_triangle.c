/* tests/math/test_triangle.c: nearest points of triangles against a search over many of their
   points, degenerate ones, too. */
#include "math/triangle.h"
#include "support/support.h"
#include "support/surfaces.h"

enum { PARTS = 60 };

static ossai_vec3 point_of(const ossai_vec3 corner[3], const double share[3])
{
	const ossai_vec3 p = ossai_madd(ossai_scale(corner[0], share[0]), share[1], corner[1]);
	return ossai_madd(p, share[2], corner[2]);
}

static double sampled_distance(const ossai_vec3 corner[3], ossai_vec3 p)
{
	double least = INFINITY;
	for (int i = 0; i <= PARTS; i++) {
		for (int k = 0; k + i <= PARTS; k++) {
			const double share[3] = {(double)i / PARTS, (double)k / PARTS, (double)(PARTS - i - k) / PARTS};
			least = fmin(least, ossai_distance(p, point_of(corner, share)));
		}
	}
	return least;
}

static void check(const ossai_vec3 corner[3], ossai_vec3 p, double spacing)
{
	double share[3];
	const ossai_vec3 nearest = ossai_nearest_on_triangle(corner, p, share);
	const double distance = ossai_distance(nearest, p), sampled = sampled_distance(corner, p);
	assert_true(distance <= sampled + 1e-9 && distance >= sampled - spacing);
	assert_near(share[0] + share[1] + share[2], 1, 1e-12);
	for (int k = 0; k < 3; k++) assert_true(share[k] > -1e-9);
	assert_near_vec3(point_of(corner, share), nearest, 1e-9);
	/* the distance alone, from the point as the origin */
	const ossai_vec3 a = ossai_sub(corner[0], p), b = ossai_sub(corner[1], p), c = ossai_sub(corner[2], p);
	const ossai_vec3 normal = ossai_cross(ossai_sub(b, a), ossai_sub(c, a));
	assert_near(sqrt(ossai_triangle_distance2(a, b, c, normal, ossai_length2(normal))), distance, 1e-7);
}

static void nearest_points_are_those_of_a_search(void **state)
{
	(void)state;
	uint64_t random = 11;
	for (int i = 0; i < 300; i++) {
		ossai_vec3 corner[3];
		for (int k = 0; k < 3; k++) corner[k] = test_random_point(&random, 1);
		check(corner, test_random_point(&random, 2), 0.06);
		/* a point on it */
		check(corner, point_of(corner, (double[]){0.2, 0.3, 0.5}), 0.06);
	}
}

static void degenerate_triangles_are_segments_or_points(void **state)
{
	(void)state;
	const ossai_vec3 line[3] = {{0, 0, 0}, {1, 0, 0}, {0.4, 0, 0}}, point[3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
	const ossai_vec3 sliver[3] = {{0, 0, 0}, {1, 0, 0}, {0.5, 1e-9, 0}};
	const ossai_vec3 places[] = {{0.3, 1, 0}, {-1, 0.5, 0}, {2, 0, 1}, {0.7, 0, 0}};
	for (size_t i = 0; i < 4; i++) {
		check(line, places[i], 0.06);
		check(point, places[i], 0.06);
		check(sliver, places[i], 0.06);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nearest_points_are_those_of_a_search),
		cmocka_unit_test(degenerate_triangles_are_segments_or_points),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
