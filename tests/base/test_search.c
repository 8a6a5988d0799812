/* tests/base/test_search.c: binary searches against a look at every item. */
#include "base/search.h"
#include "base/order.h"

#include "support/support.h"

enum { MOST = 12 };

static void searches_find_what_a_scan_finds(void **state)
{
	(void)state;
	uint32_t random = 7, index[MOST];
	double number[MOST];
	for (int run = 0; run < 500; run++) {
		const size_t count = test_random_bits(&random) % (MOST + 1);
		for (size_t i = 0; i < count; i++) {
			index[i] = (i > 0 ? index[i - 1] : 0) + test_random_bits(&random) % 3;
			number[i] = index[i];
		}
		const uint32_t key = test_random_bits(&random) % 20;
		size_t before = 0, last = 0;
		for (size_t i = 0; i < count; i++) {
			before += index[i] < key;
			if (index[i] <= key) last = i;
		}
		assert_int_equal(ossai_search(&key, index, count, sizeof key, ossai_compare_indices), before);
		assert_int_equal(ossai_search_index(index, count, key), last);
		assert_int_equal(ossai_search_double(number, count, key), last);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(searches_find_what_a_scan_finds)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
