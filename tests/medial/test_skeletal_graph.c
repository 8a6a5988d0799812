/* tests/medial/test_skeletal_graph.c: splits against a plain recursion, the worst first; limits
   of length; empty trees. */
#include "medial/skeletal_graph.h"

#include "support/path_trees.h"

#include <ossa/mesh.h>
#include <stdlib.h>
#include <string.h>

typedef struct made {
	ossa_context *context;
	ossai_arena arena;
	test_path_tree t;
	ossai_skeletal_graph graph;
} made;

static made *begin(ossai_vec3 at, double radius, double heart_radius)
{
	made *m = calloc(1, sizeof *m);
	m->context = test_context(1);
	m->arena = ossai_arena_begin(m->context);
	test_path_begin(&m->t, at, radius, heart_radius);
	return m;
}

static void end(made *m)
{
	ossai_arena_end(&m->arena);
	test_context_end(m->context);
	free(m);
}

/* what must hold of every graph */
static void check_sound(const made *m)
{
	const ossai_skeletal_graph *g = &m->graph;
	const size_t nodes = m->t.tree.node_count;
	size_t *before = calloc(nodes, sizeof *before), vertices = 0;
	before[0] = 1;
	for (size_t e = 0; e < g->edge_count; e++) {
		/* a tree, parents first */
		assert_true(g->edge[2 * e] < nodes && g->edge[2 * e + 1] < nodes);
		assert_int_equal(before[g->edge[2 * e]], 1);
		assert_int_equal(before[g->edge[2 * e + 1]]++, 0);
		assert_true(isfinite(g->error[e]) && g->error[e] >= 0);
		assert_int_equal(g->edge_of_node[g->edge[2 * e + 1]], e);
		assert_true(g->is_vertex[g->edge[2 * e]] && g->is_vertex[g->edge[2 * e + 1]]);
	}
	for (size_t i = 0; i < nodes; i++) {
		vertices += g->is_vertex[i];
		if (g->edge_count > 0) assert_true(g->edge_of_node[i] < g->edge_count);
	}
	assert_int_equal(vertices, g->edge_count + 1);
	free(before);
}

static void make(made *m, const ossai_skeletal_options *options)
{
	assert_ok(m->context, ossai_skeletal_graph_make(&m->arena, &m->t.tree, options, &m->graph));
	check_sound(m);
}

static bool is_vertex(const made *m, uint32_t node) { return m->graph.is_vertex[node]; }

/* ---- the paper ---- */

/* marks where a path from node `a` down to node `b` is split, by the paper's rule */
static void split_plainly(const made *m, const ossai_skeletal_options *o, const uint32_t *path, size_t count, uint8_t *vertex)
{
	const ossai_vec3 *p = m->t.node;
	double length = 0, worst = -1, middle = INFINITY;
	size_t at = 0;
	for (size_t i = 1; i < count; i++) length += ossai_distance(p[path[i - 1]], p[path[i]]);
	double arc = 0;
	for (size_t i = 1; i + 1 < count; i++) {
		arc += ossai_distance(p[path[i - 1]], p[path[i]]);
		const ossai_vec3 from = p[path[0]], line = ossai_sub(p[path[count - 1]], from);
		double t = ossai_dot(ossai_sub(p[path[i]], from), line) / ossai_length2(line);
		t = fmin(fmax(t, 0), 1);
		const double error = ossai_distance(ossai_madd(from, t, line), p[path[i]]), off = fabs(arc - length / 2);
		if (error < worst - 1e-12 || (error < worst + 1e-12 && off >= middle)) continue;
		worst = error;
		middle = off;
		at = i;
	}
	const double heart = m->t.tree.heart_radius;
	if (at == 0 || length < o->min_fraction * heart) return;
	if (!(length > o->max_fraction * heart) && !(worst > o->tolerance * heart)) return;
	vertex[path[at]] = 1;
	split_plainly(m, o, path, at + 1, vertex);
	split_plainly(m, o, path + at, count - at, vertex);
}

