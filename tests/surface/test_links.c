/* tests/surface/test_links.c: links between pieces against a search through all pairs, and that
   they always connect everything. */
#include "base/union_find.h"
#include "mesh/adjacency.h"
#include "query/face_tree.h"
#include "surface/links.h"
#include "mesh/pieces.h"
#include "support/support.h"

#include <ossa/mesh.h>
#include <stdlib.h>
#include <string.h>

static float next_random(uint32_t *state) { return (float)test_random_bits(state) / 16777216.0f; }

typedef struct soup {
	size_t vertex_count, face_count;
	float *positions;
	uint32_t *triangles, *piece_of_face;
	uint32_t piece_count;
	uint32_t *pairs;
	size_t pair_count;
} soup;

/* `strips` strips of `length` faces each, at random positions in a box; one in three closed to a
   tetrahedron instead */
static void make_soup(ossai_arena *arena, size_t strips, size_t length, float size, uint32_t seed, soup *s)
{
	*s = (soup){0};
	s->positions = ossai_arena_new(arena, strips * (length + 4), 3 * sizeof(float));
	s->triangles = ossai_arena_new(arena, strips * (length + 4), 3 * sizeof(uint32_t));
	for (size_t i = 0; i < strips; i++) {
		const uint32_t first = (uint32_t)s->vertex_count;
		const size_t corners = i % 3 == 2 ? 4 : length + 2;
		float at[3];
		for (int k = 0; k < 3; k++) at[k] = next_random(&seed) * size;
		for (size_t c = 0; c < corners; c++, s->vertex_count++) {
			for (int k = 0; k < 3; k++) s->positions[3 * s->vertex_count + k] = at[k] += next_random(&seed) - 0.5f;
		}
		static const uint32_t solid[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
		const size_t faces = i % 3 == 2 ? 4 : length;
		for (size_t f = 0; f < faces; f++, s->face_count++) {
			for (uint32_t k = 0; k < 3; k++) {
				s->triangles[3 * s->face_count + k] = first + (i % 3 == 2 ? solid[3 * f + k] : (uint32_t)f + k);
			}
		}
	}
}

static ossai_mesh_view soup_view(const soup *s)
{
	return ossai_view_of_floats(s->vertex_count, s->positions, s->face_count, s->triangles);
}

static ossa_status link_soup(ossa_context *context, ossai_arena *arena, soup *s)
{
	ossai_adjacency adjacency;
	OSSAI_TRY(ossai_adjacency_make(context, arena, s->vertex_count, s->face_count, s->triangles, &adjacency));
	s->piece_of_face = ossai_arena_new(arena, s->face_count, sizeof(uint32_t));
	if (!s->piece_of_face) return OSSA_ERROR_MEMORY;
	OSSAI_TRY(
		ossai_pieces_make(context, s->vertex_count, s->face_count, s->triangles, s->piece_of_face, NULL, &s->piece_count));
	const ossai_mesh_view mesh = soup_view(s);
	return ossai_links_make(
		arena, &mesh, adjacency.face_on_border, s->piece_of_face, s->piece_count, &s->pairs, &s->pair_count);
}

static void assert_connected(ossai_arena *arena, const soup *s)
{
	uint32_t *parent = ossai_arena_new(arena, s->piece_count, sizeof *parent);
	ossai_union_begin(parent, s->piece_count);
	uint32_t components = s->piece_count;
	for (size_t i = 0; i < s->pair_count; i++) {
		const uint32_t a = s->pairs[2 * i], b = s->pairs[2 * i + 1];
		assert_true(a < b && b < s->face_count);
		assert_int_not_equal(s->piece_of_face[a], s->piece_of_face[b]);
		if (i > 0) assert_true(a > s->pairs[2 * i - 2] || (a == s->pairs[2 * i - 2] && b > s->pairs[2 * i - 1]));
		components -= ossai_union_join(parent, s->piece_of_face[a], s->piece_of_face[b]);
	}
	assert_int_equal(components, 1);
}

static ossai_near_face nearest_plain(const soup *s, const uint32_t *group, ossai_vec3 point, uint32_t own)
{
	ossai_near_face best = {OSSA_NONE, INFINITY};
	for (uint32_t f = 0; f < s->face_count; f++) {
		if (group[f] == own) continue;
		const double distance2 = ossai_face_distance2(s->positions, s->triangles, f, point);
		if (distance2 < best.distance2) best = (ossai_near_face){f, distance2};
	}
	return best;
}

static bool has_pair(const soup *s, uint32_t a, uint32_t b)
{
	for (size_t i = 0; i < s->pair_count; i++) {
		if (s->pairs[2 * i] == (a < b ? a : b) && s->pairs[2 * i + 1] == (a < b ? b : a)) return true;
	}
	return false;
}

static void tree_finds_what_a_plain_search_finds(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 40; seed++) {
		ossa_context *context = test_context(1);
		ossai_arena arena = ossai_arena_begin(context);
		soup s;
		make_soup(&arena, 3 + seed % 11, 1 + seed % 7, 4, seed, &s);
		assert_ok(context, link_soup(context, &arena, &s));
		ossai_face_tree tree;
		const ossai_mesh_view mesh = soup_view(&s);
		assert_ok(context, ossai_face_tree_make(&arena, &mesh, &tree));
		ossai_face_tree_set_groups(&tree, s.piece_of_face);
		for (uint32_t f = 0; f < s.face_count; f++) {
			const ossai_vec3 center = ossai_face_center(s.positions, s.triangles, f);
			const uint32_t own = s.piece_of_face[f];
			const ossai_near_face plain = nearest_plain(&s, s.piece_of_face, center, own);
			const ossai_near_face found = ossai_face_tree_nearest(
				&tree, s.piece_of_face, center, own, (ossai_near_face){OSSA_NONE, INFINITY});
			assert_int_equal(found.face, plain.face);
			assert_true(found.distance2 == plain.distance2);
		}
		ossai_arena_end(&arena);
		test_context_end(context);
	}
}

