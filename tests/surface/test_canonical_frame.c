/* tests/surface/test_canonical_frame.c: canonical axes, directions and order of a shape, under
   rotation, mirroring and renumbering. */
#include "support/support.h"
#include "surface/canonical_frame.h"

#include <stdlib.h>
#include <string.h>

/* a wedge: long along x, heavier where x is small, leaning to one side */
static const double wedge[] = {0, 0, 0, 6, 0.3, 0, 0, 3, 0, 0, 0.2, 1.5};
static const uint32_t faces[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
enum { POINTS = 4, FACES = 4 };

static void turning_changes_nothing_in_the_frame(void **state)
{
	(void)state;
	const ossai_canonical_frame frame = ossai_canonical_frame_of(wedge, FACES, faces);
	assert_near(fabs(ossai_mat3_det(&frame.axes)), 1, 1e-12);
	/* the longest axis is near x */
	assert_true(fabs(frame.axes.m[0][0]) > 0.8);
	const ossai_mat3 turn = ossai_quat_matrix(ossai_quat_exp(ossai_v3(2, 0.3, -1)));
	double turned[3 * POINTS];
	for (int i = 0; i < POINTS; i++) {
		const ossai_vec3 p = ossai_mat3_mul_v(&turn, ossai_v3_of(wedge + 3 * i));
		ossai_v3_store(ossai_add(p, ossai_v3(5, -7, 2)), turned + 3 * i);
	}
	const ossai_canonical_frame other = ossai_canonical_frame_of(turned, FACES, faces);
	for (int i = 0; i < POINTS; i++) {
		const ossai_vec3 a = ossai_to_canonical(&frame, ossai_v3_of(wedge + 3 * i));
		const ossai_vec3 b = ossai_to_canonical(&other, ossai_v3_of(turned + 3 * i));
		assert_near_vec3(a, b, 1e-9);
		assert_near_vec3(ossai_from_canonical(&other, b), ossai_v3_of(turned + 3 * i), 1e-9);
	}
}

static void the_frame_of_a_mirror_image_is_mirrored(void **state)
{
	(void)state;
	double mirrored[3 * POINTS];
	for (int i = 0; i < 3 * POINTS; i++) mirrored[i] = i % 3 == 0 ? -wedge[i] : wedge[i];
	const ossai_canonical_frame frame = ossai_canonical_frame_of(wedge, FACES, faces);
	const ossai_canonical_frame other = ossai_canonical_frame_of(mirrored, FACES, faces);
	assert_near(ossai_mat3_det(&frame.axes), -ossai_mat3_det(&other.axes), 1e-12);
	for (int i = 0; i < POINTS; i++) {
		const ossai_vec3 a = ossai_to_canonical(&frame, ossai_v3_of(wedge + 3 * i));
		const ossai_vec3 b = ossai_to_canonical(&other, ossai_v3_of(mirrored + 3 * i));
		assert_near_vec3(a, b, 1e-9);
	}
}

/* the moments of a triangle cut in four are those of the triangle */
static void finer_faces_change_nothing(void **state)
{
	(void)state;
	double points[3 * (POINTS + 3 * FACES)];
	uint32_t fine[3 * 4 * FACES];
	memcpy(points, wedge, sizeof wedge);
	for (uint32_t f = 0; f < FACES; f++) {
		const uint32_t *t = faces + 3 * (size_t)f, first = POINTS + 3 * f;
		for (uint32_t k = 0; k < 3; k++) {
			const ossai_vec3 a = ossai_v3_of(wedge + 3 * (size_t)t[k]), b = ossai_v3_of(wedge + 3 * (size_t)t[(k + 1) % 3]);
			ossai_v3_store(ossai_lerp(a, b, 0.5), points + 3 * (size_t)(first + k));
			const uint32_t corner[3] = {t[k], first + k, first + (k + 2) % 3};
			memcpy(fine + 12 * (size_t)f + 3 * (size_t)k, corner, sizeof corner);
		}
		const uint32_t middle[3] = {first, first + 1, first + 2};
		memcpy(fine + 12 * (size_t)f + 9, middle, sizeof middle);
	}
	const ossai_canonical_frame a = ossai_canonical_frame_of(wedge, FACES, faces),
								b = ossai_canonical_frame_of(points, 4 * FACES, fine);
	assert_near_vec3(a.center, b.center, 1e-12);
	for (int i = 0; i < 9; i++) assert_near(a.axes.m[i / 3][i % 3], b.axes.m[i / 3][i % 3], 1e-9);
}

static void what_has_no_area_keeps_the_axes_of_space(void **state)
{
	(void)state;
	const ossai_canonical_frame none = ossai_canonical_frame_of(wedge, 0, NULL);
	const uint32_t line[] = {0, 1, 1};
	const ossai_canonical_frame flat = ossai_canonical_frame_of(wedge, 1, line);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			assert_true(none.axes.m[i][j] == (i == j) && flat.axes.m[i][j] == (i == j));
		}
	}
}

static void points_come_by_place_then_by_index(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	const double points[] = {2, 0, 0, -1, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1};
	const uint32_t wanted[] = {1, 4, 3, 0, 2};
	uint32_t order[5];
	assert_ok(context, ossai_canonical_order(context, 5, points, order));
	assert_memory_equal(order, wanted, sizeof wanted);
	test_context_end(context);
}

typedef struct placed {
	double place;
	uint32_t index;
} placed;

static int compare_placed(const void *left, const void *right)
{
	const placed *a = left, *b = right;
	if (a->place != b->place) return a->place < b->place ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* numbers of all sizes and both signs, zeros of both signs and equal ones, as a plain sort has
   them */
static void the_order_is_that_of_a_plain_sort(void **state)
{
	(void)state;
	enum { COUNT = 3000 };
	ossa_context *context = test_context(1);
	double *points = ossa_alloc(context, COUNT, 3 * sizeof *points);
	placed *plain = ossa_alloc(context, COUNT, sizeof *plain);
	uint32_t *order = ossa_alloc(context, COUNT, sizeof *order), random = 7;
	assert_true(points && plain && order);
	for (uint32_t i = 0; i < COUNT; i++) {
		random = random * 1664525u + 1013904223u;
		const double size = ldexp(1, (int)(random >> 26) - 32), value = (double)((int)(random >> 8 & 0xff) - 128);
		points[3 * i] = i % 5 == 0 ? 0.0 * value : value * size;
		plain[i] = (placed){ossai_canonical_place(ossai_v3_of(points + 3 * i)), i};
	}
	qsort(plain, COUNT, sizeof *plain, compare_placed);
	assert_ok(context, ossai_canonical_order(context, COUNT, points, order));
	for (uint32_t i = 0; i < COUNT; i++) assert_int_equal(order[i], plain[i].index);
	ossa_free(context, points);
	ossa_free(context, plain);
	ossa_free(context, order);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(turning_changes_nothing_in_the_frame),
		cmocka_unit_test(the_frame_of_a_mirror_image_is_mirrored), cmocka_unit_test(finer_faces_change_nothing),
		cmocka_unit_test(what_has_no_area_keeps_the_axes_of_space), cmocka_unit_test(points_come_by_place_then_by_index),
		cmocka_unit_test(the_order_is_that_of_a_plain_sort)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