static void splits_are_those_of_a_plain_recursion(void **state)
{
	(void)state;
	uint32_t random = 7;
	for (int run = 0; run < 60; run++) {
		made *m = begin(ossai_v3(0, 0, 0), 0.1, 0.4 + (double)(run % 7) / 5);
		/* a crooked path */
		for (uint32_t i = 0; i < 90; i++) {
			const double x = (test_random_bits(&random) % 1000) / 1e3 - 0.5, y = (test_random_bits(&random) % 1000) / 1e3 - 0.5;
			test_path_to(&m->t, i, ossai_add(m->t.node[i], ossai_v3(0.02, x * 0.03, y * 0.03)), 1, 0.1);
		}
		ossai_skeletal_options options = ossai_skeletal_options_default();
		options.tolerance = 0.002 * (run % 10);
		options.min_fraction = 0.02 * (run % 6);
		make(m, &options);
		uint8_t vertex[91] = {0};
		uint32_t path[91];
		for (uint32_t i = 0; i < 91; i++) path[i] = i;
		vertex[0] = vertex[90] = 1;
		split_plainly(m, &options, path, 91, vertex);
		for (uint32_t i = 0; i < 91; i++) assert_int_equal(is_vertex(m, i), vertex[i]);
		end(m);
	}
}

/* a stretch that is bent by `height` */
static uint32_t bend(made *m, uint32_t from, double x, double height)
{
	const ossai_vec3 at = m->t.node[from];
	const uint32_t top = test_path_to(&m->t, from, ossai_add(at, ossai_v3(x / 2, height, 0)), 10, 0.01);
	return test_path_to(&m->t, top, ossai_add(at, ossai_v3(x, 0, 0)), 10, 0.01);
}

static void the_worst_of_all_goes_first(void **state)
{
	(void)state;
	made *m = begin(ossai_v3(0, 0, 0), 0.01, 1);
	/* two arms of one junction, the second bent the most, and a third that is too short */
	const uint32_t junction = test_path_to(&m->t, 0, ossai_v3(1, 0, 0), 20, 0.01);
	bend(m, junction, 1, 0.2);
	const uint32_t second = bend(m, junction, -1, 0.3) - 10;
	const uint32_t stub = test_path_to(&m->t, junction, ossai_v3(1, 0, 0.09), 8, 0.01);
	ossai_skeletal_options options = ossai_skeletal_options_default();
	for (options.segments = 1; options.segments < 12; options.segments++) {
		make(m, &options);
		assert_int_equal(m->graph.edge_count, options.segments < 4 ? 4 : options.segments);
		assert_int_equal(is_vertex(m, second), options.segments > 4);
		assert_false(is_vertex(m, stub - 4));
		/* nested: splits come in the order in which more segments have them */
		uint32_t most = 0;
		for (size_t e = 0; e < m->graph.edge_count; e++) most = m->graph.order[e] > most ? m->graph.order[e] : most;
		assert_int_equal(most, m->graph.edge_count - 4);
	}
	end(m);
}

static void limits_of_length_hold(void **state)
{
	(void)state;
	made *m = begin(ossai_v3(0, 0, 0), 0.01, 1);
	uint32_t last = test_path_to(&m->t, 0, ossai_v3(1, 0, 0), 100, 0.01);
	ossai_skeletal_options options = ossai_skeletal_options_default();
	make(m, &options);
	/* straight: quarters */
	assert_int_equal(m->graph.edge_count, 4);
	for (uint32_t i = 0; i <= 100; i++) assert_int_equal(is_vertex(m, i), i % 25 == 0);
	/* within the limits only where it errs */
	options.max_fraction = 1;
	make(m, &options);
	assert_int_equal(m->graph.edge_count, 1);
	last = test_path_to(&m->t, last, ossai_v3(1, 0.6, 0), 60, 0.01);
	options.max_fraction = 2;
	make(m, &options);
	assert_int_equal(m->graph.edge_count, 2);
	assert_true(is_vertex(m, 100));
	options.tolerance = 0.6;
	make(m, &options);
	assert_int_equal(m->graph.edge_count, 1);
	/* all of it */
	options = (ossai_skeletal_options){0};
	make(m, &options);
	assert_int_equal(m->graph.edge_count, 160);
	options.min_fraction = options.max_fraction = 5;
	make(m, &options);
	assert_int_equal(m->graph.edge_count, 1);
	(void)last;
	end(m);
}

