/* tests/curve/test_chains.c: chains of literal curves, and of random trees against a plain walk
   from each stop. */
#include "curve/chains.h"
#include "support/curves.h"
#include "support/support.h"

#include <string.h>

static ossai_curve_chains chains_of(
	test_curve_bench *b, size_t nodes, size_t edges, const uint32_t *edge, uint32_t root, ossai_curve *curve)
{
	double place[3 * 64];
	for (size_t i = 0; i < 3 * nodes; i++) place[i] = i % 3 == 0 ? (double)(i * i) / 900 : (double)(i % 7) / 10;
	*curve = test_curve_literal(&b->arena, nodes, place, edges, edge);
	ossai_curve_chains chains;
	assert_ok(b->context, ossai_curve_chains_make(&b->arena, curve, root, &chains));
	return chains;
}

static void assert_chain(
	const ossai_curve_chains *chains, size_t c, uint32_t parent, uint32_t count, const uint32_t *nodes, bool is_leaf)
{
	const ossai_curve_chain *chain = &chains->chain[c];
	assert_int_equal(chain->parent, parent);
	assert_int_equal(chain->count, count);
	assert_memory_equal(ossai_curve_chain_nodes(chains, chain), nodes, count * sizeof *nodes);
	assert_int_equal(chain->begin, nodes[0]);
	assert_int_equal(chain->end, nodes[count - 1]);
	assert_int_equal(chain->is_leaf, is_leaf);
}

static void a_path_is_one_chain(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const uint32_t edges[] = {2, 0, 0, 3, 3, 1};
	ossai_curve curve;
	/* from its first end */
	ossai_curve_chains chains = chains_of(&b, 4, 3, edges, OSSA_NONE, &curve);
	assert_int_equal(chains.root, 1);
	assert_int_equal(chains.count, 1);
	assert_chain(&chains, 0, OSSA_NONE, 4, (uint32_t[]){1, 3, 0, 2}, true);
	/* a root within parts it in two */
	chains = chains_of(&b, 4, 3, edges, 3, &curve);
	assert_int_equal(chains.count, 2);
	assert_chain(&chains, 0, OSSA_NONE, 3, (uint32_t[]){3, 0, 2}, true);
	assert_chain(&chains, 1, OSSA_NONE, 2, (uint32_t[]){3, 1}, true);
	test_curve_end(&b);
}

static void a_star_has_a_chain_an_arm(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const uint32_t edges[] = {5, 1, 1, 0, 5, 2, 5, 3, 3, 4};
	ossai_curve curve;
	ossai_curve_chains chains = chains_of(&b, 6, 5, edges, OSSA_NONE, &curve);
	assert_int_equal(chains.root, 5);
	assert_int_equal(chains.count, 3);
	assert_chain(&chains, 0, OSSA_NONE, 3, (uint32_t[]){5, 1, 0}, true);
	assert_chain(&chains, 1, OSSA_NONE, 2, (uint32_t[]){5, 2}, true);
	assert_chain(&chains, 2, OSSA_NONE, 3, (uint32_t[]){5, 3, 4}, true);
	assert_true(ossai_curve_is_junction(&chains, 5) && !ossai_curve_is_junction(&chains, 1));
	/* from a node within an arm: what comes first to the junction is the parent of the others */
	chains = chains_of(&b, 6, 5, edges, 3, &curve);
	assert_int_equal(chains.count, 4);
	assert_chain(&chains, 0, OSSA_NONE, 2, (uint32_t[]){3, 4}, true);
	assert_chain(&chains, 1, OSSA_NONE, 2, (uint32_t[]){3, 5}, false);
	assert_chain(&chains, 2, 1, 3, (uint32_t[]){5, 1, 0}, true);
	assert_chain(&chains, 3, 1, 2, (uint32_t[]){5, 2}, true);
	test_curve_end(&b);
}

static void other_pieces_have_none(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const uint32_t edges[] = {0, 1, 2, 3, 3, 4};
	ossai_curve curve;
	ossai_curve_chains chains = chains_of(&b, 5, 3, edges, OSSA_NONE, &curve);
	assert_int_equal(chains.count, 1);
	assert_chain(&chains, 0, OSSA_NONE, 2, (uint32_t[]){0, 1}, true);
	chains = chains_of(&b, 5, 3, edges, 4, &curve);
	assert_int_equal(chains.count, 1);
	assert_chain(&chains, 0, OSSA_NONE, 3, (uint32_t[]){4, 3, 2}, true);
	/* edges of the other piece are on no chain */
	for (uint32_t k = chains.start[0]; k < chains.start[2]; k++) assert_int_equal(chains.over[k], OSSA_NONE);
	test_curve_end(&b);
}

static void a_node_alone_has_none(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	ossai_curve curve;
	for (size_t nodes = 0; nodes < 2; nodes++) {
		const ossai_curve_chains chains = chains_of(&b, nodes, 0, (uint32_t[]){0, 0}, OSSA_NONE, &curve);
		assert_int_equal(chains.count, 0);
		assert_true(nodes == 0 || chains.root == 0);
	}
	test_curve_end(&b);
}

