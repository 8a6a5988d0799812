/* tests/surface/test_posed_surface.c: adjacency, pieces, bounds and normals on meshes of a few
   faces, against plain versions on random ones. */
#include "mesh/adjacency.h"
#include "mesh/bounds.h"
#include "mesh/normals.h"
#include "mesh/pieces.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <math.h>
#include <string.h>

/* a square cut along the diagonal 0-2 */
static const uint32_t SQUARE[] = {0, 1, 2, 0, 2, 3};

static void square_has_one_pair_and_a_border(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_adjacency a;
	assert_ok(context, ossai_adjacency_make(context, &arena, 5, 2, SQUARE, &a));
	const uint32_t start[] = {0, 3, 5, 8, 10, 10}, neighbor[] = {1, 2, 3, 0, 2, 0, 1, 3, 0, 2};
	assert_memory_equal(a.vertex_start, start, sizeof start);
	assert_memory_equal(a.vertex_neighbor, neighbor, sizeof neighbor);
	assert_int_equal(a.face_pair_count, 1);
	assert_int_equal(a.face_pairs[0], 0);
	assert_int_equal(a.face_pairs[1], 1);
	assert_true(a.face_on_border[0] && a.face_on_border[1]);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void empty_mesh_has_nothing(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_adjacency a;
	assert_ok(context, ossai_adjacency_make(context, &arena, 0, 0, NULL, &a));
	assert_int_equal(a.face_pair_count, 0);
	assert_int_equal(a.vertex_start[0], 0);
	uint32_t pieces = 7;
	assert_ok(context, ossai_pieces_make(context, 0, 0, NULL, NULL, NULL, &pieces));
	assert_int_equal(pieces, 0);
	assert_true(ossai_bounds_make(0, NULL).diagonal == 0);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void tetrahedron_is_closed(void **state)
{
	(void)state;
	const uint32_t triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_adjacency a;
	assert_ok(context, ossai_adjacency_make(context, &arena, 4, 4, triangles, &a));
	assert_int_equal(a.face_pair_count, 6);
	for (int f = 0; f < 4; f++) assert_false(a.face_on_border[f]);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void three_faces_on_an_edge_are_three_pairs(void **state)
{
	(void)state;
	/* the third one twice: a copy of a face shares all its edges with it, which is still one
	   pair */
	const uint32_t triangles[] = {0, 1, 2, 1, 0, 3, 0, 1, 4, 4, 0, 1};
	const uint32_t expected[] = {0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3};
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_adjacency a;
	assert_ok(context, ossai_adjacency_make(context, &arena, 5, 4, triangles, &a));
	assert_int_equal(a.face_pair_count, 6);
	assert_memory_equal(a.face_pairs, expected, sizeof expected);
	assert_true(a.face_on_border[0] && a.face_on_border[1]);
	assert_false(a.face_on_border[2] || a.face_on_border[3]);
	assert_int_equal(ossa_context_warning_count(context), 0);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void repeated_vertices_are_no_edges(void **state)
{
	(void)state;
	/* a point, a line there and back, and a proper face on that line */
	const uint32_t triangles[] = {2, 2, 2, 0, 1, 0, 0, 1, 2};
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_adjacency a;
	assert_ok(context, ossai_adjacency_make(context, &arena, 3, 3, triangles, &a));
	const uint32_t expected[] = {1, 2}, start[] = {0, 2, 4, 6};
	assert_int_equal(a.face_pair_count, 1);
	assert_memory_equal(a.face_pairs, expected, sizeof expected);
	assert_memory_equal(a.vertex_start, start, sizeof start);
	assert_false(a.face_on_border[0]);
	assert_false(a.face_on_border[1]);
	assert_true(a.face_on_border[2]);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void crowded_edge_is_chained_with_a_warning(void **state)
{
	(void)state;
	enum { FACES = 100000 };
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	uint32_t *triangles = ossai_arena_new(&arena, FACES, 3 * sizeof *triangles);
	for (uint32_t f = 0; f < FACES; f++) memcpy(triangles + 3 * f, (uint32_t[]){0, 1, f + 2}, 3 * sizeof *triangles);
	/* the first one goes there and back, so that one face is twice on the edge */
	memcpy(triangles, (uint32_t[]){0, 1, 0}, 3 * sizeof *triangles);
	ossai_adjacency a;
	assert_ok(context, ossai_adjacency_make(context, &arena, FACES + 2, FACES, triangles, &a));
	assert_int_equal(a.face_pair_count, FACES - 1);
	for (uint32_t i = 0; i < FACES - 1; i++) {
		assert_int_equal(a.face_pairs[2 * i], i);
		assert_int_equal(a.face_pairs[2 * i + 1], i + 1);
	}
	assert_string_equal(ossa_context_warning(context, 0)->code, "crowded-edge");
	ossai_arena_end(&arena);
	test_context_end(context);
}

static bool share_edge(const uint32_t *f, const uint32_t *g)
{
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			const uint32_t a = f[i], b = f[(i + 1) % 3], c = g[j], d = g[(j + 1) % 3];
			if (a != b && ((a == c && b == d) || (a == d && b == c))) return true;
		}
	}
	return false;
}

static bool has_edge(const uint32_t *f, uint32_t a, uint32_t b)
{
	bool has_a = false, has_b = false;
	for (int k = 0; k < 3; k++) {
		has_a |= f[k] == a;
		has_b |= f[k] == b;
	}
	return has_a && has_b && a != b;
}

/* few vertices, so that edges are shared by many faces and many repeat a vertex */
static void random_meshes_agree_with_the_plain_way(void **state)
{
	(void)state;
	enum { VERTICES = 9, FACES = 14 };
	uint32_t seed = 1;
	for (int round = 0; round < 200; round++) {
		uint32_t triangles[3 * FACES];
		for (int i = 0; i < 3 * FACES; i++) triangles[i] = test_random_bits(&seed) % VERTICES;
		ossa_context *context = test_context(1);
		ossai_arena arena = ossai_arena_begin(context);
		ossai_adjacency a;
		assert_ok(context, ossai_adjacency_make(context, &arena, VERTICES, FACES, triangles, &a));
		size_t pair = 0;
		for (uint32_t f = 0; f < FACES; f++) {
			for (uint32_t g = f + 1; g < FACES; g++) {
				if (!share_edge(triangles + 3 * f, triangles + 3 * g)) continue;
				assert_true(pair < a.face_pair_count);
				assert_int_equal(a.face_pairs[2 * pair], f);
				assert_int_equal(a.face_pairs[2 * pair++ + 1], g);
			}
		}
		assert_int_equal(pair, a.face_pair_count);
		for (uint32_t v = 0; v < VERTICES; v++) {
			uint32_t at = a.vertex_start[v];
			for (uint32_t w = 0; w < VERTICES; w++) {
				bool edge = false;
				for (int f = 0; f < FACES; f++) edge |= has_edge(triangles + 3 * f, v, w);
				if (edge) assert_int_equal(a.vertex_neighbor[at++], w);
			}
			assert_int_equal(at, a.vertex_start[v + 1]);
		}
		for (int f = 0; f < FACES; f++) {
			bool border = false;
			for (int k = 0; k < 3; k++) {
				const uint32_t *t = triangles + 3 * f;
				int users = 0;
				for (int g = 0; g < FACES; g++) users += has_edge(triangles + 3 * g, t[k], t[(k + 1) % 3]);
				border |= users == 1;
			}
			assert_int_equal(a.face_on_border[f], border);
		}
		ossai_arena_end(&arena);
		test_context_end(context);
	}
}

static void pieces_are_numbered_by_their_smallest_face(void **state)
{
	(void)state;
	/* faces 0 and 2 meet in vertex 7 only; vertex 3 is used by none */
	const uint32_t triangles[] = {7, 8, 9, 0, 1, 2, 4, 5, 7};
	ossa_context *context = test_context(1);
	uint32_t of_face[3], of_vertex[10], count;
	assert_ok(context, ossai_pieces_make(context, 10, 3, triangles, of_face, of_vertex, &count));
	const uint32_t faces[] = {0, 1, 0}, vertices[] = {1, 1, 1, OSSA_NONE, 0, 0, OSSA_NONE, 0, 0, 0};
	assert_int_equal(count, 2);
	assert_memory_equal(of_face, faces, sizeof faces);
	assert_memory_equal(of_vertex, vertices, sizeof vertices);
	test_context_end(context);
}

static void bounds_are_those_of_all_vertices(void **state)
{
	(void)state;
	const float positions[] = {1e6f, 0, 0, 1e6f + 3, 4, 0, 1e6f + 1, 2, -12};
	const ossai_bounds bounds = ossai_bounds_make(3, positions);
	assert_true(bounds.diagonal == 13);
	assert_true(bounds.largest_side == 12);
	assert_true(bounds.minimum.z == -12 && bounds.maximum.x == 1e6 + 3);
	assert_true(ossai_bounds_make(1, positions).diagonal == 0);
}

static void normals_are_weighted_by_area(void **state)
{
	(void)state;
	/* a fold along the edge 0-1: a face of area 1 looking up, one of area 2 looking along x; a flat
	   face; a lone vertex */
	const float positions[] = {0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7, 9, 9, 9};
	const uint32_t triangles[] = {0, 2, 1, 0, 1, 3, 4, 5, 6};
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_vertex_faces around;
	assert_ok(context, ossai_vertex_faces_make(context, &arena, 8, 3, triangles, &around));
	assert_int_equal(around.start[1] - around.start[0], 2);
	float normals[24];
	ossai_vertex_normals(context, 8, triangles, &around, positions, normals);
	const float expected[] = {(float)(2 / sqrt(5)), 0, (float)(1 / sqrt(5))};
	for (int k = 0; k < 3; k++) assert_near(normals[k], expected[k], 1e-7f);
	assert_true(normals[3 * 2 + 2] == 1 && normals[3 * 3] == 1);
	for (int i = 12; i < 24; i++) assert_true(normals[i] == 0);
	/* the same through the faces, to the bit */
	ossai_vec3 of_faces[3];
	ossai_face_normals(context, 3, triangles, positions, of_faces);
	assert_true(of_faces[0].z == 2 && of_faces[1].x == 4);
	for (size_t v = 0; v < 8; v++) {
		const ossai_vec3 one = ossai_vertex_normal(triangles, &around, positions, v);
		const ossai_vec3 other = ossai_vertex_normal_of_faces(of_faces, &around, v);
		assert_memory_equal(&one, &other, sizeof one);
	}
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* a right triangle of sides 1, a diagonal of 1.414: 1e5 steps are less from 128 on, where the step
   is 2^-16 */
static void positions_far_from_the_origin_are_warned_of(void **state)
{
	(void)state;
	static const float ends[] = {1, 127, 129, -129};
	for (int i = 0; i < 4; i++) {
		const float x = ends[i], side = x < 0 ? 1 : -1;
		const float positions[] = {x, 0, 0, x + side, 0, 0, x, 1, 0};
		const uint32_t triangle[] = {0, 1, 2};
		test_surface t = test_surface_make(1, 3, positions, 1, triangle, 1, NULL);
		assert_int_equal(*test_warning_text(t.context, "coarse-positions") != 0, i >= 2);
		test_surface_end(&t);
	}
}

static ossa_status make_all(ossa_context *context, void *arg)
{
	(void)arg;
	ossai_arena arena = ossai_arena_begin(context);
	ossai_adjacency adjacency;
	ossai_vertex_faces around;
	uint32_t of_face[2], of_vertex[4], count;
	ossa_status status = ossai_adjacency_make(context, &arena, 4, 2, SQUARE, &adjacency);
	if (status == OSSA_OK) status = ossai_vertex_faces_make(context, &arena, 4, 2, SQUARE, &around);
	if (status == OSSA_OK) status = ossai_pieces_make(context, 4, 2, SQUARE, of_face, of_vertex, &count);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	assert_true(test_allocation_sweep(make_all, NULL, SIZE_MAX, 1) >= 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(positions_far_from_the_origin_are_warned_of),
		cmocka_unit_test(square_has_one_pair_and_a_border),
		cmocka_unit_test(empty_mesh_has_nothing),
		cmocka_unit_test(tetrahedron_is_closed),
		cmocka_unit_test(three_faces_on_an_edge_are_three_pairs),
		cmocka_unit_test(repeated_vertices_are_no_edges),
		cmocka_unit_test(crowded_edge_is_chained_with_a_warning),
		cmocka_unit_test(random_meshes_agree_with_the_plain_way),
		cmocka_unit_test(pieces_are_numbered_by_their_smallest_face),
		cmocka_unit_test(bounds_are_those_of_all_vertices),
		cmocka_unit_test(normals_are_weighted_by_area),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
