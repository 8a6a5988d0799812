/* tests/skeleton/from_motion/test_spanning_tree.c: the spanning tree against all spanning trees,
   the root, bones that nothing joins. */
#include "skeleton/from_motion/spanning_tree.h"
#include "support/support.h"
#include "support/surfaces.h"

enum { BONES = 5, PAIRS = 10 };

/* some of the pairs of BONES bones, with costs of which many are equal */
static size_t make_pairs(uint64_t *random, ossai_bone_pair *pairs, double *cost)
{
	size_t count = 0;
	for (uint32_t a = 0; a < BONES; a++) {
		for (uint32_t b = a + 1; b < BONES; b++) {
			if (test_random(random) > 0.4) continue;
			cost[count] = floor(6 * test_random(random));
			pairs[count++] = (ossai_bone_pair){.a = a, .b = b};
		}
	}
	return count;
}

static uint32_t find(const uint32_t *set, uint32_t bone)
{
	while (set[bone] != bone) bone = set[bone];
	return bone;
}

/* joins the bones of the chosen pairs; returns how many groups are left, or 0 where a pair closes a
   loop */
static size_t join(const ossai_bone_pair *pairs, size_t count, unsigned chosen)
{
	uint32_t set[BONES];
	size_t groups = BONES;
	for (uint32_t b = 0; b < BONES; b++) set[b] = b;
	for (size_t i = 0; i < count; i++) {
		if (!(chosen >> i & 1)) continue;
		const uint32_t a = find(set, pairs[i].a), b = find(set, pairs[i].b);
		if (a == b) return 0;
		set[a] = b;
		groups--;
	}
	return groups;
}

/* least cost of all choices of pairs without a loop that leave as few groups as there can be */
static double cheapest_forest(const ossai_bone_pair *pairs, const double *cost, size_t count, size_t *groups)
{
	double best = INFINITY;
	*groups = BONES + 1;
	for (unsigned chosen = 0; chosen < 1u << count; chosen++) {
		const size_t left = join(pairs, count, chosen);
		double sum = 0;
		for (size_t i = 0; i < count; i++) sum += chosen >> i & 1 ? cost[i] : 0;
		if (left == 0 || left > *groups || (left == *groups && sum >= best)) continue;
		*groups = left;
		best = sum;
	}
	return best;
}

static void assert_is_tree(const ossai_tree *tree, uint32_t root)
{
	uint32_t place[BONES];
	assert_int_equal(tree->root, root);
	assert_int_equal(tree->order[0], root);
	assert_true(tree->parent[root] == OSSA_NONE && tree->pair[root] == OSSA_NONE);
	for (uint32_t b = 0; b < BONES; b++) place[b] = OSSA_NONE;
	for (uint32_t i = 0; i < BONES; i++) {
		assert_true(place[tree->order[i]] == OSSA_NONE);
		place[tree->order[i]] = i;
	}
	for (uint32_t b = 0; b < BONES; b++) {
		if (b != root) assert_true(place[tree->parent[b]] < place[b]);
	}
}

static void tree_is_the_cheapest_of_all(void **state)
{
	(void)state;
	uint64_t random = 21;
	ossa_context *context = test_context(1);
	for (uint32_t i = 0; i < 300; i++) {
		ossai_arena arena = ossai_arena_begin(context);
		ossai_bone_pair pairs[PAIRS];
		ossai_vec3 centers[BONES];
		double cost[PAIRS], sum = 0;
		size_t groups, unjoined = 0;
		const size_t count = make_pairs(&random, pairs, cost);
		for (int b = 0; b < BONES; b++) centers[b] = test_random_point(&random, 1);
		const ossai_bone_graph graph = {.bone_count = BONES, .pair_count = count, .pairs = pairs, .center = centers};
		const double best = cheapest_forest(pairs, cost, count, &groups);
		ossai_tree tree;
		assert_ok(context, ossai_spanning_tree_make(&arena, &graph, cost, i % BONES, NULL, &tree));
		assert_is_tree(&tree, i % BONES);
		for (uint32_t b = 0; b < BONES; b++) {
			if (b == tree.root) continue;
			if (tree.pair[b] == OSSA_NONE) {
				unjoined++;
				continue;
			}
			const ossai_bone_pair *pair = &pairs[tree.pair[b]];
			assert_true(pair->a + pair->b == b + tree.parent[b] && (pair->a == b || pair->b == b));
			sum += cost[tree.pair[b]];
		}
		assert_int_equal(unjoined, groups - 1);
		assert_true(sum == best);
		ossai_arena_end(&arena);
	}
	test_context_end(context);
}