/* the chain must be the walk from `begin` through `next` as long as there is one edge to
   continue */
static void assert_plain_walk(const ossai_curve *curve, const ossai_curve_chains *chains, const ossai_curve_chain *chain)
{
	const uint32_t *nodes = ossai_curve_chain_nodes(chains, chain);
	double length = 0;
	for (uint32_t i = 0; i < chain->count; i++) {
		uint32_t degree = 0;
		bool is_joined = i == 0;
		for (size_t e = 0; e < curve->edge_count; e++) {
			const uint32_t x = curve->edge[2 * e], y = curve->edge[2 * e + 1];
			degree += x == nodes[i] || y == nodes[i];
			is_joined = is_joined || (x == nodes[i] && y == nodes[i - 1]) || (y == nodes[i] && x == nodes[i - 1]);
		}
		assert_true(is_joined);
		const bool is_stop = i == 0 || i + 1 == chain->count;
		assert_int_equal(is_stop, degree != 2 || nodes[i] == chains->root);
		if (i > 0) length += ossai_distance(curve->node[nodes[i - 1]], curve->node[nodes[i]]);
		if (i + 1 == chain->count) assert_int_equal(chain->is_leaf, degree == 1);
		assert_int_equal(ossai_curve_chain_from(chains, chain, chain->begin, i), nodes[i]);
		assert_int_equal(ossai_curve_chain_from(chains, chain, chain->end, i), nodes[chain->count - 1 - i]);
	}
	assert_near(chain->length, length, 1e-12);
	assert_int_equal(ossai_curve_chain_other(chain, chain->begin), chain->end);
	assert_int_equal(ossai_curve_chain_other(chain, chain->end), chain->begin);
}

static void random_trees_against_a_plain_walk(void **state)
{
	(void)state;
	uint32_t random = 11;
	for (int run = 0; run < 200; run++) {
		test_curve_bench b = test_curve_begin();
		const size_t nodes = 2 + test_random_bits(&random) % 40;
		uint32_t edges[2 * 64], number[64];
		/* a tree, near to a path in every other run, its nodes in any order */
		for (uint32_t i = 0; i < nodes; i++) {
			number[i] = i;
			const uint32_t j = test_random_bits(&random) % (i + 1);
			number[i] = number[j];
			number[j] = i;
		}
		for (uint32_t i = 1; i < nodes; i++) {
			const uint32_t spread = run % 2 ? 2 : 50, back = 1 + test_random_bits(&random) % (i < spread ? i : spread);
			edges[2 * i - 2] = number[i];
			edges[2 * i - 1] = number[i - back];
		}
		ossai_curve curve;
		const uint32_t root = run % 3 ? test_random_bits(&random) % (uint32_t)nodes : OSSA_NONE;
		const ossai_curve_chains chains = chains_of(&b, nodes, nodes - 1, edges, root, &curve);
		size_t covered = 0;
		for (uint32_t c = 0; c < chains.count; c++) {
			const ossai_curve_chain *chain = &chains.chain[c];
			assert_plain_walk(&curve, &chains, chain);
			covered += chain->count - 1;
			if (chain->parent == OSSA_NONE) assert_int_equal(chain->begin, chains.root);
			else {
				assert_true(chain->parent < c);
				assert_int_equal(chain->begin, chains.chain[chain->parent].end);
			}
			/* the edge at either stop leads to it */
			for (int side = 0; side < 2; side++) {
				const uint32_t stop = side ? chain->end : chain->begin, next = ossai_curve_chain_from(&chains, chain, stop, 1);
				for (uint32_t k = chains.start[stop]; k < chains.start[stop + 1]; k++) {
					if (chains.neighbor[k] == next) assert_int_equal(chains.over[k], c);
				}
			}
		}
		/* each edge lies on one */
		assert_int_equal(covered, nodes - 1);
		test_curve_end(&b);
	}
}

static ossa_status chains_once(ossa_context *context, void *arg)
{
	ossai_arena arena = ossai_arena_begin(context);
	ossai_curve_chains chains;
	const ossa_status status = ossai_curve_chains_make(&arena, arg, OSSA_NONE, &chains);
	ossai_arena_end(&arena);
	return status;
}

static void memory_may_fail(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const uint32_t edges[] = {0, 1, 1, 2, 1, 3};
	ossai_curve curve;
	chains_of(&b, 4, 3, edges, OSSA_NONE, &curve);
	assert_true(test_allocation_sweep(chains_once, &curve, 50, 1) >= 2);
	test_curve_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_is_one_chain),
		cmocka_unit_test(a_star_has_a_chain_an_arm),
		cmocka_unit_test(other_pieces_have_none),
		cmocka_unit_test(a_node_alone_has_none),
		cmocka_unit_test(random_trees_against_a_plain_walk),
		cmocka_unit_test(memory_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
