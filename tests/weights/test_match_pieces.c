/* tests/weights/test_match_pieces.c: which plates are copies of which, against a search of all, and
   that the places of a copy's points are on its own plate. */
#include "query/face_tree.h"
#include "support/support.h"
#include "weights/match_pieces.h"
#include "weights/surface_match.h"

enum { PLATES_MAX = 12, POINTS_MAX = 4 * PLATES_MAX };

/* squares that look up, each with its lowest corner and its side */
typedef struct plates {
	size_t count;
	float positions[3 * POINTS_MAX];
	uint32_t triangles[6 * PLATES_MAX], piece_of_point[POINTS_MAX];
	ossai_mesh_view view;
} plates;

static void add(plates *p, float x, float y, float z, float side)
{
	const uint32_t first = (uint32_t)(4 * p->count), corner[6] = {0, 1, 2, 0, 2, 3};
	for (uint32_t k = 0; k < 4; k++) {
		float *at = p->positions + 3 * (first + k);
		at[0] = x + (k == 1 || k == 2 ? side : 0);
		at[1] = y + (k >= 2 ? side : 0);
		at[2] = z;
		p->piece_of_point[first + k] = (uint32_t)p->count;
	}
	for (size_t k = 0; k < 6; k++) p->triangles[6 * p->count + k] = first + corner[k];
	p->count++;
	p->view = ossai_view_of_floats(4 * p->count, p->positions, 2 * p->count, p->triangles);
}

static void match(ossa_context *context, const plates *a, const plates *b, double distance, uint32_t *copy_of)
{
	const ossai_pieces_view of = {&a->view, a->piece_of_point, (uint32_t)a->count};
	const ossai_pieces_view others = {&b->view, b->piece_of_point, (uint32_t)b->count};
	assert_ok(context, ossai_match_pieces_make(context, &of, &others, distance, copy_of));
}

/* ---- against a search of all ---- */

static double farthest(const plates *a, size_t i, const plates *b, size_t j)
{
	double most = 0;
	for (size_t k = 4 * i; k < 4 * i + 4; k++) {
		const ossai_vec3 p = ossai_v3_of_float(a->positions + 3 * k);
		const double first = ossai_face_distance2(b->positions, b->triangles, 2 * j, p);
		most = fmax(most, sqrt(fmin(first, ossai_face_distance2(b->positions, b->triangles, 2 * j + 1, p))));
	}
	return most;
}

static uint32_t nearest(const plates *a, size_t i, const plates *b, double distance)
{
	uint32_t found = OSSA_NONE;
	for (uint32_t j = 0; j < b->count; j++) {
		const double both = fmax(farthest(a, i, b, j), farthest(b, j, a, i));
		if (both > distance || (both == distance && found != OSSA_NONE)) continue;
		distance = both;
		found = j;
	}
	return found;
}

static void pairs_are_those_of_a_search_of_all(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	uint32_t seed = 3, copy_of[PLATES_MAX];
	size_t pairs = 0, alone = 0;
	for (int round = 0; round < 50; round++) {
		plates side[2] = {{.count = 0}, {.count = 0}};
		for (size_t i = 0; i < 2 * PLATES_MAX - 3; i++) {
			float v[4];
			for (int k = 0; k < 4; k++) v[k] = (float)test_random_bits(&seed) / 0x1p24f;
			add(&side[i % 2], v[0], v[1], v[2], v[3]);
		}
		match(context, &side[0], &side[1], 0.5, copy_of);
		for (uint32_t i = 0; i < side[0].count; i++) {
			const uint32_t other = nearest(&side[0], i, &side[1], 0.5);
			const bool is_copy = other != OSSA_NONE && nearest(&side[1], other, &side[0], 0.5) == i;
			assert_int_equal(copy_of[i], is_copy ? other : OSSA_NONE);
			*(is_copy ? &pairs : &alone) += 1;
		}
	}
	assert_true(pairs > 50 && alone > 50);
	test_context_end(context);
}

/* ---- what a copy is ---- */

/* a small plate just above a large one: their copies have moved by more than they are apart */
static void copies_are_known_by_all_of_their_points(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	plates rig = {.count = 0}, copy = {.count = 0};
	uint32_t copy_of[2];
	add(&rig, 0, 0, 0, 1);
	add(&rig, 0.4f, 0.4f, 0.1f, 0.2f);
	add(&copy, 0.4f, 0.4f, 0.02f, 0.2f);
	add(&copy, 0, 0, 0.08f, 1);
	match(context, &copy, &rig, 0.2, copy_of);
	assert_int_equal(copy_of[0], 1);
	assert_int_equal(copy_of[1], 0);
	/* just within the distance, and just beyond it */
	match(context, &copy, &rig, 0.0801, copy_of);
	assert_int_equal(copy_of[0], 1);
	match(context, &copy, &rig, 0.0799, copy_of);
	assert_int_equal(copy_of[0], OSSA_NONE);
	test_context_end(context);
}

/* a cloth over two plates: it copies neither */
static void what_joins_pieces_copies_none(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	plates rig = {.count = 0}, cloth = {.count = 0};
	uint32_t copy_of[1];
	add(&rig, 0, 0, 0, 1);
	add(&rig, 1, 0, 0, 1);
	add(&cloth, 0, 0, 0.05f, 2);
	match(context, &cloth, &rig, 0.2, copy_of);
	assert_int_equal(copy_of[0], OSSA_NONE);
	test_context_end(context);
}

/* the plates of a copy that have changed sides: each has its places on its own plate */
static void places_are_on_the_own_piece(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	plates rig = {.count = 0}, copy = {.count = 0};
	ossa_mesh *mesh[2];
	ossai_match_surface from, to;
	ossai_surface_match places;
	add(&rig, 0, 0, 0, 1);
	add(&rig, 0.4f, 0.4f, 0.1f, 0.2f);
	add(&copy, 0, 0, 0.08f, 1);
	add(&copy, 0.4f, 0.4f, 0.02f, 0.2f);
	assert_ok(context, ossa_mesh_create(context, 8, copy.positions, 4, copy.triangles, &mesh[0]));
	assert_ok(context, ossa_mesh_create(context, 8, rig.positions, 4, rig.triangles, &mesh[1]));
	assert_ok(context, ossai_match_surface_make(&arena, mesh[0], &from));
	assert_ok(context, ossai_match_surface_make(&arena, mesh[1], &to));
	assert_ok(context, ossai_surface_match_make(&arena, &from, &to, 0.2, 30, &places));
	for (size_t p = 0; p < 8; p++) {
		const uint32_t vertex = from.weld.vertex_of_point[p];
		assert_int_equal(places.kind[p], OSSAI_MATCH_SURE);
		assert_int_equal(places.face[p] / 2, vertex / 4);
		assert_near(places.distance[p], 0.08, 1e-6);
	}
	ossa_mesh_free(context, mesh[0]);
	ossa_mesh_free(context, mesh[1]);
	ossai_arena_end(&arena);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_are_those_of_a_search_of_all),
		cmocka_unit_test(copies_are_known_by_all_of_their_points),
		cmocka_unit_test(what_joins_pieces_copies_none),
		cmocka_unit_test(places_are_on_the_own_piece),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
