/* tests/surface/test_inspect.c: counts and measures of surfaces small enough to count by hand. */
#include "support/support.h"

#include <math.h>

/* a cube of side 1 around `at`, outward faces; `faces` of its 12 triangles are used */
static ossa_mesh *cube(ossa_context *context, float at, size_t faces)
{
	float positions[24];
	for (int v = 0; v < 8; v++) {
		for (int k = 0; k < 3; k++) positions[3 * v + k] = at + (float)(v >> k & 1);
	}
	static const uint32_t triangles[36] = {
		0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
	ossa_mesh *mesh = NULL;
	assert_ok(context, ossa_mesh_create(context, 8, positions, faces, triangles, &mesh));
	return mesh;
}

static void closed_cube(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	/* far from the origin the volume must not drown */
	ossa_mesh *mesh = cube(context, 1000, 12);
	ossa_mesh_facts facts;
	assert_ok(context, ossa_mesh_inspect(context, mesh, &facts));
	assert_int_equal(facts.polygons_by_corners[0], 12);
	assert_int_equal(facts.pieces, 1);
	assert_int_equal(facts.edges, 18);
	assert_int_equal(facts.border_edges, 0);
	assert_int_equal(facts.crowded_edges, 0);
	assert_int_equal(facts.degenerate_triangles, 0);
	assert_int_equal(facts.unused_vertices, 0);
	assert_near(facts.area, 6, 1e-9);
	assert_near(facts.volume, 1, 1e-9);
	assert_near(facts.diagonal, 1.7320508, 1e-6);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void open_cube(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = cube(context, 0, 10); /* without the face x = 1 */
	ossa_mesh_facts facts;
	assert_ok(context, ossa_mesh_inspect(context, mesh, &facts));
	assert_int_equal(facts.border_edges, 4);
	assert_int_equal(facts.edges, 17);
	ossa_mesh_free(context, mesh);
	mesh = cube(context, 0, 2);
	assert_ok(context, ossa_mesh_inspect(context, mesh, &facts));
	assert_int_equal(facts.unused_vertices, 4);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void faults(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	/* three faces on one edge, a face that repeats a vertex, one with its corners on a line, a
	   piece apart */
	static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 2, 0, 0, 5, 5, 5, 6, 5, 5, 5, 6, 5};
	static const uint32_t triangles[] = {0, 1, 2, 1, 0, 3, 0, 1, 4, 0, 0, 2, 0, 1, 5, 6, 7, 8};
	ossa_mesh *mesh = NULL;
	assert_ok(context, ossa_mesh_create(context, 9, positions, 6, triangles, &mesh));
	ossa_mesh_facts facts;
	assert_ok(context, ossa_mesh_inspect(context, mesh, &facts));
	assert_int_equal(facts.crowded_edges, 1);
	assert_int_equal(facts.degenerate_triangles, 2);
	assert_int_equal(facts.pieces, 2);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static ossa_status inspect_body(ossa_context *context, void *mesh)
{
	ossa_mesh_facts facts;
	return ossa_mesh_inspect(context, mesh, &facts);
}

static void allocation_failures(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = cube(context, 0, 12);
	assert_true(test_allocation_sweep(inspect_body, mesh, 1000, 1) > 1);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(closed_cube), cmocka_unit_test(open_cube), cmocka_unit_test(faults),
		cmocka_unit_test(allocation_failures)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
