/* tests/weights/test_surface_match.c: the places of a few points on two squares that face each
   other: which is sure, where it is, and faces that look inwards. */
#include "support/support.h"
#include "weights/surface_match.h"

#include <string.h>

/* squares of side 1 at z = 0, which looks down, and at z = 0.1, which looks up: a thin plate */
static const float plate[24] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0.1f, 1, 0, 0.1f, 1, 1, 0.1f, 0, 1, 0.1f};
static const uint32_t plate_faces[12] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7};

typedef struct matched {
	ossai_arena arena;
	ossa_mesh *mesh, *other;
	ossai_match_surface from, to;
	ossai_surface_match match;
} matched;

/* the places on the plate of a triangle around (0.5, 0.5, z), which looks up, or down */
static void match_triangle(ossa_context *context, float z, bool is_up, matched *m)
{
	const float positions[9] = {0.25f, 0.25f, z, 0.75f, 0.25f, z, 0.5f, 0.75f, z};
	const uint32_t up[3] = {0, 1, 2}, down[3] = {0, 2, 1};
	m->arena = ossai_arena_begin(context);
	assert_ok(context, ossa_mesh_create(context, 3, positions, 1, is_up ? up : down, &m->mesh));
	assert_ok(context, ossa_mesh_create(context, 8, plate, 4, plate_faces, &m->other));
	assert_ok(context, ossai_match_surface_make(&m->arena, m->mesh, &m->from));
	assert_ok(context, ossai_match_surface_make(&m->arena, m->other, &m->to));
	assert_ok(context, ossai_surface_match_make(&m->arena, &m->from, &m->to, 0.2, 30, &m->match));
}

static void end(ossa_context *context, matched *m)
{
	ossa_mesh_free(context, m->mesh);
	ossa_mesh_free(context, m->other);
	ossai_arena_end(&m->arena);
}

static void a_place_is_where_the_surface_is_nearest(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	matched m;
	match_triangle(context, 0.15f, true, &m);
	for (size_t p = 0; p < 3; p++) {
		ossai_vec3 place = {0, 0, 0};
		assert_int_equal(m.match.kind[p], OSSAI_MATCH_SURE);
		assert_in_range(m.match.face[p], 2, 3);
		assert_near(m.match.distance[p], 0.05, 1e-6);
		for (size_t k = 0; k < 3; k++) {
			const float *corner = plate + 3 * plate_faces[3 * m.match.face[p] + k];
			place = ossai_madd(place, m.match.share[3 * p + k], ossai_v3_of_float(corner));
		}
		assert_near_vec3(place, ossai_v3((double)m.mesh->positions[3 * p], (double)m.mesh->positions[3 * p + 1], 0.1), 1e-6);
	}
	end(context, &m);
	test_context_end(context);
}

/* the sides of the plate are near each other, and the nearer one looks the other way: most points
   of the piece say so, and its faces count as turned over */
static void a_piece_that_is_inside_out_is_turned(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	matched m;
	match_triangle(context, 0.12f, false, &m);
	for (size_t p = 0; p < 3; p++) {
		assert_int_equal(m.match.kind[p], OSSAI_MATCH_SURE);
		assert_in_range(m.match.face[p], 2, 3);
	}
	end(context, &m);
	test_context_end(context);
}

/* just within the largest distance, and just beyond it */
static void farther_places_are_not_sure(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	matched m;
	match_triangle(context, 0.299f, true, &m);
	assert_int_equal(m.match.kind[0], OSSAI_MATCH_SURE);
	end(context, &m);
	match_triangle(context, 0.301f, true, &m);
	assert_int_equal(m.match.kind[0], OSSAI_MATCH_FAR);
	assert_in_range(m.match.face[0], 2, 3);
	end(context, &m);
	test_context_end(context);
}

/* a square of two triangles, one of which is bent by 90 degrees: its normals are uncertain by what
   the faces differ */
static void normals_are_as_uncertain_as_their_faces(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	const float positions[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
	const uint32_t triangles[6] = {0, 1, 2, 0, 3, 1};
	ossa_mesh *mesh;
	ossai_match_surface surface;
	assert_ok(context, ossa_mesh_create(context, 4, positions, 2, triangles, &mesh));
	assert_ok(context, ossai_match_surface_make(&arena, mesh, &surface));
	assert_near(surface.spread[0], OSSAI_PI / 4, 1e-6);
	assert_near(surface.spread[2], 0, 1e-3);
	ossa_mesh_free(context, mesh);
	ossai_arena_end(&arena);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_place_is_where_the_surface_is_nearest),
		cmocka_unit_test(a_piece_that_is_inside_out_is_turned),
		cmocka_unit_test(farther_places_are_not_sure),
		cmocka_unit_test(normals_are_as_uncertain_as_their_faces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
