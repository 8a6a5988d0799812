/* tests/surface/test_coarse_surface.c: few vertices that stand for all: what must hold of any
   coarse surface, counted by plain loops. */
#include "surface/coarse_surface.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <stdlib.h>
#include <string.h>

/* vertices - edges + faces: 2 for each closed piece without handles */
static long euler_number(const ossai_posed_surface *s)
{
	const size_t edges = s->adjacency.vertex_start[s->vertex_count] / 2;
	return (long)s->used_count - (long)edges + (long)s->face_count;
}

static size_t border_faces(const ossai_posed_surface *s)
{
	size_t count = 0;
	for (size_t f = 0; f < s->face_count; f++) count += s->adjacency.face_on_border[f];
	return count;
}

static void assert_stands_for_all(const ossai_posed_surface *fine, const ossai_coarse_surface *coarse)
{
	const ossai_posed_surface *s = &coarse->surface;
	uint32_t *count = calloc(s->vertex_count, sizeof *count);
	for (size_t v = 0; v < fine->vertex_count; v++) {
		assert_int_equal(coarse->of_vertex[v] != OSSA_NONE, fine->used[v]);
		if (!fine->used[v]) continue;
		count[coarse->of_vertex[v]]++;
		assert_int_equal(s->piece_of_vertex[coarse->of_vertex[v]], fine->piece_of_vertex[v]);
	}
	for (size_t v = 0; v < s->vertex_count; v++) assert_true(count[v] > 0 && s->used[v]);
	for (size_t f = 0; f < fine->face_count; f++) assert_true(coarse->of_face[f] < s->face_count);
	free(count);
}

/* each vertex of the coarse surface is one of the fine surface's, in rest and poses */
static void assert_are_its_vertices(const ossai_posed_surface *fine, const ossai_coarse_surface *coarse)
{
	const ossai_posed_surface *s = &coarse->surface;
	for (size_t c = 0; c < s->vertex_count; c++) {
		bool found = false;
		for (size_t v = 0; v < fine->vertex_count && !found; v++) {
			if (coarse->of_vertex[v] != c) continue;
			found = memcmp(fine->rest + 3 * v, s->rest + 3 * c, 3 * sizeof *s->rest) == 0 &&
				memcmp(fine->poses + 3 * v * s->pose_count, s->poses + 3 * c * s->pose_count,
					3 * s->pose_count * sizeof *s->poses) == 0;
		}
		assert_true(found);
	}
}

static void check_sample(ossa_sample_kind kind, size_t wanted)
{
	test_surface t = test_surface_sample(1, kind, 6000, 3);
	ossai_coarse_surface coarse;
	assert_ok(t.context, ossai_coarse_surface_make(t.context, &t.arena, &t.s, wanted, &coarse));
	assert_int_equal(coarse.surface.vertex_count, wanted);
	assert_int_equal(coarse.surface.piece_count, t.s.piece_count);
	assert_int_equal(euler_number(&coarse.surface), euler_number(&t.s));
	assert_int_equal(border_faces(&coarse.surface) > 0, border_faces(&t.s) > 0);
	assert_int_equal(coarse.surface.link_count > 0, t.s.link_count > 0);
	assert_stands_for_all(&t.s, &coarse);
	assert_are_its_vertices(&t.s, &coarse);
	test_surface_end(&t);
}

static void keeps_pieces_handles_and_borders(void **state)
{
	(void)state;
	check_sample(OSSA_SAMPLE_BIPED, 400);
	check_sample(OSSA_SAMPLE_PIECES, 600);
	check_sample(OSSA_SAMPLE_OPEN, 300);
}

/* an error over vertices is an error over those that stand for them only where each stands for
   about as many: none for more than eight times the mean */
static void each_stands_for_about_as_many(void **state)
{
	(void)state;
	test_surface t = test_surface_sample(1, OSSA_SAMPLE_QUADRUPED, 8000, 2);
	ossai_coarse_surface coarse;
	assert_ok(t.context, ossai_coarse_surface_make(t.context, &t.arena, &t.s, 500, &coarse));
	size_t count[500] = {0};
	for (size_t v = 0; v < t.s.vertex_count; v++) count[coarse.of_vertex[v]]++;
	for (size_t c = 0; c < 500; c++) assert_true(500 * count[c] <= 8 * t.s.used_count);
	test_surface_end(&t);
}

/* nothing below a tetrahedron or a triangle */
static void smallest_surfaces_stay(void **state)
{
	(void)state;
	const uint32_t triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3, 4, 5, 6};
	const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 0, 0, 6, 0, 0, 5, 1, 0};
	test_surface t = test_surface_make(1, 7, positions, 5, triangles, 1, NULL);
	ossai_coarse_surface coarse;
	assert_ok(t.context, ossai_coarse_surface_make(t.context, &t.arena, &t.s, 2, &coarse));
	assert_int_equal(coarse.surface.vertex_count, 7);
	assert_int_equal(coarse.surface.face_count, 5);
	test_surface_end(&t);
}

/* a vertex that only such a face uses has none that stands for it, and counts nowhere */
static void faces_that_name_a_vertex_twice_are_left_out(void **state)
{
	(void)state;
	const uint32_t triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3, 4, 4, 0};
	const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 0, 0};
	test_surface t = test_surface_make(1, 5, positions, 5, triangles, 1, NULL);
	ossai_coarse_surface coarse;
	assert_ok(t.context, ossai_coarse_surface_make(t.context, &t.arena, &t.s, 2, &coarse));
	assert_int_equal(coarse.surface.used_count, 4);
	assert_int_equal(coarse.surface.face_count, 4);
	for (size_t v = 0; v < 5; v++) assert_int_equal(coarse.of_vertex[v] == OSSA_NONE, v == 4);
	for (size_t f = 0; f < 5; f++) assert_true(coarse.of_face[f] < 4);
	test_surface_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(keeps_pieces_handles_and_borders),
		cmocka_unit_test(each_stands_for_about_as_many), cmocka_unit_test(smallest_surfaces_stay),
		cmocka_unit_test(faces_that_name_a_vertex_twice_are_left_out)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
