/* tests/mesh/test_manifold.c: triangles of all kinds become manifold, and the changes are
   counted; on tetrahedra, fans and a Moebius band. */
#include "mesh/manifold.h"
#include "support/half_edges.h"
#include "support/support.h"

#include <stddef.h>
#include <string.h>

typedef struct bench {
	ossa_context *context;
	ossai_arena arena;
	ossai_half_edges mesh;
	ossai_manifold made;
} bench;

static void assert_same_mesh(const bench *b, const bench *other, size_t vertex_count)
{
	const size_t vertices = b->mesh.vertex_count, faces = b->mesh.face_count;
	assert_int_equal(other->mesh.vertex_count, vertices);
	assert_int_equal(other->mesh.face_count, faces);
	assert_memory_equal(other->mesh.vertex, b->mesh.vertex, 3 * faces * sizeof *b->mesh.vertex);
	assert_memory_equal(other->mesh.twin, b->mesh.twin, 3 * faces * sizeof *b->mesh.twin);
	assert_memory_equal(other->mesh.out, b->mesh.out, vertices * sizeof *b->mesh.out);
	assert_memory_equal(other->mesh.positions, b->mesh.positions, 3 * vertices * sizeof *b->mesh.positions);
	assert_memory_equal(other->made.vertex_of, b->made.vertex_of, vertices * sizeof *b->made.vertex_of);
	assert_memory_equal(other->made.of_vertex, b->made.of_vertex, vertex_count * sizeof *b->made.of_vertex);
	/* all of the counts, which stand before the arrays */
	assert_memory_equal(&other->made, &b->made, offsetof(ossai_manifold, vertex_of));
}

/* a manifold of oriented faces is the same whether their joins are known or found again */
static void check_joined(bench *b, size_t vertex_count, const double *positions, size_t face_count, const uint32_t *triangles)
{
	uint32_t *oriented = ossai_arena_new(&b->arena, face_count, 3 * sizeof *oriented);
	assert_non_null(oriented);
	if (face_count > 0) memcpy(oriented, triangles, 3 * face_count * sizeof *oriented);
	ossai_face_joins joins;
	assert_ok(b->context, ossai_manifold_orient(&b->arena, vertex_count, positions, face_count, oriented, &joins));
	assert_int_equal(joins.counts.mixed_faces, b->made.mixed_faces);
	bench found = {0}, known = {0};
	assert_ok(
		b->context, ossai_manifold_make(&b->arena, vertex_count, positions, face_count, oriented, &found.mesh, &found.made));
	assert_ok(b->context,
		ossai_manifold_make_joined(&b->arena, vertex_count, positions, face_count, oriented, &joins, &known.mesh, &known.made));
	assert_same_mesh(&found, &known, vertex_count);
	if (b->made.twisted_edges > 0) assert_null(joins.twin);
	if (b->made.dropped_faces == 0 && b->made.twisted_edges == 0) assert_non_null(joins.twin);
}

static bench make(size_t vertex_count, const double *positions, size_t face_count, const uint32_t *triangles)
{
	bench b = {.context = test_context(1)};
	b.arena = ossai_arena_begin(b.context);
	assert_ok(b.context, ossai_manifold_make(&b.arena, vertex_count, positions, face_count, triangles, &b.mesh, &b.made));
	test_assert_half_edges(&b.mesh);
	check_joined(&b, vertex_count, positions, face_count, triangles);
	return b;
}

static void end(bench *b)
{
	ossai_arena_end(&b->arena);
	test_context_end(b->context);
}

static void assert_counts(const bench *b, size_t faces, uint32_t pieces, size_t borders, size_t crowded, size_t pinched)
{
	assert_int_equal(b->mesh.live_faces, faces);
	assert_int_equal(b->made.piece_count, pieces);
	assert_int_equal(b->made.border_edges, borders);
	assert_int_equal(b->made.crowded_edges, crowded);
	assert_int_equal(b->made.pinched_vertices, pinched);
}

