/* tests/math/test_shortest_paths.c: Dijkstra's algorithm against Floyd and Warshall's on small
   graphs: with ties, parallel edges, unreachable nodes and edges of no length. */
#include "math/shortest_paths.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <ossa/mesh.h>

enum { NODES = 12, EDGES = 16, SOURCES = 3 };

typedef struct bench {
	ossa_context *context;
	ossai_arena arena;
	uint32_t edge[2 * EDGES];
	double points[3 * NODES];
	ossai_edge_graph graph;
} bench;

/* points on a small lattice, so that many paths are equally long and some points are one */
static bench make_bench(uint64_t seed)
{
	bench b = {.context = test_context(1)};
	b.arena = ossai_arena_begin(b.context);
	for (int i = 0; i < 3 * NODES; i++) b.points[i] = floor(2 * test_random(&seed));
	for (int i = 0; i < 2 * EDGES; i++) b.edge[i] = (uint32_t)(NODES * fabs(test_random(&seed))) % NODES;
	assert_ok(b.context, ossai_edge_graph_of_points(&b.arena, NODES, b.points, EDGES, b.edge, &b.graph));
	return b;
}

static void end(bench *b)
{
	ossai_arena_end(&b->arena);
	test_context_end(b->context);
}

static void by_floyd_and_warshall(const bench *b, double distance[NODES][NODES])
{
	for (int i = 0; i < NODES; i++) {
		for (int j = 0; j < NODES; j++) distance[i][j] = i == j ? 0 : INFINITY;
	}
	for (int e = 0; e < EDGES; e++) {
		const uint32_t i = b->edge[2 * e], j = b->edge[2 * e + 1];
		const double length = ossai_distance(ossai_v3_of(b->points + 3 * i), ossai_v3_of(b->points + 3 * j));
		distance[i][j] = distance[j][i] = fmin(distance[i][j], length);
	}
	for (int k = 0; k < NODES; k++) {
		for (int i = 0; i < NODES; i++) {
			for (int j = 0; j < NODES; j++) distance[i][j] = fmin(distance[i][j], distance[i][k] + distance[k][j]);
		}
	}
}

static void assert_same(double a, double b) { assert_true(a == b || fabs(a - b) < 1e-12); }

static void distances_are_those_of_all_pairs(void **state)
{
	(void)state;
	size_t unreached = 0;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		bench b = make_bench(seed);
		double all[NODES][NODES];
		ossai_path_lengths field;
		by_floyd_and_warshall(&b, all);
		assert_ok(b.context, ossai_path_lengths_make(&b.arena, &b.graph, &field));
		for (uint32_t from = 0; from < NODES; from++) {
			ossai_path_lengths_clear(&field);
			ossai_path_lengths_add(&b.graph, 1, &from, 7, &field);
			for (int v = 0; v < NODES; v++) {
				assert_same(field.distance[v], all[from][v]);
				assert_int_equal(field.source[v], isfinite(all[from][v]) ? 7 : OSSA_NONE);
				unreached += !isfinite(all[from][v]);
			}
		}
		end(&b);
	}
	assert_true(unreached > 100);
}

/* The same lengths without a heap, to the last bit: on the small graphs, and on a lattice whose
   edges are from 0 to 1 long, where paths turn back and forth between bands. */
