/* tests/base/test_heap.c: the heap against sorting. */
#include "base/heap.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <stdlib.h>

enum { COUNT = 400 };

/* entries with many equal keys, and the same sorted */
static void make_entries(uint64_t *random, ossai_heap_entry *entries, ossai_heap_entry *sorted)
{
	for (uint32_t i = 0; i < COUNT; i++) {
		entries[i] = sorted[i] = (ossai_heap_entry){floor(20 * test_random(random)), (i * 77 + 5) % COUNT};
	}
	qsort(sorted, COUNT, sizeof *sorted, ossai_heap_compare_rising);
}

static void assert_pops(ossai_heap *heap, const ossai_heap_entry *sorted)
{
	for (size_t i = 0; i < COUNT; i++, ossai_heap_pop(heap)) {
		assert_true(heap->entries[0].key == sorted[i].key);
		assert_int_equal(heap->entries[0].item, sorted[i].item);
		assert_true(ossai_heap_second_key(heap, INFINITY) == (i + 1 < COUNT ? sorted[i + 1].key : INFINITY));
	}
	assert_int_equal(heap->count, 0);
}

static void comes_out_sorted_however_it_went_in(void **state)
{
	(void)state;
	ossai_heap_entry entries[COUNT], sorted[COUNT], scratch[COUNT];
	for (uint64_t seed = 1; seed < 20; seed++) {
		uint64_t random = seed;
		make_entries(&random, entries, sorted);
		ossai_heap built = {entries, COUNT}, pushed = {scratch, 0};
		for (size_t i = 0; i < COUNT; i++) ossai_heap_push(&pushed, entries[i].key, entries[i].item);
		ossai_heap_build(&built);
		assert_pops(&built, sorted);
		assert_pops(&pushed, sorted);
	}
}

static void replaced_top_goes_where_its_key_belongs(void **state)
{
	(void)state;
	ossai_heap_entry entries[COUNT], sorted[COUNT];
	uint64_t random = 5;
	make_entries(&random, entries, sorted);
	ossai_heap heap = {entries, COUNT};
	ossai_heap_build(&heap);
	for (size_t i = 0; i < COUNT; i++) {
		sorted[0].key += 7;
		ossai_heap_replace_top(&heap, sorted[0].key);
		qsort(sorted, COUNT, sizeof *sorted, ossai_heap_compare_rising);
		assert_true(heap.entries[0].key == sorted[0].key && heap.entries[0].item == sorted[0].item);
	}
	assert_pops(&heap, sorted);
}

static void sorting_puts_ties_by_their_item(void **state)
{
	(void)state;
	ossai_heap_entry list[] = {{2, 4}, {1, 9}, {2, 1}, {3, 0}, {1, 2}};
	const uint32_t rising[] = {2, 9, 1, 4, 0}, falling[] = {0, 1, 4, 2, 9};
	qsort(list, 5, sizeof *list, ossai_heap_compare_rising);
	for (int i = 0; i < 5; i++) assert_int_equal(list[i].item, rising[i]);
	qsort(list, 5, sizeof *list, ossai_heap_compare_falling);
	for (int i = 0; i < 5; i++) assert_int_equal(list[i].item, falling[i]);
	assert_int_equal(ossai_heap_compare_falling(list, list), 0);
}

static void empty_and_single_are_safe(void **state)
{
	(void)state;
	ossai_heap_entry one[1];
	ossai_heap heap = {one, 0};
	ossai_heap_build(&heap);
	ossai_heap_push(&heap, 3, 9);
	assert_true(ossai_heap_second_key(&heap, 8) == 8);
	ossai_heap_replace_top(&heap, 4);
	assert_true(one[0].key == 4 && one[0].item == 9);
	ossai_heap_pop(&heap);
	assert_int_equal(heap.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comes_out_sorted_however_it_went_in),
		cmocka_unit_test(replaced_top_goes_where_its_key_belongs),
		cmocka_unit_test(sorting_puts_ties_by_their_item),
		cmocka_unit_test(empty_and_single_are_safe),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