static const double corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint32_t tetrahedron[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static void a_clean_tetrahedron_stays(void **state)
{
	(void)state;
	bench b = make(4, corners, 4, tetrahedron);
	assert_counts(&b, 4, 1, 0, 0, 0);
	assert_int_equal(b.made.dropped_faces + b.made.turned_faces + b.made.twisted_edges, 0);
	assert_near(test_half_edges_volume(&b.mesh), 1.0 / 6, 1e-15);
	for (uint32_t v = 0; v < 4; v++) assert_int_equal(b.made.vertex_of[b.made.of_vertex[v]], v);
	end(&b);
}

static void faces_are_turned_outward(void **state)
{
	(void)state;
	for (size_t count = 1; count <= 4; count++) {
		uint32_t triangles[12];
		memcpy(triangles, tetrahedron, sizeof triangles);
		for (size_t f = 0; f < count; f++) {
			triangles[3 * f] = tetrahedron[3 * f + 1];
			triangles[3 * f + 1] = tetrahedron[3 * f];
		}
		bench b = make(4, corners, 4, triangles);
		assert_counts(&b, 4, 1, 0, 0, 0);
		assert_int_equal(b.made.turned_faces, count);
		assert_int_equal(b.made.mixed_faces, count < 2 ? count : 4 - count);
		assert_near(test_half_edges_volume(&b.mesh), 1.0 / 6, 1e-15);
		end(&b);
	}
}

/* a flat sheet encloses nothing: it looks as most of its faces do */
static void an_open_sheet_looks_as_most_of_it_does(void **state)
{
	(void)state;
	const double positions[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, -1, 0.5, 0};
	const uint32_t triangles[] = {0, 3, 4, 0, 2, 1, 0, 3, 2};
	bench b = make(5, positions, 3, triangles);
	assert_counts(&b, 3, 1, 5, 0, 0);
	assert_int_equal(b.made.turned_faces, 1);
	for (size_t f = 0; f < 3; f++) assert_true(ossai_edge_normal(&b.mesh, f).z < 0);
	end(&b);
}

static void faces_that_are_none_are_dropped(void **state)
{
	(void)state;
	/* the tetrahedron, a face once more from each side, and one with a vertex twice */
	uint32_t triangles[21];
	memcpy(triangles, tetrahedron, sizeof tetrahedron);
	memcpy(triangles + 12, (const uint32_t[]){2, 1, 0, 0, 1, 2, 3, 3, 1}, 9 * sizeof *triangles);
	bench b = make(4, corners, 7, triangles);
	assert_counts(&b, 4, 1, 0, 0, 0);
	assert_int_equal(b.made.dropped_faces, 3);
	end(&b);
}

/* three pages of a book: each becomes a piece with a spine of its own */
static void an_edge_of_three_faces_is_cut(void **state)
{
	(void)state;
	const double positions[] = {0, 0, 0, 0, 0, 1, 1, 0, 0, -1, 1, 0, -1, -1, 0};
	const uint32_t triangles[] = {0, 1, 2, 0, 1, 3, 0, 1, 4};
	bench b = make(5, positions, 3, triangles);
	assert_counts(&b, 3, 3, 6, 1, 4);
	assert_int_equal(b.mesh.live_vertices, 9);
	for (size_t v = 0; v < 9; v++) {
		const ossai_vec3 from = ossai_v3_of(positions + 3 * (size_t)b.made.vertex_of[v]);
		assert_near_vec3(ossai_edge_point(&b.mesh, (uint32_t)v), from, 0);
	}
	end(&b);
}

/* two tetrahedra that touch in a vertex; and a vertex that nothing uses */
static void a_shared_vertex_becomes_two(void **state)
{
	(void)state;
	const double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, -1, 9, 9, 9};
	uint32_t triangles[24];
	memcpy(triangles, tetrahedron, sizeof tetrahedron);
	memcpy(triangles + 12, (const uint32_t[]){0, 4, 5, 0, 6, 4, 0, 5, 6, 4, 6, 5}, 12 * sizeof *triangles);
	bench b = make(8, positions, 8, triangles);
	assert_counts(&b, 8, 2, 0, 0, 1);
	assert_int_equal(b.mesh.live_vertices, 8);
	assert_int_equal(b.made.of_vertex[7], OSSA_NONE);
	assert_near(test_half_edges_volume(&b.mesh), 1.0 / 3, 1e-15);
	end(&b);
}

/* a band of an odd number of half turns: no orientation fits all of its faces */
static void a_moebius_band_is_cut_once(void **state)
{
	(void)state;
	enum { SQUARES = 9 };
	double positions[6 * SQUARES];
	uint32_t triangles[6 * SQUARES];
	for (uint32_t i = 0; i < SQUARES; i++) {
		const double turn = 6.283185307179586 * i / SQUARES;
		for (uint32_t side = 0; side < 2; side++) {
			const double out = side ? 0.3 : -0.3, radius = 1 + out * cos(turn / 2);
			double *p = positions + 6 * i + 3 * side;
			p[0] = radius * cos(turn);
			p[1] = radius * sin(turn);
			p[2] = out * sin(turn / 2);
		}
		const bool last = i + 1 == SQUARES;
		const uint32_t a = 2 * i, c = last ? 1 : a + 2, d = last ? 0 : a + 3;
		memcpy(triangles + 6 * i, (const uint32_t[]){a, a + 1, c, a + 1, d, c}, 6 * sizeof *triangles);
	}
	bench b = make(2 * SQUARES, positions, 2 * SQUARES, triangles);
	assert_int_equal(b.made.twisted_edges, 1);
	assert_int_equal(b.made.piece_count, 1);
	assert_int_equal(b.made.border_edges, 2 * SQUARES);
	assert_int_equal(b.mesh.live_faces, 2 * SQUARES);
	/* both ends of the cut are there twice */
	assert_int_equal(b.mesh.live_vertices, 2 * SQUARES + 2);
	end(&b);
}

static void nothing_makes_nothing(void **state)
{
	(void)state;
	bench b = make(0, NULL, 0, NULL);
	assert_counts(&b, 0, 0, 0, 0, 0);
	end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_clean_tetrahedron_stays),
		cmocka_unit_test(faces_are_turned_outward),
		cmocka_unit_test(an_open_sheet_looks_as_most_of_it_does),
		cmocka_unit_test(faces_that_are_none_are_dropped),
		cmocka_unit_test(an_edge_of_three_faces_is_cut),
		cmocka_unit_test(a_shared_vertex_becomes_two),
		cmocka_unit_test(a_moebius_band_is_cut_once),
		cmocka_unit_test(nothing_makes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
