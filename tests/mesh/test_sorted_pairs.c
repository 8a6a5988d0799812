/* tests/mesh/test_sorted_pairs.c: pairs are sorted as a plain comparison of all of them would, on
   runs of one first index from none to thousands. */
#include "mesh/pairs.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

/* the tag is the place that the pair had */
static int compare_plain(const void *left, const void *right)
{
	const ossai_pair *a = left, *b = right;
	if (a->first != b->first) return a->first < b->first ? -1 : 1;
	if (a->second != b->second) return a->second < b->second ? -1 : 1;
	return a->tag < b->tag ? -1 : a->tag > b->tag;
}

static void check(ossa_context *context, ossai_pair *pairs, size_t count, size_t limit)
{
	ossai_pair *plain = ossa_alloc(context, count, sizeof *plain);
	assert_non_null(plain);
	for (uint32_t i = 0; i < count; i++) pairs[i].tag = i;
	memcpy(plain, pairs, count * sizeof *plain);
	qsort(plain, count, sizeof *plain, compare_plain);
	assert_ok(context, ossai_pairs_sort(context, pairs, count, limit));
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(pairs[i].first, plain[i].first);
		assert_int_equal(pairs[i].second, plain[i].second);
		assert_int_equal(pairs[i].tag, plain[i].tag);
	}
	ossa_free(context, plain);
}

enum { MOST = 4000 };

static void runs_of_every_length_are_sorted(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	static ossai_pair pairs[MOST];
	/* about as many pairs of one first index as there are pairs, down to one or none */
	for (uint32_t firsts = 1; firsts <= MOST; firsts *= 2) {
		uint32_t random = firsts;
		for (size_t i = 0; i < MOST; i++) {
			random = random * 1664525u + 1013904223u;
			pairs[i] = (ossai_pair){(random >> 16) % firsts, (random >> 8) % 64, 0};
		}
		check(context, pairs, MOST, firsts > 64 ? firsts : 64);
	}
	test_context_end(context);
}

static void falling_runs_are_sorted(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_pair pairs[70];
	for (uint32_t count = 0; count <= 70; count++) {
		for (uint32_t i = 0; i < count; i++) pairs[i] = (ossai_pair){3, (count - i) / 2, 0};
		check(context, pairs, count, 40);
	}
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_of_every_length_are_sorted),
		cmocka_unit_test(falling_runs_are_sorted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