/* each piece is linked where it is nearest to another, and everything is connected */
static void soups_are_connected_where_they_are_nearest(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 60; seed++) {
		ossa_context *context = test_context(1);
		ossai_arena arena = ossai_arena_begin(context);
		soup s;
		make_soup(&arena, 2 + seed % 13, 1 + seed % 5, seed % 2 ? 3 : 1000, seed, &s);
		assert_ok(context, link_soup(context, &arena, &s));
		assert_connected(&arena, &s);
		for (uint32_t p = 0; p < s.piece_count; p++) {
			uint32_t source = OSSA_NONE;
			ossai_near_face best = {OSSA_NONE, INFINITY};
			for (uint32_t f = 0; f < s.face_count; f++) {
				if (s.piece_of_face[f] != p) continue;
				const ossai_near_face near = nearest_plain(
					&s, s.piece_of_face, ossai_face_center(s.positions, s.triangles, f), p);
				if (near.distance2 < best.distance2) {
					best = near;
					source = f;
				}
			}
			/* every face of a strip has an edge of its own: all faces are sources */
			assert_true(has_pair(&s, source, best.face));
		}
		ossai_arena_end(&arena);
		test_context_end(context);
	}
}

/* two grids side by side: the faces along the gap link, those behind do not */
static void only_the_contact_links(void **state)
{
	(void)state;
	enum { N = 10, HALF = (N + 1) * (N + 1) };
	static float positions[2 * HALF * 3];
	static uint32_t triangles[2 * N * N * 2 * 3];
	size_t corner = 0;
	for (uint32_t g = 0; g < 2; g++) {
		for (uint32_t i = 0; i < HALF; i++) {
			float *p = positions + 3 * (g * HALF + i);
			p[0] = (float)(i % (N + 1)) + (float)g * (N + 0.5f) + 1e4f;
			p[1] = (float)(i / (N + 1));
		}
		for (uint32_t y = 0; y < N; y++) {
			for (uint32_t x = 0; x < N; x++) {
				const uint32_t a = g * HALF + y * (N + 1) + x, b = a + 1, c = a + N + 2, d = a + N + 1;
				memcpy(triangles + corner, (uint32_t[]){a, b, c, a, c, d}, 6 * sizeof(uint32_t));
				corner += 6;
			}
		}
	}
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	soup s = {.vertex_count = 2 * HALF, .face_count = 2 * N * N * 2, .positions = positions, .triangles = triangles};
	assert_ok(context, link_soup(context, &arena, &s));
	assert_connected(&arena, &s);
	assert_true(s.pair_count >= N && s.pair_count <= 3 * N);
	for (size_t i = 0; i < s.pair_count; i++) {
		const uint32_t left = s.pairs[2 * i] / 2 % N, right = s.pairs[2 * i + 1] / 2 % N;
		assert_int_equal(left, N - 1);
		assert_int_equal(right, 0);
	}
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void coinciding_and_flat_pieces_are_linked(void **state)
{
	(void)state;
	/* three coinciding pieces, one of them a point, one a line; and two alike far away */
	float positions[45] = {0};
	positions[3 * 1] = positions[3 * 2 + 1] = positions[3 * 4] = positions[3 * 5] = 1;
	for (int i = 27; i < 45; i++) positions[i] = (float)(1e6 + i % 9);
	uint32_t triangles[15];
	for (uint32_t i = 0; i < 15; i++) triangles[i] = i;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	soup s = {.vertex_count = 15, .face_count = 5, .positions = positions, .triangles = triangles};
	assert_ok(context, link_soup(context, &arena, &s));
	assert_int_equal(s.piece_count, 5);
	assert_connected(&arena, &s);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void one_piece_needs_no_links(void **state)
{
	(void)state;
	const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	const uint32_t triangle[] = {0, 1, 2}, piece = 0;
	const uint8_t border = 1;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	uint32_t *pairs;
	size_t count = 9;
	const ossai_mesh_view mesh = ossai_view_of_floats(3, positions, 1, triangle);
	assert_ok(context, ossai_links_make(&arena, &mesh, &border, &piece, 1, &pairs, &count));
	assert_int_equal(count, 0);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void threads_do_not_matter(void **state)
{
	(void)state;
	uint32_t *first = NULL;
	size_t first_count = 0;
	for (int threads = 1; threads <= 8; threads *= 2) {
		ossa_context *context = test_context(threads);
		ossai_arena arena = ossai_arena_begin(context);
		soup s;
		make_soup(&arena, 400, 5, 20, 3, &s);
		assert_ok(context, link_soup(context, &arena, &s));
		assert_connected(&arena, &s);
		if (!first) {
			first = malloc(2 * s.pair_count * sizeof *first);
			first_count = s.pair_count;
			memcpy(first, s.pairs, 2 * first_count * sizeof *first);
		}
		assert_int_equal(s.pair_count, first_count);
		assert_memory_equal(s.pairs, first, 2 * first_count * sizeof *first);
		ossai_arena_end(&arena);
		test_context_end(context);
	}
	free(first);
}

static ossa_status sweep_links(ossa_context *context, void *arg)
{
	soup copy = *(const soup *)arg;
	ossai_arena arena = ossai_arena_begin(context);
	const ossa_status status = link_soup(context, &arena, &copy);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	soup s;
	make_soup(&arena, 9, 3, 5, 5, &s);
	assert_true(test_allocation_sweep(sweep_links, &s, SIZE_MAX, 1) > 20);
	ossai_arena_end(&arena);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tree_finds_what_a_plain_search_finds),
		cmocka_unit_test(soups_are_connected_where_they_are_nearest),
		cmocka_unit_test(only_the_contact_links),
		cmocka_unit_test(coinciding_and_flat_pieces_are_linked),
		cmocka_unit_test(one_piece_needs_no_links),
		cmocka_unit_test(threads_do_not_matter),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
