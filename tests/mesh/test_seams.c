/* tests/mesh/test_seams.c: the sides of seams become one, surfaces that touch stay apart. */
#include "mesh/seams.h"
#include "support/support.h"

#include <string.h>

/* a closed tetrahedron between four points */
static const float tetrahedron[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint32_t tetrahedron_faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static ossai_weld weld(ossai_arena *arena, size_t vertices, const float *positions, size_t faces, const uint32_t *triangles)
{
	const ossai_mesh_view mesh = ossai_view_of_floats(vertices, positions, faces, triangles);
	ossai_weld made;
	assert_ok(arena->context, ossai_seams_weld(arena, &mesh, &made));
	for (size_t i = 0; i < 3 * faces; i++) {
		assert_int_equal(made.triangles[i], made.point_of_vertex[triangles[i]]);
		const uint32_t first = made.vertex_of_point[made.triangles[i]];
		assert_memory_equal(positions + 3 * first, positions + 3 * triangles[i], 3 * sizeof *positions);
	}
	return made;
}

static void corners_of_a_soup_become_points(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	float positions[36];
	uint32_t triangles[12];
	for (uint32_t i = 0; i < 12; i++) {
		triangles[i] = i;
		memcpy(positions + 3 * i, tetrahedron + 3 * tetrahedron_faces[i], 3 * sizeof *positions);
	}
	const ossai_weld made = weld(&arena, 12, positions, 4, triangles);
	assert_int_equal(made.point_count, 4);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void closed_surfaces_that_touch_stay_apart(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	float positions[24];
	uint32_t triangles[24];
	memcpy(positions, tetrahedron, sizeof tetrahedron);
	memcpy(positions + 12, tetrahedron, sizeof tetrahedron);
	for (size_t i = 0; i < 12; i++) {
		triangles[i] = tetrahedron_faces[i];
		triangles[12 + i] = 4 + tetrahedron_faces[i];
	}
	assert_int_equal(weld(&arena, 8, positions, 8, triangles).point_count, 8);
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* two open triangles with one point in common, and a vertex that no face uses there too */
static void points_alone_join_nothing(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	const float positions[21] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, 0};
	const uint32_t triangles[6] = {0, 1, 2, 3, 4, 5};
	const ossai_weld made = weld(&arena, 7, positions, 2, triangles);
	assert_int_equal(made.point_count, 6);
	assert_int_equal(made.point_of_vertex[6], OSSA_NONE);
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* a sheet cut along its middle, one half of it numbered the other way round; a face without area */
static void the_sides_of_a_cut_are_joined(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	const float positions[24] = {0, 0, 0, 0, 1, 0, -1, 0, 0, -1, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0};
	const uint32_t triangles[15] = {2, 0, 1, 2, 1, 3, 5, 6, 7, 5, 7, 4, 0, 0, 1};
	const ossai_weld made = weld(&arena, 8, positions, 5, triangles);
	assert_int_equal(made.point_count, 6);
	assert_int_equal(made.point_of_vertex[0], made.point_of_vertex[5]);
	assert_int_equal(made.point_of_vertex[1], made.point_of_vertex[4]);
	ossai_arena_end(&arena);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(corners_of_a_soup_become_points),
		cmocka_unit_test(closed_surfaces_that_touch_stay_apart),
		cmocka_unit_test(points_alone_join_nothing),
		cmocka_unit_test(the_sides_of_a_cut_are_joined),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
