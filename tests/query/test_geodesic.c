/* tests/query/test_geodesic.c: shortest paths over a surface against a plain search, against
   straight lines on flat sheets, across folds and links. */
#include "query/geodesic.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <string.h>

static ossai_edge_graph make_graph(test_surface *t, double bend)
{
	ossai_edge_graph graph;
	assert_ok(t->context, ossai_posed_surface_geodesics(&t->arena, &t->s, bend, &graph));
	assert_int_equal(graph.neighbors.row_count, t->s.vertex_count);
	return graph;
}

static ossai_path_lengths reach_from(test_surface *t, const ossai_edge_graph *graph, size_t count, const uint32_t *vertices)
{
	ossai_path_lengths reach;
	assert_ok(t->context, ossai_path_lengths_make(&t->arena, graph, &reach));
	ossai_path_lengths_add(graph, count, vertices, 0, &reach);
	return reach;
}

/* a flat sheet of n x n squares of side 1, all cut alike, and its size in diagonals */
static test_surface make_sheet(size_t n, double *side)
{
	float positions[3 * 32 * 32];
	uint32_t triangles[6 * 32 * 32];
	assert_true(n < 32);
	for (size_t i = 0; i < (n + 1) * (n + 1); i++) {
		positions[3 * i] = (float)(i % (n + 1));
		positions[3 * i + 1] = (float)(i / (n + 1));
		positions[3 * i + 2] = 0;
	}
	for (size_t i = 0; i < n * n; i++) {
		const uint32_t a = (uint32_t)(i / n * (n + 1) + i % n), b = a + (uint32_t)n + 1;
		const uint32_t two[6] = {a, a + 1, b + 1, a, b + 1, b};
		memcpy(triangles + 6 * i, two, sizeof two);
	}
	*side = 1 / (sqrt(2) * (double)n);
	return test_surface_make(1, (n + 1) * (n + 1), positions, 2 * n * n, triangles, 1, NULL);
}

static void no_way_is_shorter_than_the_line_or_eight_percent_longer(void **state)
{
	(void)state;
	double side, worst = 0;
	test_surface t = make_sheet(20, &side);
	const ossai_edge_graph graph = make_graph(&t, 0);
	const uint32_t middle = 10 * 21 + 10;
	const ossai_path_lengths reach = reach_from(&t, &graph, 1, &middle);
	for (size_t v = 0; v < t.s.vertex_count; v++) {
		if (v == middle) continue;
		const double line = ossai_distance(ossai_rest_point(&t.s, v), ossai_rest_point(&t.s, middle));
		assert_true(reach.distance[v] >= line * (1 - 1e-12));
		worst = fmax(worst, reach.distance[v] / line);
	}
	assert_true(worst > 1.05 && worst < 1.083);
	test_surface_end(&t);
}

static void distances_are_those_of_a_plain_search(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 12, 5, 1);
	const ossai_edge_graph graph = make_graph(&t, 0.05);
	const uint32_t sources[3] = {0, 40, 77};
	const ossai_path_lengths reach = reach_from(&t, &graph, 3, sources);
	double distance[13 * 6];
	for (size_t v = 0; v < 78; v++) distance[v] = v == 0 || v == 40 || v == 77 ? 0 : INFINITY;
	/* the plain search relaxes all edges as often as there are vertices */
	for (size_t round = 0; round < 78; round++) {
		for (size_t v = 0; v < 78; v++) {
			for (uint32_t i = graph.neighbors.start[v]; i < graph.neighbors.start[v + 1]; i++) {
				distance[v] = fmin(distance[v], distance[graph.neighbors.item[i]] + graph.length[i]);
			}
		}
	}
	for (size_t v = 0; v < 78; v++) {
		assert_near(distance[v], reach.distance[v], 1e-14);
		/* its source is one that is as far */
		const ossai_path_lengths one = reach_from(&t, &graph, 1, &sources[reach.source[v]]);
		assert_near(one.distance[v], reach.distance[v], 1e-14);
	}
	test_surface_end(&t);
}

static void sources_added_later_change_nothing_but_what_they_are_nearer_to(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 15, 6, 1);
	const ossai_edge_graph graph = make_graph(&t, 0);
	const uint32_t sources[4] = {3, 50, 90, 104};
	const ossai_path_lengths whole = reach_from(&t, &graph, 4, sources);
	ossai_path_lengths grown = reach_from(&t, &graph, 1, sources);
	for (uint32_t i = 1; i < 4; i++) ossai_path_lengths_add(&graph, 1, sources + i, i, &grown);
	for (size_t v = 0; v < t.s.vertex_count; v++) assert_true(grown.distance[v] == whole.distance[v]);
	ossai_path_lengths_clear(&grown);
	assert_true(grown.distance[3] == INFINITY && grown.source[3] == OSSA_NONE);
	test_surface_end(&t);
}

/* two unit triangles over the edge 0-1, the second one turned about it */
static test_surface make_fold(double degrees)
{
	const double angle = degrees * OSSAI_PI / 180;
	const float p[] = {0, 0, 0, 0, 1, 0, 1, 0.5f, 0, (float)-cos(angle), 0.5f, (float)sin(angle)};
	const uint32_t triangles[] = {0, 1, 2, 1, 0, 3};
	return test_surface_make(1, 4, p, 2, triangles, 1, NULL);
}

