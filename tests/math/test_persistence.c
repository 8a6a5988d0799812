/* tests/math/test_persistence.c: local maxima on paths whose saddles are known, and on random
   graphs against components that are counted at every level. */
#include "math/persistence.h"

#include "base/csr.h"
#include "support/support.h"

#include <stdlib.h>

enum { NODES = 24 };

static int by_value(const void *x, const void *y)
{
	const double *a = x, *b = y;
	return a[0] != b[0] ? (a[0] > b[0] ? -1 : 1) : a[1] < b[1] ? -1 : a[1] > b[1];
}

/* the first of equal values counts as the higher one */
static void sort(size_t count, const double *value, uint32_t *order, uint32_t *rank)
{
	double pairs[2 * NODES];
	for (size_t i = 0; i < count; i++) {
		pairs[2 * i] = value[i];
		pairs[2 * i + 1] = (double)i;
	}
	qsort(pairs, count, 2 * sizeof *pairs, by_value);
	for (uint32_t i = 0; i < count; i++) {
		order[i] = (uint32_t)pairs[2 * i + 1];
		rank[order[i]] = i;
	}
}

static void hills_of_a_path_end_at_their_saddles(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	/* three hills; the middle one ends at node 4, that at the left at node 2 */
	const double value[] = {1, 5, 0.5, 3, 2, 7};
	const uint32_t edge[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5};
	uint32_t order[6], rank[6];
	sort(6, value, order, rank);
	ossai_csr around;
	ossai_local_maxima maxima;
	assert_ok(context, ossai_csr_of_edges(&arena, 6, 5, edge, &around));
	assert_ok(context, ossai_local_maxima_find(&arena, 6, order, rank, around.start, around.item, &maxima));
	const bool expected[] = {false, true, false, true, false, true};
	for (uint32_t i = 0; i < 6; i++) assert_int_equal(ossai_is_local_maximum(&maxima, i), expected[i]);
	assert_int_equal(maxima.higher[5], 5);
	assert_true(maxima.higher[3] == 5 && maxima.saddle[3] == 4);
	assert_true(maxima.higher[1] == 5 && maxima.saddle[1] == 2);
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* the nodes of rank `most` or less that are connected with a node */
static void mark(const ossai_csr *around, const uint32_t *rank, uint32_t node, uint32_t most, bool *is_in)
{
	for (size_t i = 0; i < NODES; i++) is_in[i] = i == node;
	for (bool grows = true; grows;) {
		grows = false;
		for (uint32_t i = 0; i < NODES; i++) {
			for (uint32_t k = around->start[i]; is_in[i] && k < around->start[i + 1]; k++) {
				const uint32_t other = around->item[k];
				grows = grows || (!is_in[other] && rank[other] <= most);
				is_in[other] = is_in[other] || rank[other] <= most;
			}
		}
	}
}

static void saddles_are_where_something_higher_is_reached(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	uint32_t random = 5;
	for (int run = 0; run < 60; run++) {
		ossai_arena arena = ossai_arena_begin(context);
		uint32_t edge[2 * 2 * NODES], order[NODES], rank[NODES];
		double value[NODES];
		const size_t edges = NODES / 2 + test_random_bits(&random) % NODES;
		for (size_t i = 0; i < 2 * edges; i++) edge[i] = test_random_bits(&random) % NODES;
		for (size_t i = 0; i < edges; i++)
			edge[2 * i + 1] = edge[2 * i] == edge[2 * i + 1] ? (edge[2 * i] + 1) % NODES : edge[2 * i + 1];
		/* few values: many are equal */
		for (size_t i = 0; i < NODES; i++) value[i] = test_random_bits(&random) % 9;
		sort(NODES, value, order, rank);
		ossai_csr around;
		ossai_local_maxima maxima;
		assert_ok(context, ossai_csr_of_edges(&arena, NODES, edges, edge, &around));
		assert_ok(context, ossai_local_maxima_find(&arena, NODES, order, rank, around.start, around.item, &maxima));
		for (uint32_t i = 0; i < NODES; i++) {
			/* the first level at which something higher is connected with the node */
			uint32_t saddle = i;
			bool is_in[NODES], is_found = false;
			for (uint32_t level = rank[i]; level < NODES && !is_found; level++) {
				mark(&around, rank, i, level, is_in);
				for (uint32_t k = 0; k < NODES; k++) is_found = is_found || (is_in[k] && rank[k] < rank[i]);
				if (is_found) saddle = order[level];
			}
			assert_int_equal(maxima.saddle[i], saddle);
			assert_int_equal(maxima.higher[i] == i, !is_found);
			assert_int_equal(ossai_is_local_maximum(&maxima, i), !is_found || saddle != i);
			if (is_found) assert_true(rank[maxima.higher[i]] < rank[i]);
		}
		ossai_arena_end(&arena);
	}
	test_context_end(context);
}

static ossa_status find_once(ossa_context *context, void *arg)
{
	(void)arg;
	const uint32_t order[] = {1, 0}, rank[] = {1, 0}, start[] = {0, 1, 2}, neighbor[] = {1, 0};
	ossai_arena arena = ossai_arena_begin(context);
	ossai_local_maxima maxima;
	const ossa_status status = ossai_local_maxima_find(&arena, 2, order, rank, start, neighbor, &maxima);
	ossai_arena_end(&arena);
	return status;
}

static void memory_may_fail(void **state)
{
	(void)state;
	assert_true(test_allocation_sweep(find_once, NULL, 50, 1) >= 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hills_of_a_path_end_at_their_saddles),
		cmocka_unit_test(saddles_are_where_something_higher_is_reached),
		cmocka_unit_test(memory_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