static void unconnected_bones_are_joined_to_the_nearest(void **state)
{
	(void)state;
	ossai_bone_pair pairs[] = {{.a = 0, .b = 1}};
	/* 0 - 1 joined; 2 nearest to 1, 3 to 2, 4 to 0 */
	ossai_vec3 centers[BONES] = {{0, 0, 0}, {10, 0, 0}, {13, 0, 0}, {15, 0, 0}, {-4, 1, 0}};
	const ossai_bone_graph graph = {.bone_count = BONES, .pair_count = 1, .pairs = pairs, .center = centers};
	const double cost[] = {1};
	const uint32_t parent[BONES] = {OSSA_NONE, 0, 1, 2, 0}, order[BONES] = {0, 1, 4, 2, 3};
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_tree tree;
	assert_ok(context, ossai_spanning_tree_make(&arena, &graph, cost, 0, NULL, &tree));
	assert_memory_equal(tree.parent, parent, sizeof parent);
	assert_memory_equal(tree.order, order, sizeof order);
	assert_true(tree.pair[1] == 0 && tree.pair[2] == OSSA_NONE && tree.pair[4] == OSSA_NONE);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void root_is_the_bone_in_the_middle(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 15, 3, 4);
	const test_chain chain = test_chain_make(&t, 5, 2);
	ossai_bone_graph graph;
	assert_ok(t.context, ossai_bone_graph_make(&t.arena, &t.s, &chain.weights, false, &graph));
	assert_int_equal(ossai_spanning_tree_root(&t.s, &graph), 2);
	test_surface_end(&t);
}

static void graph_of_a_chain_is_the_chain(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 15, 3, 4);
	const test_chain chain = test_chain_make(&t, 5, 2);
	ossai_bone_graph graph;
	assert_ok(t.context, ossai_bone_graph_make(&t.arena, &t.s, &chain.weights, false, &graph));
	assert_int_equal(graph.pair_count, 4);
	for (uint32_t i = 0; i < 4; i++) {
		const ossai_bone_pair *pair = &graph.pairs[i];
		assert_true(pair->a == i && pair->b == i + 1);
		assert_true(pair->mass > 0 && pair->shared > 0 && pair->contact > 0);
		assert_near(pair->prior.x, chain.joint[i + 1].x, 0.04);
	}
	test_surface_end(&t);
}

static ossa_status make_in_sweep(ossa_context *context, void *arg)
{
	const double cost[4] = {4, 3, 2, 1};
	ossai_tree tree;
	ossai_arena arena = ossai_arena_begin(context);
	const ossa_status status = ossai_spanning_tree_make(&arena, arg, cost, 0, NULL, &tree);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossai_bone_pair pairs[] = {{.a = 0, .b = 1}, {.a = 1, .b = 2}, {.a = 2, .b = 3}, {.a = 3, .b = 4}};
	ossai_vec3 centers[BONES] = {{0, 0, 0}};
	ossai_bone_graph graph = {.bone_count = BONES, .pair_count = 4, .pairs = pairs, .center = centers};
	test_allocation_sweep(make_in_sweep, &graph, 100, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tree_is_the_cheapest_of_all),
		cmocka_unit_test(unconnected_bones_are_joined_to_the_nearest),
		cmocka_unit_test(root_is_the_bone_in_the_middle),
		cmocka_unit_test(graph_of_a_chain_is_the_chain),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
