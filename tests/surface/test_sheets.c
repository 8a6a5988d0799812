/* tests/surface/test_sheets.c: what is a sheet, just below and just above each threshold. */
#include "support/support.h"
#include "support/surfaces.h"
#include "surface/sheets.h"

enum { MOST_RECTANGLES = 5 };

/* rectangles at a height, each of four triangles around its center, so that its corners count
   alike */
typedef struct plates {
	uint32_t count;
	float positions[15 * MOST_RECTANGLES];
	uint32_t triangles[12 * MOST_RECTANGLES];
} plates;

static void put(plates *p, double left, double right, double low, double high, double z, bool is_flipped)
{
	const double x[5] = {left, right, right, left, (left + right) / 2}, y[5] = {low, low, high, high, (low + high) / 2};
	const uint32_t first = 5 * p->count;
	for (uint32_t i = 0; i < 5; i++) {
		float *to = p->positions + 3 * (first + i);
		to[0] = (float)x[i];
		to[1] = (float)y[i];
		to[2] = (float)z;
	}
	for (uint32_t i = 0; i < 4; i++) {
		uint32_t *to = p->triangles + 12 * p->count + 3 * i;
		to[0] = first + (is_flipped ? (i + 1) % 4 : i);
		to[1] = first + (is_flipped ? i : (i + 1) % 4);
		to[2] = first + 4;
	}
	p->count++;
}

static bool is_sheet(const plates *p)
{
	test_surface t = test_surface_make(1, 5 * p->count, p->positions, 4 * p->count, p->triangles, 1, NULL);
	uint32_t faces[4 * MOST_RECTANGLES];
	bool is = false;
	for (uint32_t f = 0; f < 4 * p->count; f++) faces[f] = f;
	assert_ok(t.context, ossai_is_sheet(&t.arena, &t.s, 4 * p->count, faces, &is));
	test_surface_end(&t);
	return is;
}

static bool is_strip(double width)
{
	plates p = {.count = 0};
	put(&p, 0, 1, 0, width, 0, false);
	return !is_sheet(&p);
}

static bool is_thick(double height)
{
	plates p = {.count = 0};
	put(&p, 0, 1, 0, 1, 0, true);
	put(&p, 0, 1, 0, 1, height, false);
	return !is_sheet(&p);
}

/* a plus of a unit square, as wide as this */
static bool has_limbs(double width)
{
	const double low = (1 - width) / 2, high = (1 + width) / 2;
	plates p = {.count = 0};
	put(&p, low, high, low, high, 0, false);
	put(&p, 0, low, low, high, 0, false);
	put(&p, high, 1, low, high, 0, false);
	put(&p, low, high, 0, low, 0, false);
	put(&p, low, high, high, 1, 0, false);
	return !is_sheet(&p);
}

static void a_sheet_is_no_strip(void **state)
{
	(void)state;
	assert_true(is_strip(0.2499));
	assert_false(is_strip(0.2501));
	assert_false(is_strip(1));
}

/* a corner is at 1 / 2 along the length, with two thirds of the weight, and at half of the height
   with all of it */
static void a_sheet_is_thin(void **state)
{
	(void)state;
	const double limit = 0.03 * sqrt(2.0 / 3);
	assert_false(is_thick(0.999 * limit));
	assert_true(is_thick(1.001 * limit));
}

/* of the plus 1 - q is covered, and of its hull 1 - q / 2 is, where q = (1 - width)^2: 0.65 at q =
   0.35 / 0.675 */
static void a_sheet_fills_its_hull(void **state)
{
	(void)state;
	const double limit = 1 - sqrt(0.35 / 0.675);
	assert_true(has_limbs(0.999 * limit));
	assert_false(has_limbs(1.001 * limit));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sheet_is_no_strip),
		cmocka_unit_test(a_sheet_is_thin),
		cmocka_unit_test(a_sheet_fills_its_hull),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
