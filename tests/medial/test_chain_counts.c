/* tests/medial/test_chain_counts.c: how many edges chains get: by length, by bends, limbs that are alike, all together;
   failing memory. */
#include "support/path_trees.h"
#include "support/support.h"
#include "medial/chain_counts.h"

#include <ossa/mesh.h>
#include <stdlib.h>

typedef struct made {
	test_path_tree t;
	ossa_context *context;
	ossai_arena arena;
	ossai_graph_chains chains;
	uint32_t *edges;
	double *stack;
} made;

static const ossai_chain_limits limits = {0.1, 0.3, 0.03};

static made *begin(void)
{
	made *m = calloc(1, sizeof *m);
	assert_non_null(m);
	m->context = test_context(1);
	m->arena = ossai_arena_begin(m->context);
	test_path_begin(&m->t, ossai_v3(0, 0, 0), 0.1, 1);
	return m;
}

static void end(made *m)
{
	ossai_arena_end(&m->arena);
	test_context_end(m->context);
	free(m);
}

/* edges of all chains */
static size_t count(made *m)
{
	ossai_tree_ways ways;
	uint32_t *into = ossai_arena_new(&m->arena, m->t.tree.node_count, sizeof *into);
	for (uint32_t i = 0; i < m->t.tree.node_count; i++) into[i] = i;
	assert_ok(m->context, ossai_tree_ways_make(&m->arena, &m->t.tree, &ways));
	assert_ok(m->context, ossai_graph_chains_make(&m->arena, &m->t.tree, &ways, into, &m->chains));
	m->edges = ossai_arena_new(&m->arena, m->chains.count, sizeof *m->edges);
	m->stack = ossai_arena_new(&m->arena, m->chains.point_count, 6 * sizeof *m->stack);
	assert_ok(m->context, ossai_chain_counts(&m->arena, &m->t.tree, &m->chains, &limits, m->stack, m->edges));
	size_t sum = 0;
	for (size_t c = 0; c < m->chains.count; c++) sum += m->edges[c];
	return sum;
}

static double needs_of(made *m, uint32_t chain)
{
	const ossai_graph_chain *c = &m->chains.chain[chain];
	return ossai_stretch_needs(&m->t.tree, &m->chains, &limits, c->begin, c->begin + c->count - 1, m->stack);
}

static void needs_grow_evenly_with_length(void **state)
{
	(void)state;
	double before = 0;
	for (int steps = 3; steps < 200; steps++) {
		made *m = begin();
		test_path_to(&m->t, 0, ossai_v3(0.01 * steps, 0, 0), steps, 0.1);
		assert_int_equal(count(m), (size_t)ceil(0.01 * steps / 0.3 - 1e-9));
		const double needs = needs_of(m, 0);
		assert_true(needs >= before && needs < before + (steps == 3 ? 2 : 0.6));
		before = needs;
		end(m);
	}
}

/* from straight to a right angle the need never jumps, and a bend needs a joint more */
static void needs_grow_evenly_with_bends(void **state)
{
	(void)state;
	double before = 0, first = 0;
	for (int k = 0; k <= 60; k++) {
		made *m = begin();
		const uint32_t knee = test_path_to(&m->t, 0, ossai_v3(0.14, 0, 0), 14, 0.1);
		test_path_to(&m->t, knee, ossai_v3(0.14 + 0.14 * cos(0.026 * k), 0.14 * sin(0.026 * k), 0), 14, 0.1);
		count(m);
		const double needs = needs_of(m, 0);
		if (k == 0) first = needs;
		else assert_near(needs, before, 0.15);
		before = needs;
		end(m);
	}
	assert_true(before > first + 0.4);
}

/* fingers that differ a little have as many each, and a body takes what rounding leaves */
static void what_is_alike_gets_the_same(void **state)
{
	(void)state;
	for (int k = 0; k < 30; k++) {
		made *m = begin();
		const uint32_t palm = test_path_to(&m->t, 0, ossai_v3(0, 1 + 0.01 * k, 0), 60, 0.2);
		for (int i = -2; i <= 2; i++) {
			const double length = 0.7 + 0.02 * k + 0.01 * i;
			test_path_to(&m->t, palm, ossai_v3(0.2 * i, 1 + 0.01 * k + sqrt(length * length - 0.04 * i * i), 0), 60, 0.05);
		}
		const size_t sum = count(m);
		double needs = 0;
		for (uint32_t c = 0; c < m->chains.count; c++) needs += needs_of(m, c);
		for (uint32_t c = 2; c < m->chains.count; c++) assert_int_equal(m->edges[c], m->edges[1]);
		assert_near((double)sum, needs, 3.1);
		end(m);
	}
}

/* limbs of all lengths: no more than half an edge is lost or won by rounding, however many they are */
static void sums_are_kept(void **state)
{
	(void)state;
	for (int k = 0; k < 40; k++) {
		made *m = begin();
		uint32_t at = 0;
		double x = 0;
		for (int i = 0; i < 6; i++) {
			x += 0.4 + 0.05 * i + 0.004 * k;
			at = test_path_to(&m->t, at, ossai_v3(x, 0, 0), 30, 0.1);
			test_path_to(&m->t, at, ossai_v3(x, 0.35 * (1 + 0.3 * i) * (1 + 0.003 * k), 0), 30, 0.05);
		}
		const size_t sum = count(m);
		double needs = 0;
		for (uint32_t c = 0; c < m->chains.count; c++) needs += needs_of(m, c);
		assert_near((double)sum, needs, 1.01);
		end(m);
	}
}

static ossa_status sweep(ossa_context *context, void *arg)
{
	made *m = arg;
	ossai_arena arena = ossai_arena_begin(context);
	ossai_tree_ways ways;
	ossai_graph_chains chains;
	uint32_t *into = ossai_arena_new(&arena, m->t.tree.node_count, sizeof *into), *edges = NULL;
	double *stack = NULL;
	ossa_status status = into ? OSSA_OK : OSSA_ERROR_MEMORY;
	for (uint32_t i = 0; into && i < m->t.tree.node_count; i++) into[i] = i;
	if (status == OSSA_OK) status = ossai_tree_ways_make(&arena, &m->t.tree, &ways);
	if (status == OSSA_OK) status = ossai_graph_chains_make(&arena, &m->t.tree, &ways, into, &chains);
	if (status == OSSA_OK) edges = ossai_arena_new(&arena, chains.count, sizeof *edges);
	if (edges) stack = ossai_arena_new(&arena, chains.point_count, 6 * sizeof *stack);
	if (status == OSSA_OK) status = stack ? OSSA_OK : OSSA_ERROR_MEMORY;
	if (status == OSSA_OK) status = ossai_chain_counts(&arena, &m->t.tree, &chains, &limits, stack, edges);
	ossai_arena_end(&arena);
	return status;
}

static void memory_may_fail(void **state)
{
	(void)state;
	made *m = begin();
	const uint32_t middle = test_path_to(&m->t, 0, ossai_v3(1, 0, 0), 30, 0.1);
	test_path_to(&m->t, middle, ossai_v3(1, 0.7, 0), 30, 0.05);
	test_path_to(&m->t, middle, ossai_v3(1, -0.5, 0), 30, 0.05);
	assert_true(test_allocation_sweep(sweep, m, 100, 1) >= 8);
	end(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(needs_grow_evenly_with_length),
		cmocka_unit_test(needs_grow_evenly_with_bends),
		cmocka_unit_test(what_is_alike_gets_the_same),
		cmocka_unit_test(sums_are_kept),
		cmocka_unit_test(memory_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
