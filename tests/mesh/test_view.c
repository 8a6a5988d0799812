/* tests/mesh/test_view.c: a view of floats and one of the same numbers as doubles give the same
   results, in every query that takes either. */
#include "mesh/view.h"
#include "query/face_tree.h"
#include "query/winding_numbers.h"
#include "support/support.h"
#include "support/surfaces.h"

enum { POINTS = 20, FACES = 30, PLACES = 50 };

typedef struct both {
	float floats[3 * POINTS];
	double doubles[3 * POINTS];
	uint32_t triangles[3 * FACES];
	ossai_mesh_view of_floats, of_doubles;
} both;

static void make_both(uint64_t seed, both *b)
{
	for (int i = 0; i < 3 * POINTS; i++) b->doubles[i] = (double)(b->floats[i] = (float)test_random(&seed));
	for (int i = 0; i < 3 * FACES; i++) b->triangles[i] = (uint32_t)(POINTS * fabs(test_random(&seed))) % POINTS;
	b->of_floats = ossai_view_of_floats(POINTS, b->floats, FACES, b->triangles);
	b->of_doubles = ossai_view_of_doubles(POINTS, b->doubles, FACES, b->triangles);
}

static bool is_same(ossai_vec3 a, ossai_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static void points_and_corners_are_the_same(void **state)
{
	(void)state;
	both b;
	make_both(1, &b);
	for (size_t v = 0; v < POINTS; v++)
		assert_true(is_same(ossai_view_point(&b.of_floats, v), ossai_view_point(&b.of_doubles, v)));
	for (size_t f = 0; f < FACES; f++) {
		for (size_t k = 0; k < 3; k++) {
			const ossai_vec3 corner = ossai_view_corner(&b.of_doubles, f, k);
			assert_true(is_same(corner, ossai_v3_of(b.doubles + 3 * b.triangles[3 * f + k])));
			assert_true(is_same(corner, ossai_view_corner(&b.of_floats, f, k)));
		}
	}
}

static void floats_are_copied_only_where_they_are_not(void **state)
{
	(void)state;
	both b;
	make_both(2, &b);
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	const float *copy = ossai_view_floats(&arena, &b.of_doubles);
	assert_ptr_equal(ossai_view_floats(&arena, &b.of_floats), b.floats);
	assert_non_null(copy);
	assert_memory_equal(copy, b.floats, sizeof b.floats);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void queries_answer_alike(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	for (uint64_t seed = 1; seed <= 10; seed++) {
		both b;
		make_both(seed, &b);
		uint64_t random = seed;
		uint32_t group[FACES] = {0};
		double places[3 * PLACES], one[PLACES], other[PLACES];
		ossai_face_tree tree, same_tree;
		assert_ok(context, ossai_face_tree_make(&arena, &b.of_floats, &tree));
		assert_ok(context, ossai_face_tree_make(&arena, &b.of_doubles, &same_tree));
		ossai_face_tree_set_groups(&tree, group);
		ossai_face_tree_set_groups(&same_tree, group);
		for (size_t i = 0; i < PLACES; i++) {
			const ossai_vec3 p = test_random_point(&random, 2);
			const ossai_near_face none = {OSSA_NONE, INFINITY}, a = ossai_face_tree_nearest(&tree, group, p, OSSA_NONE, none);
			const ossai_near_face c = ossai_face_tree_nearest(&same_tree, group, p, OSSA_NONE, none);
			assert_int_equal(a.face, c.face);
			assert_true(a.distance2 == c.distance2);
			ossai_v3_store(p, places + 3 * i);
		}
		ossai_winding_numbers(context, &b.of_floats, PLACES, places, one);
		ossai_winding_numbers(context, &b.of_doubles, PLACES, places, other);
		assert_memory_equal(one, other, sizeof one);
	}
	ossai_arena_end(&arena);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_and_corners_are_the_same),
		cmocka_unit_test(floats_are_copied_only_where_they_are_not),
		cmocka_unit_test(queries_answer_alike),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
