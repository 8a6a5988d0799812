/* tests/test_inside.c: winding numbers: in, out, inverted, open, against the sum of arc tangents. */
#include "math/vec.h"
#include "support/support.h"
#include "surface/inside.h"

/* a cube from -1 to 1, faces outward */
static const float CUBE[] = {-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1, -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1};
static const uint32_t FACES[] = {
	0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};

static double winding_of(const float *positions, size_t faces, const uint32_t *triangles, double x, double y, double z)
{
	ossa_context *context = test_context(1);
	const double point[3] = {x, y, z};
	double number = NAN;
	ossai_winding_numbers(context, faces, triangles, positions, 1, point, &number);
	test_context_end(context);
	return number;
}

static void cube_is_one_inside_and_zero_outside(void **state)
{
	(void)state;
	const double inside[][3] = {{0, 0, 0}, {0.999, 0.999, 0.999}, {0.5, 0.5, 0.1}, {-0.3, 0.2, 0.9}};
	const double outside[][3] = {{1.001, 0, 0}, {5, 5, 5}, {0, -1.5, 0}, {0, 0, 1e9}, {-1, -1, -4}};
	for (int i = 0; i < 4; i++) {
		assert_true(fabs(winding_of(CUBE, 12, FACES, inside[i][0], inside[i][1], inside[i][2]) - 1) < 1e-12);
	}
	for (int i = 0; i < 5; i++) {
		assert_true(fabs(winding_of(CUBE, 12, FACES, outside[i][0], outside[i][1], outside[i][2])) < 1e-12);
	}
}

static void inverted_and_doubled_cubes_count(void **state)
{
	(void)state;
	uint32_t inverted[36], doubled[72];
	for (int i = 0; i < 36; i++) {
		inverted[i] = FACES[i - i % 3 + (3 - i % 3) % 3];
		doubled[i] = doubled[36 + i] = FACES[i];
	}
	assert_true(fabs(winding_of(CUBE, 12, inverted, 0.1, 0.2, 0.3) + 1) < 1e-12);
	assert_true(fabs(winding_of(CUBE, 24, doubled, 0.1, 0.2, 0.3) - 2) < 1e-12);
	assert_true(fabs(winding_of(CUBE, 24, doubled, 3, 0.2, 0.3)) < 1e-12);
}

static void open_and_degenerate_surfaces_are_fractions(void **state)
{
	(void)state;
	/* a cube without its two top faces has lost a sixth of the sphere around its center */
	uint32_t open[30];
	for (int i = 0; i < 6; i++) open[i] = FACES[i];
	for (int i = 6; i < 30; i++) open[i] = FACES[i + 6];
	assert_true(fabs(winding_of(CUBE, 10, open, 0, 0, 0) - 5.0 / 6) < 1e-12);
	assert_true(winding_of(CUBE, 0, FACES, 0, 0, 0) == 0);
	const uint32_t points[] = {0, 0, 0, 1, 2, 1};
	assert_true(winding_of(CUBE, 2, points, 0, 0.3, 0) == 0);
	/* the point on a corner, an edge, a face: a number between out and in */
	assert_true(isfinite(winding_of(CUBE, 12, FACES, -1, -1, -1)));
	assert_true(fabs(fabs(winding_of(CUBE, 12, FACES, 1, 0.25, 0)) - 0.5) < 0.5 + 1e-12);
}

/* half a solid angle of each face by its own arc tangent */
static double plain(const float *positions, size_t faces, const uint32_t *triangles, ossai_vec3 p)
{
	double sum = 0;
	for (size_t f = 0; f < faces; f++) {
		ossai_vec3 c[3];
		for (int k = 0; k < 3; k++) c[k] = ossai_sub(ossai_v3_of_float(positions + 3 * triangles[3 * f + k]), p);
		const double la = ossai_length(c[0]), lb = ossai_length(c[1]), lc = ossai_length(c[2]);
		sum += atan2(ossai_dot(c[0], ossai_cross(c[1], c[2])),
			la * lb * lc + ossai_dot(c[0], c[1]) * lc + ossai_dot(c[1], c[2]) * la + ossai_dot(c[2], c[0]) * lb);
	}
	return sum / (2 * OSSAI_PI);
}

static void random_soups_agree_with_arc_tangents(void **state)
{
	(void)state;
	enum { FACES_OF_SOUP = 60 };
	float positions[9 * FACES_OF_SOUP];
	uint32_t triangles[3 * FACES_OF_SOUP], seed = 7;
	for (uint32_t i = 0; i < 3 * FACES_OF_SOUP; i++) triangles[i] = i;
	for (int round = 0; round < 100; round++) {
		for (int i = 0; i < 9 * FACES_OF_SOUP; i++) {
			/* facing the origin more often than not, so that numbers grow large */
			positions[i] = (float)test_random_bits(&seed) / 16777216.0f - (i % 9 == i / 27 % 9 ? 0.9f : 0.4f);
		}
		const double found = winding_of(positions, FACES_OF_SOUP, triangles, 0.01, 0.02, 0.03);
		assert_true(fabs(found - plain(positions, FACES_OF_SOUP, triangles, ossai_v3(0.01, 0.02, 0.03))) < 1e-10);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cube_is_one_inside_and_zero_outside),
		cmocka_unit_test(inverted_and_doubled_cubes_count),
		cmocka_unit_test(open_and_degenerate_surfaces_are_fractions),
		cmocka_unit_test(random_soups_agree_with_arc_tangents),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
