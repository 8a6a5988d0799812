/* tests/base/test_radix_sort.c: sorting by radix, against qsort. */
#include "base/radix_sort.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 5000 };

static double random_key(uint32_t *random, int kind)
{
	const double x = (double)test_random_bits(random) / (1 << 24);
	switch (kind) {
	case 0: return x;
	case 1: return floor(8 * x); /* many are equal */
	case 2: return ldexp(x, (int)(test_random_bits(random) % 2000) - 1000);
	case 3: return 1 + x * DBL_EPSILON * 16; /* the low bits alone differ */
	default: return x < 0.1 ? INFINITY : x < 0.2 ? 0 : x < 0.3 ? DBL_TRUE_MIN : x < 0.4 ? DBL_MAX : 1e300 * x;
	}
}

static void as_qsort_does(void **state)
{
	(void)state;
	static ossai_heap_entry sorted[MOST], plain[MOST], space[MOST];
	uint32_t random = 1;
	for (int kind = 0; kind < 5; kind++) {
		for (size_t count = 0; count <= MOST; count = 3 * count + 1) {
			for (size_t i = 0; i < count; i++) {
				memset(&plain[i], 0, sizeof plain[i]);
				plain[i].key = random_key(&random, kind);
				plain[i].item = (uint32_t)i;
			}
			memcpy(sorted, plain, count * sizeof *plain);
			ossai_radix_sort(sorted, space, count);
			qsort(plain, count, sizeof *plain, ossai_heap_compare_rising);
			for (size_t i = 0; i < count; i++) {
				assert_true(sorted[i].key == plain[i].key);
				assert_int_equal(sorted[i].item, plain[i].item);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(as_qsort_does)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