static void every_chain_has_an_edge(void **state)
{
	(void)state;
	/* junctions in one ball stay as they are: three at the palm, and a finger from the first node
	   of all */
	made *m = begin(ossai_v3(0, -4, 0), 0.4, 5);
	const uint32_t palm = test_path_to(&m->t, 0, ossai_v3(0, 0, 0), 20, 1);
	const uint32_t thumb = test_path_to(&m->t, palm - 2, ossai_v3(3, 0.5, 0), 20, 0.3);
	const uint32_t middle = test_path_to(&m->t, palm, ossai_v3(0, 0.8, 0), 4, 0.9);
	test_path_to(&m->t, palm, ossai_v3(-2, 3, 0), 20, 0.3);
	test_path_to(&m->t, middle, ossai_v3(0, 4, 0), 20, 0.3);
	test_path_to(&m->t, middle, ossai_v3(1, 4, 0), 20, 0.3);
	const ossai_skeletal_options options = {.max_fraction = 10, .tolerance = 10};
	make(m, &options);
	assert_int_equal(m->graph.edge_count, 7);
	assert_true(is_vertex(m, palm) && is_vertex(m, palm - 2) && is_vertex(m, middle) && is_vertex(m, thumb));
	test_path_to(&m->t, 0, ossai_v3(3, -4, 0), 20, 0.3);
	test_path_to(&m->t, 0, ossai_v3(-3, -4, 0), 20, 0.3);
	make(m, &options);
	assert_int_equal(m->graph.edge_count, 9);
	end(m);
}

/* ---- trees of nothing ---- */

static void hardly_any_tree(void **state)
{
	(void)state;
	made *m = begin(ossai_v3(1, 2, 3), 0, 0);
	ossai_skeletal_options options = ossai_skeletal_options_default();
	make(m, &options);
	assert_int_equal(m->graph.edge_count, 0);
	assert_true(is_vertex(m, 0));
	assert_int_equal(m->graph.edge_of_node[0], OSSA_NONE);
	/* all at one point, with junctions */
	uint32_t last = 0;
	for (int i = 0; i < 20; i++) {
		last = test_path_to(&m->t, last, ossai_v3(1, 2, 3), 5, 0);
		test_path_to(&m->t, last, ossai_v3(1, 2, 3), 2, 0);
	}
	make(m, &options);
	assert_int_equal(m->graph.edge_count, 39);
	options.max_fraction = options.min_fraction = options.tolerance = 0;
	make(m, &options);
	end(m);
}

static void bad_numbers_are_refused(void **state)
{
	(void)state;
	made *m = begin(ossai_v3(0, 0, 0), 0.1, 1);
	ossai_skeletal_options options = ossai_skeletal_options_default();
	options.min_fraction = 0.5;
	assert_fails(m->context, ossai_skeletal_graph_make(&m->arena, &m->t.tree, &options, &m->graph), OSSA_ERROR_ARGUMENT,
		"min-fraction (0.5)");
	options = ossai_skeletal_options_default();
	options.tolerance = NAN;
	assert_fails(m->context, ossai_skeletal_options_check(m->context, &options), OSSA_ERROR_ARGUMENT, "tolerance (nan)");
	options.tolerance = -1;
	assert_fails(m->context, ossai_skeletal_options_check(m->context, &options), OSSA_ERROR_ARGUMENT, "0 or more");
	end(m);
}

static ossa_status sweep(ossa_context *context, void *arg)
{
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_skeletal_options options = ossai_skeletal_options_default();
	ossai_skeletal_graph graph;
	const ossa_status status = ossai_skeletal_graph_make(&arena, arg, &options, &graph);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	made *m = begin(ossai_v3(0, 0, 0), 0.1, 1);
	const uint32_t junction = test_path_to(&m->t, 0, ossai_v3(1, 0, 0), 40, 0.1);
	bend(m, junction, 1, 0.2);
	bend(m, junction, -1, 0.3);
	assert_true(test_allocation_sweep(sweep, &m->t.tree, 200, 1) >= 4);
	end(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(splits_are_those_of_a_plain_recursion),
		cmocka_unit_test(the_worst_of_all_goes_first),
		cmocka_unit_test(limits_of_length_hold),
		cmocka_unit_test(every_chain_has_an_edge),
		cmocka_unit_test(hardly_any_tree),
		cmocka_unit_test(bad_numbers_are_refused),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