static void ways_across_a_fold_are_as_long_as_unfolded_and_longer_where_it_bends(void **state)
{
	(void)state;
	const uint32_t from = 2;
	for (int degrees = 0; degrees < 180; degrees += 30) {
		test_surface t = make_fold(degrees);
		const ossai_edge_graph plain = make_graph(&t, 0), bent = make_graph(&t, 0.1);
		const double scale = t.s.scale, length = reach_from(&t, &plain, 1, &from).distance[3];
		assert_near(length * scale, 2, 1e-6);
		/* the normals of the own corners are those of their faces */
		const double turn = 2 * sin(degrees * OSSAI_PI / 360);
		const double expected = hypot(length, 0.1 * turn), found = reach_from(&t, &bent, 1, &from).distance[3];
		assert_near(found, expected, 1e-6);
		test_surface_end(&t);
	}
}

static void no_way_leaves_the_surface(void **state)
{
	(void)state;
	/* the corner at 0 juts in: the line from 2 to 3 would cross the edge's line beyond its end */
	const float p[] = {0, 0, 0, 0, 1, 0, 1, -2, 0, -1, -2, 0};
	const uint32_t triangles[] = {0, 1, 2, 1, 0, 3};
	test_surface t = test_surface_make(1, 4, p, 2, triangles, 1, NULL);
	const ossai_edge_graph graph = make_graph(&t, 0);
	const uint32_t from = 2;
	assert_near(reach_from(&t, &graph, 1, &from).distance[3] * t.s.scale, 2 * sqrt(5), 1e-6);
	test_surface_end(&t);
}

static void links_are_crossed_and_pieces_without_are_not_reached(void **state)
{
	(void)state;
	const float p[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1.25f, 0, 0, 2, 0, 0, 2, 1, 0};
	const uint32_t triangles[] = {0, 1, 2, 3, 4, 5}, from = 0;
	test_surface t = test_surface_make(1, 6, p, 2, triangles, 1, NULL);
	const ossai_edge_graph linked = make_graph(&t, 0);
	assert_near(reach_from(&t, &linked, 1, &from).distance[4] * t.s.scale, 2, 1e-6);
	t.s.link_count = 0;
	const ossai_edge_graph apart = make_graph(&t, 0);
	const ossai_path_lengths reach = reach_from(&t, &apart, 1, &from);
	assert_true(reach.distance[4] == INFINITY && reach.source[4] == OSSA_NONE);
	test_surface_end(&t);
}

static void coincident_corners_and_faces_without_area_are_no_obstacle(void **state)
{
	(void)state;
	const float p[] = {0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 2, 1, 0};
	const uint32_t triangles[] = {0, 1, 2, 1, 2, 3, 2, 3, 4, 4, 4, 3}, from = 0;
	/* in the pose the two part: they are not one vertex */
	const float pose[] = {0, 0, 0, 0, 0.1f, 0, 1, 0, 0, 1, 0, 0, 2, 1, 0};
	test_surface t = test_surface_make(1, 5, p, 4, triangles, 1, pose);
	const ossai_edge_graph graph = make_graph(&t, 0.05);
	const ossai_path_lengths reach = reach_from(&t, &graph, 1, &from);
	assert_true(reach.distance[1] == 0 && reach.distance[4] < 10);
	test_surface_end(&t);
}

/* against all nine pairs; of equally near ones the first */
static void links_are_crossed_at_the_nearest_corners(void **state)
{
	(void)state;
	uint64_t random = 4;
	const uint32_t triangles[] = {0, 1, 2, 3, 4, 5}, faces[] = {0, 1};
	uint32_t corner[2];
	for (int round = 0; round < 100; round++) {
		double p[18];
		for (int i = 0; i < 18; i++) p[i] = floor(3 * test_random(&random));
		const ossai_mesh_view mesh = ossai_view_of_doubles(6, p, 2, triangles);
		ossai_nearest_corners(&mesh, faces, corner);
		const double found = ossai_distance(ossai_view_point(&mesh, corner[0]), ossai_view_point(&mesh, corner[1]));
		for (uint32_t a = 0; a < 3; a++) {
			for (uint32_t b = 3; b < 6; b++) {
				const double other = ossai_distance(ossai_view_point(&mesh, a), ossai_view_point(&mesh, b));
				assert_true(other > found || (other == found && 3 * a + b >= 3 * corner[0] + corner[1]));
			}
		}
	}
}

static ossa_status reach_in_sweep(ossa_context *context, void *arg)
{
	ossai_arena arena = ossai_arena_begin(context);
	ossai_edge_graph graph;
	ossai_path_lengths reach;
	ossa_status status = ossai_posed_surface_geodesics(&arena, arg, 0.1, &graph);
	if (status == OSSA_OK) status = ossai_path_lengths_make(&arena, &graph, &reach);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 8, 4, 1);
	test_allocation_sweep(reach_in_sweep, &t.s, 100, 1);
	test_surface_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_way_is_shorter_than_the_line_or_eight_percent_longer),
		cmocka_unit_test(distances_are_those_of_a_plain_search),
		cmocka_unit_test(sources_added_later_change_nothing_but_what_they_are_nearer_to),
		cmocka_unit_test(ways_across_a_fold_are_as_long_as_unfolded_and_longer_where_it_bends),
		cmocka_unit_test(no_way_leaves_the_surface),
		cmocka_unit_test(links_are_crossed_and_pieces_without_are_not_reached),
		cmocka_unit_test(coincident_corners_and_faces_without_area_are_no_obstacle),
		cmocka_unit_test(links_are_crossed_at_the_nearest_corners),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
