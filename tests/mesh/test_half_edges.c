/* tests/mesh/test_half_edges.c: rings, splits, flips and collapses on an octahedron and on flat
   sheets. */
#include "support/half_edges.h"
#include "support/support.h"

typedef struct bench {
	ossa_context *context;
	ossai_arena arena;
} bench;

static bench begin(void)
{
	bench b = {.context = test_context(1)};
	b.arena = ossai_arena_begin(b.context);
	return b;
}

static void end(bench *b)
{
	ossai_arena_end(&b->arena);
	test_context_end(b->context);
}

/* whether the ring is these neighbours in this order, beginning at any of them where it is
   closed */
static void assert_ring(const ossai_half_edges *m, uint32_t v, bool is_border, size_t count, const uint32_t *expected)
{
	ossai_ring ring;
	ossai_ring_make(m, v, &ring);
	assert_int_equal(ring.is_border, is_border);
	assert_int_equal(ring.count, count);
	size_t first = 0;
	while (!is_border && first < count && ring.neighbors[first] != expected[0]) first++;
	for (size_t i = 0; i < count; i++) assert_int_equal(ring.neighbors[(first + i) % count], expected[i]);
}

static bool collapse_allowed(const ossai_half_edges *m, uint32_t h)
{
	ossai_ring begins, ends;
	ossai_ring_make(m, m->vertex[h], &begins);
	ossai_ring_make(m, ossai_edge_end(m, h), &ends);
	return ossai_collapse_allowed(m, h, &begins, &ends);
}

static void rings_run_against_the_clock(void **state)
{
	(void)state;
	bench b = begin();
	const ossai_half_edges octahedron = test_octahedron(&b.arena, 0);
	assert_ring(&octahedron, 4, false, 4, (const uint32_t[]){0, 2, 1, 3});
	assert_ring(&octahedron, 5, false, 4, (const uint32_t[]){0, 3, 1, 2});
	/* 6 7 8
	   3 4 5
	   0 1 2 */
	const ossai_half_edges sheet = test_flat_sheet(&b.arena, 2, 2, 0);
	assert_ring(&sheet, 4, false, 6, (const uint32_t[]){5, 8, 7, 3, 0, 1});
	assert_ring(&sheet, 0, true, 3, (const uint32_t[]){1, 4, 3});
	assert_ring(&sheet, 2, true, 2, (const uint32_t[]){5, 1});
	assert_true(ossai_on_border(&sheet, 1) && !ossai_on_border(&sheet, 4));
	end(&b);
}

static void a_ring_of_very_many_stops_counting(void **state)
{
	(void)state;
	enum { SPOKES = OSSAI_RING_MOST + 5 };
	bench b = begin();
	double positions[3 * (SPOKES + 1)] = {0};
	uint32_t triangles[3 * SPOKES];
	for (uint32_t i = 0; i < SPOKES; i++) {
		positions[3 * i + 3] = cos(6.283185 * i / SPOKES);
		positions[3 * i + 4] = sin(6.283185 * i / SPOKES);
		triangles[3 * i] = 0;
		triangles[3 * i + 1] = 1 + i;
		triangles[3 * i + 2] = 1 + (i + 1) % SPOKES;
	}
	const ossai_half_edges m = test_half_edges(&b.arena, SPOKES + 1, positions, SPOKES, triangles, 0);
	ossai_ring ring;
	ossai_ring_make(&m, 0, &ring);
	assert_int_equal(ring.count, OSSAI_RING_MOST + 1);
	assert_true(ossai_fan_gets_long(&m, 0, ossai_v3(0, 0, 0), 1e9));
	assert_false(collapse_allowed(&m, test_half_edge(&m, 1, 0)));
	end(&b);
}

/* the walk around a vertex says of its edges what its ring says */
static void fans_get_long_as_rings_do(void **state)
{
	(void)state;
	bench b = begin();
	const ossai_half_edges meshes[] = {test_flat_sheet(&b.arena, 3, 4, 0), test_sphere(&b.arena, 2)};
	size_t longer = 0, all = 0;
	for (size_t i = 0; i < 2; i++) {
		const ossai_half_edges *m = &meshes[i];
		for (uint32_t v = 0; v < m->vertex_count; v++) {
			ossai_ring ring;
			ossai_ring_make(m, v, &ring);
			for (uint32_t k = 0; k < 40; k++, all++) {
				const ossai_vec3 step = ossai_v3(0.2 * (k % 5) - 0.4, 0.2 * (k / 5 % 4) - 0.3, 0);
				const ossai_vec3 to = ossai_add(ossai_edge_point(m, v), step);
				const double most2 = k < 20 ? 0.3 : 1.2;
				const bool gets_long = ossai_ring_gets_long(m, &ring, v, to, most2);
				assert_int_equal(ossai_fan_gets_long(m, v, to, most2), gets_long);
				longer += gets_long;
			}
		}
	}
	assert_in_range(longer, all / 10, all - all / 10);
	end(&b);
}

