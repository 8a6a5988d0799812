/* tests/base/test_csr.c: compressed rows against a nested loop over all pairs. */
#include "base/csr.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <ossa/mesh.h>

enum { ROWS = 17, PAIRS = 60 };

/* the items of a row are those of its pairs, in their order */
static void assert_rows(const ossai_csr *csr, size_t count, const uint32_t *row, const uint32_t *item)
{
	for (uint32_t r = 0; r < ROWS; r++) {
		uint32_t at = csr->start[r];
		for (size_t i = 0; i < count; i++) {
			if (row[i] == r) assert_int_equal(csr->item[at++], item[i]);
		}
		assert_int_equal(at, csr->start[r + 1]);
		assert_int_equal(ossai_csr_size(csr, r), at - csr->start[r]);
	}
}

static void holds_the_pairs_of_each_row_in_their_order(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	for (uint64_t seed = 1; seed < 30; seed++) {
		uint64_t random = seed;
		uint32_t row[PAIRS], item[PAIRS], index[PAIRS];
		const size_t count = (size_t)(seed % 2 ? PAIRS : 3);
		for (uint32_t i = 0; i < count; i++) {
			row[i] = test_random(&random) < -0.8 ? OSSA_NONE : (uint32_t)(ROWS * fabs(test_random(&random))) % ROWS;
			item[i] = (uint32_t)(1000 * fabs(test_random(&random)));
			index[i] = i;
		}
		ossai_csr by_hand, by_key;
		assert_ok(context, ossai_csr_begin(&arena, ROWS, &by_hand));
		for (size_t i = 0; i < count; i++) {
			if (row[i] != OSSA_NONE) ossai_csr_count(&by_hand, row[i]);
		}
		assert_ok(context, ossai_csr_take_items(&arena, &by_hand));
		for (size_t i = 0; i < count; i++) {
			if (row[i] != OSSA_NONE) ossai_csr_put(&by_hand, row[i], item[i]);
		}
		assert_rows(&by_hand, count, row, item);
		assert_ok(context, ossai_csr_of_keys(&arena, ROWS, count, row, &by_key));
		assert_rows(&by_key, count, row, index);
	}
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void edges_are_neighbors_of_both_ends(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	const uint32_t edge[] = {0, 1, 0, 2, 1, 2, 2, 16, 5, 5}, wanted[] = {1, 2, 0, 2, 0, 1, 16, 5, 5, 2};
	ossai_csr around;
	assert_ok(context, ossai_csr_of_edges(&arena, ROWS, sizeof edge / sizeof *edge / 2, edge, &around));
	assert_memory_equal(around.item, wanted, sizeof wanted);
	assert_int_equal(ossai_csr_size(&around, 2), 3);
	assert_int_equal(ossai_csr_size(&around, 3), 0);
	assert_int_equal(ossai_csr_size(&around, 5), 2);
	assert_int_equal(ossai_csr_size(&around, 16), 1);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void payloads_go_where_items_go(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	const uint32_t row[] = {3, 0, 3, 1};
	const double length[] = {0.5, 1.5, 2.5, 3.5}, wanted[] = {1.5, 3.5, 0.5, 2.5};
	double placed[4];
	size_t count;
	ossai_csr csr;
	assert_ok(context, ossai_csr_begin(&arena, ROWS, &csr));
	for (int i = 0; i < 4; i++) ossai_csr_count(&csr, row[i]);
	assert_ok(context, ossai_csr_lay_out(context, &csr, &count));
	assert_int_equal(count, 4);
	for (int i = 0; i < 4; i++) placed[ossai_csr_next(&csr, row[i])] = length[i];
	assert_memory_equal(placed, wanted, sizeof wanted);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void no_rows_and_no_items_are_fine(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_csr csr;
	assert_ok(context, ossai_csr_of_keys(&arena, 0, 0, NULL, &csr));
	assert_int_equal(csr.start[0], 0);
	assert_ok(context, ossai_csr_of_edges(&arena, 2, 0, NULL, &csr));
	assert_int_equal(csr.start[2], 0);
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* counts whose sum exceeds 32 bits are an error */
static void too_many_items_are_an_error(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_csr csr;
	assert_ok(context, ossai_csr_begin(&arena, 2, &csr));
	csr.start[2] = csr.start[3] = UINT32_MAX / 2 + 1;
	assert_int_equal(ossai_csr_take_items(&arena, &csr), OSSA_ERROR_LIMIT);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static ossa_status make_in_sweep(ossa_context *context, void *arg)
{
	const uint32_t edge[] = {0, 1, 1, 2};
	(void)arg;
	ossai_arena arena = ossai_arena_begin(context);
	ossai_csr around, by_key;
	ossa_status status = ossai_csr_of_edges(&arena, 3, 2, edge, &around);
	if (status == OSSA_OK) status = ossai_csr_of_keys(&arena, 3, 4, edge, &by_key);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_allocation_sweep(make_in_sweep, NULL, 50, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holds_the_pairs_of_each_row_in_their_order),
		cmocka_unit_test(edges_are_neighbors_of_both_ends),
		cmocka_unit_test(payloads_go_where_items_go),
		cmocka_unit_test(no_rows_and_no_items_are_fine),
		cmocka_unit_test(too_many_items_are_an_error),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