static void lengths_alone_are_the_same(void **state)
{
	(void)state;
	enum { SIDE = 40, POINTS = SIDE * SIDE };
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	uint32_t *edge = ossai_arena_new(&arena, 4 * POINTS, sizeof *edge);
	double *points = ossai_arena_zero(&arena, 3 * POINTS, sizeof *points);
	double *distance = ossai_arena_new(&arena, POINTS, sizeof *distance);
	assert_true(edge && points && distance);
	size_t count = 0;
	for (uint32_t i = 0; i < POINTS; i++) {
		if (i % SIDE + 1 < SIDE) edge[2 * count] = i, edge[2 * count++ + 1] = i + 1;
		if (i + SIDE < POINTS) edge[2 * count] = i, edge[2 * count++ + 1] = i + SIDE;
	}
	ossai_edge_graph graph;
	ossai_path_lengths field;
	ossai_path_front front;
	assert_ok(context, ossai_edge_graph_of_points(&arena, POINTS, points, count, edge, &graph));
	uint64_t seed = 5;
	for (size_t i = 0; i < 2 * count; i++) {
		const double length = fabs(test_random(&seed));
		graph.length[i] = i % 3 == 0 ? 0.01 * length : length;
	}
	assert_ok(context, ossai_path_lengths_make(&arena, &graph, &field));
	assert_ok(context, ossai_path_front_make(&arena, &graph, &front));
	for (uint32_t from = 0; from < POINTS; from += 123) {
		ossai_path_lengths_clear(&field);
		ossai_path_lengths_add(&graph, 1, &from, 0, &field);
		ossai_path_lengths_from(&graph, from, &front, distance);
		assert_memory_equal(distance, field.distance, POINTS * sizeof *distance);
	}
	ossai_arena_end(&arena);
	test_context_end(context);
	for (seed = 1; seed <= 60; seed++) {
		bench b = make_bench(seed);
		double all[NODES];
		assert_ok(b.context, ossai_path_lengths_make(&b.arena, &b.graph, &field));
		assert_ok(b.context, ossai_path_front_make(&b.arena, &b.graph, &front));
		for (uint32_t from = 0; from < NODES; from++) {
			ossai_path_lengths_clear(&field);
			ossai_path_lengths_add(&b.graph, 1, &from, 0, &field);
			ossai_path_lengths_from(&b.graph, from, &front, all);
			assert_memory_equal(all, field.distance, sizeof all);
		}
		end(&b);
	}
}

/* the nearest of several sources; where they are added one after the other the first keeps what
   is as near to it */
static void many_sources_share_the_nodes(void **state)
{
	(void)state;
	size_t ties = 0;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		bench b = make_bench(seed);
		double all[NODES][NODES];
		const uint32_t source[SOURCES] = {0, 5, 9};
		ossai_path_lengths at_once, grown;
		by_floyd_and_warshall(&b, all);
		assert_ok(b.context, ossai_path_lengths_make(&b.arena, &b.graph, &at_once));
		assert_ok(b.context, ossai_path_lengths_make(&b.arena, &b.graph, &grown));
		ossai_path_lengths_add(&b.graph, SOURCES, source, 0, &at_once);
		for (uint32_t s = 0; s < SOURCES; s++) ossai_path_lengths_add(&b.graph, 1, source + s, s, &grown);
		for (int v = 0; v < NODES; v++) {
			uint32_t nearest = 0;
			for (uint32_t s = 1; s < SOURCES; s++) {
				ties += all[source[s]][v] == all[source[nearest]][v];
				if (all[source[s]][v] < all[source[nearest]][v] - 1e-12) nearest = s;
			}
			assert_same(at_once.distance[v], all[source[nearest]][v]);
			assert_same(grown.distance[v], at_once.distance[v]);
			assert_int_equal(grown.source[v], isfinite(grown.distance[v]) ? nearest : OSSA_NONE);
			if (isfinite(at_once.distance[v])) assert_same(all[source[at_once.source[v]]][v], at_once.distance[v]);
		}
		end(&b);
	}
	assert_true(ties > 50);
}

static ossa_status make_in_sweep(ossa_context *context, void *arg)
{
	const bench *b = arg;
	ossai_arena arena = ossai_arena_begin(context);
	ossai_edge_graph graph;
	ossai_path_lengths field;
	ossai_path_front front;
	ossa_status status = ossai_edge_graph_of_points(&arena, NODES, b->points, EDGES, b->edge, &graph);
	if (status == OSSA_OK) status = ossai_path_lengths_make(&arena, &graph, &field);
	if (status == OSSA_OK) status = ossai_path_front_make(&arena, &graph, &front);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	bench b = make_bench(1);
	test_allocation_sweep(make_in_sweep, &b, 50, 1);
	end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distances_are_those_of_all_pairs),
		cmocka_unit_test(lengths_alone_are_the_same),
		cmocka_unit_test(many_sources_share_the_nodes),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