static void a_split_puts_a_vertex_on_the_edge(void **state)
{
	(void)state;
	bench b = begin();
	ossai_half_edges m = test_octahedron(&b.arena, 2);
	const uint32_t middle = ossai_edge_split(&m, test_half_edge(&m, 0, 2), ossai_v3(0.5, 0.5, 0));
	test_assert_half_edges(&m);
	assert_int_equal(middle, 6);
	assert_int_equal(m.live_vertices, 7);
	assert_int_equal(m.live_faces, 10);
	assert_ring(&m, 6, false, 4, (const uint32_t[]){0, 5, 2, 4});
	assert_ring(&m, 4, false, 5, (const uint32_t[]){0, 6, 2, 1, 3});
	assert_near(test_half_edges_volume(&m), 4.0 / 3, 1e-12);
	assert_true(ossai_has_capacity(&m));
	ossai_edge_split(&m, test_half_edge(&m, 0, 3), ossai_v3(0.5, -0.5, 0));
	assert_false(ossai_has_capacity(&m));
	end(&b);
}

static void a_split_at_the_border_adds_one_face(void **state)
{
	(void)state;
	bench b = begin();
	ossai_half_edges m = test_flat_sheet(&b.arena, 1, 1, 1);
	ossai_edge_split(&m, test_half_edge(&m, 0, 1), ossai_v3(0.5, 0, 0));
	test_assert_half_edges(&m);
	assert_int_equal(m.live_faces, 3);
	assert_ring(&m, 4, true, 3, (const uint32_t[]){1, 3, 0});
	assert_near(test_half_edges_area(&m), 1, 1e-12);
	/* an inner edge from border to border, from either end: fans begin at the border yet */
	for (uint32_t k = 0; k < 2; k++) {
		m = test_flat_sheet(&b.arena, 1, 1, 1);
		ossai_edge_split(&m, k ? test_half_edge(&m, 0, 3) : test_half_edge(&m, 3, 0), ossai_v3(0.5, 0.5, 0));
		test_assert_half_edges(&m);
		assert_int_equal(m.live_faces, 4);
		assert_ring(&m, 4, false, 4, (const uint32_t[]){0, 1, 3, 2});
	}
	end(&b);
}

static void a_flip_takes_the_other_diagonal(void **state)
{
	(void)state;
	bench b = begin();
	/* 2 3
	   0 1, cut from 0 to 3 */
	ossai_half_edges m = test_flat_sheet(&b.arena, 1, 1, 0);
	assert_true(ossai_edge_flip(&m, test_half_edge(&m, 0, 3)));
	test_assert_half_edges(&m);
	test_half_edge(&m, 1, 2);
	assert_ring(&m, 0, true, 2, (const uint32_t[]){1, 2});
	assert_ring(&m, 1, true, 3, (const uint32_t[]){3, 2, 0});
	assert_near(test_half_edges_area(&m), 1, 1e-12);
	end(&b);
}

