/* tests/base/test_order.c: comparators of plain numbers. */
#include "base/order.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void numbers_rise(void **state)
{
	(void)state;
	double doubles[] = {3, -INFINITY, 0.5, 3, -2, INFINITY};
	const double rising[] = {-INFINITY, -2, 0.5, 3, 3, INFINITY};
	/* differences that an int cannot hold */
	uint32_t indices[] = {UINT32_MAX, 0, 7, 0x80000000u, 7};
	const uint32_t wanted[] = {0, 7, 7, 0x80000000u, UINT32_MAX};
	qsort(doubles, 6, sizeof *doubles, ossai_compare_doubles);
	qsort(indices, 5, sizeof *indices, ossai_compare_indices);
	assert_memory_equal(doubles, rising, sizeof doubles);
	assert_memory_equal(indices, wanted, sizeof indices);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_rise),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
