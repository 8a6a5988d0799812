/* tests/batch/test_time_fit.c: how long the rest of a batch takes. */
#include "batch/time_fit.h"
#include "support/support.h"

#include <math.h>

enum { MB = 1000000 };

/* half a second and 0.1 s a MB */
static void time_is_a_line_of_the_size(void **state)
{
	(void)state;
	time_fit fit = {0};
	assert_true(isnan(batch_time_expected(&fit, 1, MB)));
	batch_time_add(&fit, 20 * MB, 2.5);
	/* by the size alone */
	assert_near(batch_time_expected(&fit, 5, 20 * MB), 2.5, 1e-9);
	batch_time_add(&fit, 10 * MB, 1.5);
	batch_time_add(&fit, 4 * MB, 0.9);
	assert_near(batch_time_expected(&fit, 3, 6 * MB), 3 * 0.5 + 6 * 0.1, 1e-9);
}

static void without_sizes_all_take_the_same(void **state)
{
	(void)state;
	time_fit fit = {0};
	batch_time_add(&fit, 0, 2);
	batch_time_add(&fit, 0, 4);
	assert_near(batch_time_expected(&fit, 2, 0), 6, 1e-9);
}

/* what is large was quick: by the mean; what is small took no time at all: by the size */
static void no_part_of_the_line_is_negative(void **state)
{
	(void)state;
	time_fit quick = {0}, steep = {0};
	batch_time_add(&quick, 3 * MB, 1);
	batch_time_add(&quick, 2 * MB, 3);
	assert_near(batch_time_expected(&quick, 1, MB), 2, 1e-9);
	batch_time_add(&steep, 3 * MB, 5);
	batch_time_add(&steep, 2 * MB, 0);
	assert_near(batch_time_expected(&steep, 1, MB), 1, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_is_a_line_of_the_size),
		cmocka_unit_test(without_sizes_all_take_the_same),
		cmocka_unit_test(no_part_of_the_line_is_negative),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
