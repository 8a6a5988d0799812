/* tests/proxy/test_coarsen.c: meshes of many triangles reduced to few: a sphere keeps its
   volume, a sheet its border. */
#include "proxy/coarsen.h"
#include "support/half_edges.h"
#include "support/support.h"

typedef struct bench {
	ossa_context *context;
	ossai_arena arena;
	uint32_t *merged;
} bench;

static bench begin(void)
{
	bench b = {.context = test_context(1)};
	b.arena = ossai_arena_begin(b.context);
	return b;
}

static void end(bench *b)
{
	ossai_arena_end(&b->arena);
	test_context_end(b->context);
}

static void coarsen(bench *b, ossai_half_edges *m, size_t wanted)
{
	b->merged = ossai_arena_new(&b->arena, m->vertex_count, sizeof *b->merged);
	assert_non_null(b->merged);
	assert_ok(b->context, ossai_coarsen(b->context, m, wanted, b->merged));
	test_assert_half_edges(m);
	/* each vertex maps to an existing one, near its old position */
	for (uint32_t v = 0; v < m->vertex_count; v++) {
		const uint32_t to = ossai_merged_into(b->merged, v);
		assert_true(m->out[to] != OSSA_NONE);
		assert_int_equal(to == v, m->out[v] != OSSA_NONE);
	}
}

static void a_sphere_keeps_its_volume(void **state)
{
	(void)state;
	bench b = begin();
	ossai_half_edges m = test_sphere(&b.arena, 4);
	const double volume = test_half_edges_volume(&m);
	assert_int_equal(m.live_vertices, 1026);
	coarsen(&b, &m, 200);
	assert_int_equal(m.live_vertices, 200);
	assert_int_equal(m.live_faces, 396);
	/* a polyhedron of 200 corners on the sphere would have lost 3 % */
	assert_near(test_half_edges_volume(&m), volume, 0.01 * volume);
	double shortest = INFINITY, longest = 0;
	for (uint32_t h = 0; h < 3 * m.face_count; h++) {
		if (m.vertex[h] == OSSA_NONE) continue;
		const double length = sqrt(ossai_edge_length2(&m, h));
		shortest = fmin(shortest, length);
		longest = fmax(longest, length);
		assert_near(ossai_length(ossai_edge_point(&m, m.vertex[h])), 1, 0.05);
	}
	/* even: neither the shortest nor the longest edge is far from the rest */
	assert_true(longest < 4 * shortest);
	end(&b);
}

static void a_sheet_keeps_its_border(void **state)
{
	(void)state;
	bench b = begin();
	ossai_half_edges m = test_flat_sheet(&b.arena, 20, 20, 0);
	coarsen(&b, &m, 60);
	assert_int_equal(m.live_vertices, 60);
	for (uint32_t v = 0; v < m.vertex_count; v++) {
		if (m.out[v] != OSSA_NONE) assert_near(ossai_edge_point(&m, v).z, 0, 1e-12);
	}
	/* corners may be cut, by little */
	assert_near(test_half_edges_area(&m), 400, 2);
	end(&b);
}

static void what_is_small_enough_stays(void **state)
{
	(void)state;
	bench b = begin();
	ossai_half_edges m = test_octahedron(&b.arena, 0);
	coarsen(&b, &m, 6);
	assert_int_equal(m.live_vertices, 6);
	end(&b);
}

/* nothing is less than a tetrahedron, however few vertices are wanted */
static void a_closed_mesh_stays_one(void **state)
{
	(void)state;
	bench b = begin();
	ossai_half_edges m = test_sphere(&b.arena, 2);
	coarsen(&b, &m, 0);
	assert_true(m.live_vertices >= 4 && m.live_vertices < 12);
	assert_int_equal(2 * m.live_vertices - 4, m.live_faces);
	assert_true(test_half_edges_volume(&m) > 0);
	end(&b);
}

static void merged_vertices_are_found_by_a_shorter_path(void **state)
{
	(void)state;
	uint32_t merged[] = {1, 2, 3, 4, 4};
	assert_int_equal(ossai_merged_into(merged, 0), 4);
	assert_int_equal(merged[0], 2);
	assert_int_equal(ossai_merged_into(merged, 4), 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sphere_keeps_its_volume),
		cmocka_unit_test(a_sheet_keeps_its_border),
		cmocka_unit_test(what_is_small_enough_stays),
		cmocka_unit_test(a_closed_mesh_stays_one),
		cmocka_unit_test(merged_vertices_are_found_by_a_shorter_path),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