/* in a tetrahedron all corners are joined: a flip would make an edge twice */
static void a_flip_makes_no_edge_twice(void **state)
{
	(void)state;
	bench b = begin();
	const double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
	const uint32_t triangles[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
	ossai_half_edges m = test_half_edges(&b.arena, 4, positions, 4, triangles, 0);
	assert_false(ossai_edge_flip(&m, test_half_edge(&m, 0, 1)));
	test_assert_half_edges(&m);
	/* and no edge of it may be collapsed: two faces would lie on each other */
	for (uint32_t h = 0; h < 12; h++) assert_false(collapse_allowed(&m, h));
	end(&b);
}

static void a_collapse_leaves_the_end(void **state)
{
	(void)state;
	bench b = begin();
	ossai_half_edges m = test_octahedron(&b.arena, 0);
	const uint32_t h = test_half_edge(&m, 0, 2);
	assert_true(collapse_allowed(&m, h));
	ossai_edge_collapse(&m, h);
	test_assert_half_edges(&m);
	assert_int_equal(m.live_vertices, 5);
	assert_int_equal(m.live_faces, 6);
	assert_int_equal(m.out[0], OSSA_NONE);
	assert_ring(&m, 2, false, 4, (const uint32_t[]){1, 4, 3, 5});
	assert_ring(&m, 4, false, 3, (const uint32_t[]){2, 1, 3});
	/* the tips have three neighbours now: they would be left with two */
	assert_false(collapse_allowed(&m, test_half_edge(&m, 1, 2)));
	end(&b);
}

static void borders_stay_borders(void **state)
{
	(void)state;
	bench b = begin();
	ossai_half_edges m = test_flat_sheet(&b.arena, 2, 2, 0);
	/* from border to border through the inside */
	const ossai_half_edges strip = test_flat_sheet(&b.arena, 3, 1, 0);
	assert_false(collapse_allowed(&strip, test_half_edge(&strip, 1, 5)));
	assert_true(collapse_allowed(&m, test_half_edge(&m, 4, 0)));
	assert_true(collapse_allowed(&m, test_half_edge(&m, 0, 1)));
	ossai_edge_collapse(&m, test_half_edge(&m, 0, 1));
	test_assert_half_edges(&m);
	assert_int_equal(m.live_faces, 7);
	assert_ring(&m, 1, true, 4, (const uint32_t[]){2, 5, 4, 3});
	/* the two faces of a square may become one, and that is the last */
	ossai_half_edges square = test_flat_sheet(&b.arena, 1, 1, 0);
	assert_true(collapse_allowed(&square, test_half_edge(&square, 0, 1)));
	ossai_edge_collapse(&square, test_half_edge(&square, 0, 1));
	test_assert_half_edges(&square);
	assert_int_equal(square.live_faces, 1);
	assert_false(collapse_allowed(&square, test_half_edge(&square, 1, 3)));
	end(&b);
}

static void normals_are_kept_to_within_a_cosine(void **state)
{
	(void)state;
	bench b = begin();
	const ossai_half_edges m = test_flat_sheet(&b.arena, 3, 3, 0);
	/* inner vertices 5 at (1, 1) and 6 at (2, 1) */
	const uint32_t h = test_half_edge(&m, 5, 6);
	assert_true(ossai_collapse_keeps_normals(&m, h, ossai_v3(1.5, 1, 0), 0.99));
	/* beyond the border of the fan faces turn over */
	assert_false(ossai_collapse_keeps_normals(&m, h, ossai_v3(1.5, -0.5, 0), 0));
	/* half a unit up: the face that turns most is that of 1, 2 and what is at (1, 1): by 45 degrees
	   and more */
	assert_false(ossai_collapse_keeps_normals(&m, h, ossai_v3(1.5, 1, 1), 0.8));
	assert_true(ossai_collapse_keeps_normals(&m, h, ossai_v3(1.5, 1, 1), 0.5));
	end(&b);
}

static void packing_leaves_no_gaps(void **state)
{
	(void)state;
	bench b = begin();
	ossai_half_edges m = test_octahedron(&b.arena, 0);
	uint32_t new_vertex[6], new_face[8];
	ossai_edge_collapse(&m, test_half_edge(&m, 0, 2));
	ossai_half_edges_pack(&m, new_vertex, new_face);
	test_assert_half_edges(&m);
	assert_int_equal(m.vertex_count, 5);
	assert_int_equal(m.face_count, 6);
	const uint32_t expected[] = {OSSA_NONE, 0, 1, 2, 3, 4};
	assert_memory_equal(new_vertex, expected, sizeof expected);
	size_t gone = 0;
	for (size_t f = 0; f < 8; f++) gone += new_face[f] == OSSA_NONE;
	assert_int_equal(gone, 2);
	assert_near_vec3(ossai_edge_point(&m, 0), ossai_v3(-1, 0, 0), 0);
	assert_ring(&m, 3, false, 3, (const uint32_t[]){1, 0, 2});
	end(&b);
}

/* a sphere stays a sphere through many changes */
static void a_sphere_stays_a_sphere(void **state)
{
	(void)state;
	bench b = begin();
	ossai_half_edges m = test_sphere(&b.arena, 3);
	assert_int_equal(m.live_vertices, 258);
	uint32_t random = 7;
	for (int i = 0; i < 600; i++) {
		const uint32_t h = test_random_bits(&random) % (uint32_t)(3 * m.face_count);
		if (m.vertex[h] == OSSA_NONE) continue;
		if (i % 3 == 0) ossai_edge_flip(&m, h);
		else if (collapse_allowed(&m, h)) ossai_edge_collapse(&m, h);
	}
	test_assert_half_edges(&m);
	assert_true(m.live_vertices < 150);
	assert_int_equal(2 * m.live_vertices - 4, m.live_faces);
	end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rings_run_against_the_clock),
		cmocka_unit_test(a_ring_of_very_many_stops_counting),
		cmocka_unit_test(fans_get_long_as_rings_do),
		cmocka_unit_test(a_split_puts_a_vertex_on_the_edge),
		cmocka_unit_test(a_split_at_the_border_adds_one_face),
		cmocka_unit_test(a_flip_takes_the_other_diagonal),
		cmocka_unit_test(a_flip_makes_no_edge_twice),
		cmocka_unit_test(a_collapse_leaves_the_end),
		cmocka_unit_test(borders_stay_borders),
		cmocka_unit_test(normals_are_kept_to_within_a_cosine),
		cmocka_unit_test(packing_leaves_no_gaps),
		cmocka_unit_test(a_sphere_stays_a_sphere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
