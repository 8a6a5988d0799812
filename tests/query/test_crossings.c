/* tests/query/test_crossings.c: intersecting faces: known pairs, then the tree against all
   pairs. */
#include "support/surfaces.h"
#include "support/support.h"
#include "query/crossings.h"

#include <stdlib.h>

/* ---- two faces ---- */

/* the face in z = 0 with corners 0 0, 4 0, 0 4, and another one */
static bool crosses_flat(float ax, float ay, float az, float bx, float by, float bz, float cx, float cy, float cz)
{
	const float positions[] = {0, 0, 0, 4, 0, 0, 0, 4, 0, ax, ay, az, bx, by, bz, cx, cy, cz};
	const uint32_t triangles[] = {0, 1, 2, 3, 4, 5};
	const bool crosses = ossai_faces_cross(positions, triangles, 0, 1);
	assert_true(crosses == ossai_faces_cross(positions, triangles, 1, 0));
	return crosses;
}

static void two_faces_cross_or_not(void **state)
{
	(void)state;
	/* a needle through the middle; beside it; short of it */
	assert_true(crosses_flat(1, 1, -1, 1, 1, 1, 1.1F, 1, 1));
	assert_false(crosses_flat(3, 3, -1, 3, 3, 1, 3.1F, 3, 1));
	assert_false(crosses_flat(1, 1, 0.5F, 1, 1, 1, 1.1F, 1, 1));
	/* a large one that the flat one pokes through: none of its own edges meets the flat one */
	assert_true(crosses_flat(1, -50, -50, 1, 50, -50, 1, 0, 80));
	/* straddling both planes, yet apart */
	assert_false(crosses_flat(-9, -9, -1, -9, -9, 1, -8, -9, 1));
	/* touching: a corner on the face, an edge along it; the same plane; the same face */
	assert_false(crosses_flat(1, 1, 0, 1, 1, 1, 2, 1, 1));
	assert_false(crosses_flat(1, 1, 0, 2, 1, 0, 1, 1, 1));
	assert_false(crosses_flat(1, 1, 0, 5, 1, 0, 1, 5, 0));
	assert_false(crosses_flat(0, 0, 0, 4, 0, 0, 0, 4, 0));
	/* a face without area is no obstacle */
	assert_false(crosses_flat(1, 1, 0, 1, 1, 0, 1, 1, 0));
}

/* ---- many faces ---- */

typedef struct soup {
	size_t vertex_count, face_count;
	float *positions;
	uint32_t *triangles, *groups;
	uint8_t *passed_over;
} soup;

/* faces of random size anywhere; every third one shares a corner with the one before it */
static soup make_soup(ossai_arena *arena, size_t face_count, uint64_t *state)
{
	soup s = {3 * face_count, face_count, NULL, NULL, NULL, NULL};
	s.positions = ossai_arena_new(arena, s.vertex_count, 3 * sizeof *s.positions);
	s.triangles = ossai_arena_new(arena, face_count, 3 * sizeof *s.triangles);
	s.groups = ossai_arena_new(arena, face_count, sizeof *s.groups);
	s.passed_over = ossai_arena_new(arena, face_count, 1);
	assert_non_null(s.passed_over);
	for (size_t f = 0; f < face_count; f++) {
		const ossai_vec3 at = test_random_point(state, 1);
		for (size_t k = 0; k < 3; k++) {
			const ossai_vec3 p = ossai_add(at, test_random_point(state, 0.15));
			const size_t v = 3 * f + k;
			s.positions[3 * v] = (float)p.x;
			s.positions[3 * v + 1] = (float)p.y;
			s.positions[3 * v + 2] = (float)p.z;
			s.triangles[v] = (uint32_t)v;
		}
		if (f % 3 == 2) s.triangles[3 * f] = s.triangles[3 * f - 1];
		s.groups[f] = f % 4 == 0 ? 0 : f % 4 == 1 ? 1 : OSSA_NONE;
		s.passed_over[f] = f % 7 == 0;
	}
	return s;
}

static bool share_corner(const soup *s, size_t f, size_t g)
{
	for (size_t i = 0; i < 9; i++) {
		if (s->triangles[3 * f + i / 3] == s->triangles[3 * g + i % 3]) return true;
	}
	return false;
}

static bool crosses_plainly(const soup *s, size_t f, bool with_groups)
{
	for (size_t g = 0; g < s->face_count; g++) {
		if (g == f || share_corner(s, f, g)) continue;
		if (with_groups && s->groups[f] != OSSA_NONE && s->groups[f] == s->groups[g]) continue;
		if (ossai_faces_cross(s->positions, s->triangles, f, g)) return true;
	}
	return false;
}

static void the_tree_finds_what_all_pairs_do(void **state)
{
	(void)state;
	uint64_t random = 11;
	for (size_t face_count = 1; face_count < 3000; face_count = face_count * 3 + 1) {
		ossa_context *context = test_context(3);
		ossai_arena arena = ossai_arena_begin(context);
		const soup s = make_soup(&arena, face_count, &random);
		uint8_t *crosses = ossai_arena_new(&arena, face_count, 1);
		assert_non_null(crosses);
		ossai_face_tree tree;
		const ossai_mesh_view mesh = {.face_count = face_count, .triangles = s.triangles, .floats = s.positions};
		assert_ok(context, ossai_face_tree_make(&arena, &mesh, &tree));
		const ossai_crossing_query plain = {&tree, face_count, s.triangles, NULL, NULL};
		size_t found = 0;
		ossai_face_crossings(context, &plain, crosses);
		for (size_t f = 0; f < face_count; f++) {
			assert_int_equal(crosses[f], crosses_plainly(&s, f, false));
			found += crosses[f];
		}
		assert_true(face_count < 300 || (found > face_count / 20 && found < face_count));
		ossai_face_tree_set_groups(&tree, s.groups);
		const ossai_crossing_query grouped = {&tree, face_count, s.triangles, s.groups, s.passed_over};
		ossai_face_crossings(context, &grouped, crosses);
		for (size_t f = 0; f < face_count; f++) {
			assert_int_equal(crosses[f], !s.passed_over[f] && crosses_plainly(&s, f, true));
		}
		ossai_arena_end(&arena);
		test_context_end(context);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_faces_cross_or_not),
		cmocka_unit_test(the_tree_finds_what_all_pairs_do),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
