/* tests/base/test_scan.c: checks of long arrays find a fault at every position, and no others. */
#include "base/scan.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* longer than a block of the scan, with a rest */
enum { COUNT = 4096 + 77 };

static void faults_are_found_at_every_place(void **state)
{
	(void)state;
	static float values[COUNT];
	static uint32_t indices[COUNT], starts[COUNT];
	for (uint32_t i = 0; i < COUNT; i++) {
		values[i] = (float)i / COUNT;
		indices[i] = i % 10;
		starts[i] = 3 * i;
	}
	assert_true(ossai_all_finite(values, COUNT) && ossai_all_within(values, COUNT, 0, 1));
	assert_true(ossai_all_below(indices, COUNT, 10, false) && ossai_all_rising(starts, COUNT, 3));
	for (size_t i = 0; i < COUNT; i++) {
		const float kept = values[i], bad[] = {INFINITY, -INFINITY, NAN};
		values[i] = bad[i % 3];
		assert_false(ossai_all_finite(values, COUNT));
		values[i] = (const float[]){NAN, 1.5F, -0.5F}[i % 3];
		assert_false(ossai_all_within(values, COUNT, 0, 1));
		values[i] = kept;
		const uint32_t index = indices[i];
		indices[i] = i % 2 ? 10 : UINT32_MAX;
		assert_false(ossai_all_below(indices, COUNT, 10, false));
		assert_true(ossai_all_below(indices, COUNT, 10, true) == (i % 2 == 0));
		indices[i] = index;
		const uint32_t start = starts[i];
		starts[i] = i % 2 ? start + 1 : start - 1;
		assert_false(ossai_all_rising(starts, COUNT, 3));
		starts[i] = start;
	}
}

static void ends_of_ranges_are_inside(void **state)
{
	(void)state;
	const float most[] = {3.40282347e38F, -3.40282347e38F, 0, -0.0F, 1e-45F};
	const uint32_t none[] = {UINT32_MAX, UINT32_MAX}, last[] = {UINT32_MAX - 1}, equal[] = {7, 7, 7}, falls[] = {5, 4};
	assert_true(ossai_all_finite(most, 5) && ossai_all_finite(NULL, 0));
	assert_true(ossai_all_within((float[]){0, 1, 0.5F}, 3, 0, 1));
	assert_true(ossai_all_below(none, 2, 0, true) && !ossai_all_below(none, 2, 0, false));
	assert_false(ossai_all_below((uint32_t[]){0}, 1, 0, true));
	assert_true(ossai_all_below(NULL, 0, 0, false));
	assert_true(ossai_all_below(last, 1, UINT32_MAX, false) && !ossai_all_below(last, 1, UINT32_MAX - 1, false));
	assert_true(ossai_all_rising(equal, 3, 0) && !ossai_all_rising(equal, 3, 1) && !ossai_all_rising(falls, 2, 0));
	assert_true(ossai_all_rising(equal, 1, 9) && ossai_all_rising(NULL, 0, 9));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faults_are_found_at_every_place),
		cmocka_unit_test(ends_of_ranges_are_inside),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
