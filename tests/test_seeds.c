/* tests/test_seeds.c: seeds lie evenly, denser where the surface bends, on every piece, and do not depend on scale, place or order. */
#include "parts/seeds.h"
#include "support/support.h"
#include "support/surfaces.h"
#include "surface/geodesic.h"

#include <string.h>

static ossai_seeds choose(test_surface *t, size_t wanted)
{
	ossai_seeds seeds;
	assert_ok(t->context, ossai_seeds_choose(t->context, &t->arena, &t->s, wanted, &seeds));
	uint8_t *taken = ossai_arena_zero(&t->arena, t->s.vertex_count, 1);
	for (size_t i = 0; i < seeds.count; i++) {
		assert_true(seeds.vertex[i] < t->s.vertex_count && t->s.used[seeds.vertex[i]]);
		assert_false(taken[seeds.vertex[i]]);
		taken[seeds.vertex[i]] = 1;
	}
	return seeds;
}

/* how far a vertex is at most from the nearest seed, and the smallest and largest area of a patch as shares of the mean one */
typedef struct spread {
	double farthest, smallest, largest;
} spread;

static spread measure(test_surface *t, const ossai_seeds *seeds)
{
	ossai_ways ways;
	ossai_reach reach;
	assert_ok(t->context, ossai_ways_make(t->context, &t->arena, &t->s, 0, &ways));
	assert_ok(t->context, ossai_reach_make(&t->arena, &ways, &reach));
	ossai_reach_add(&ways, seeds->count, seeds->vertex, 0, &reach);
	double *area = ossai_arena_zero(&t->arena, seeds->count, sizeof *area);
	spread s = {0, INFINITY, 0};
	for (size_t v = 0; v < t->s.vertex_count; v++) {
		if (reach.source[v] == OSSA_NONE) continue;
		s.farthest = fmax(s.farthest, reach.distance[v]);
		area[reach.source[v]] += t->s.vertex_area[v] / t->s.area * (double)seeds->count;
	}
	for (size_t i = 0; i < seeds->count; i++) {
		s.smallest = fmin(s.smallest, area[i]);
		s.largest = fmax(s.largest, area[i]);
	}
	return s;
}

static void patches_of_a_sheet_are_about_as_large(void **state)
{
	(void)state;
	/* bends alike everywhere */
	test_surface t = test_surface_grid(1, 60, 20, 1);
	const ossai_seeds seeds = choose(&t, 40);
	assert_int_equal(seeds.count, 40);
	const spread s = measure(&t, &seeds);
	assert_true(s.smallest > 0.3 && s.largest < 2.2);
	/* a disc of that radius has 6 times the area that is there for each: a strip of one cell has its corners that far */
	assert_true(s.farthest < 2.5 * sqrt(t.s.area / 40 / OSSAI_PI));
	test_surface_end(&t);
}

static void there_are_more_where_the_surface_bends(void **state)
{
	(void)state;
	/* the left half of a strip is flat, the right one waved */
	float p[3 * 81 * 11];
	uint32_t triangles[6 * 80 * 10];
	for (size_t i = 0; i < 81 * 11; i++) {
		p[3 * i] = (float)(i / 11);
		p[3 * i + 1] = (float)(i % 11);
		p[3 * i + 2] = i / 11 > 40 ? (float)sin(0.9 * (double)(i / 11 - 40)) : 0;
	}
	for (size_t i = 0; i < 800; i++) {
		const uint32_t a = (uint32_t)(i / 10 * 11 + i % 10), b = a + 11;
		memcpy(triangles + 6 * i, (uint32_t[]){a, b, b + 1, a, b + 1, a + 1}, 6 * sizeof *triangles);
	}
	test_surface t = test_surface_make(1, 81 * 11, p, 1600, triangles, 1, NULL);
	const ossai_seeds seeds = choose(&t, 60);
	size_t flat = 0, waved = 0;
	for (size_t i = 0; i < seeds.count; i++) {
		flat += seeds.vertex[i] / 11 < 40;
		waved += seeds.vertex[i] / 11 > 40;
	}
	assert_true(waved > flat * 3 / 2);
	assert_true(flat > 8);
	test_surface_end(&t);
}

static void every_piece_has_one_where_they_are_enough(void **state)
{
	(void)state;
	test_surface t = test_surface_sample(1, OSSA_SAMPLE_PIECES, 2000, 1);
	assert_true(t.s.piece_count > 4);
	for (size_t wanted = 1; wanted < 200; wanted = 2 * wanted + 1) {
		const ossai_seeds seeds = choose(&t, wanted);
		assert_int_equal(seeds.count, wanted);
		uint8_t *has = ossai_arena_zero(&t.arena, t.s.piece_count, 1);
		size_t pieces = 0;
		for (size_t i = 0; i < seeds.count; i++) {
			const uint32_t piece = t.s.piece_of_vertex[seeds.vertex[i]];
			pieces += !has[piece];
			has[piece] = 1;
		}
		assert_true(pieces == t.s.piece_count || wanted < 2 * t.s.piece_count);
	}
	test_surface_end(&t);
}

static void scale_and_place_change_nothing(void **state)
{
	(void)state;
	test_surface a = test_surface_sample(1, OSSA_SAMPLE_HAND, 2000, 1);
	float *moved = ossai_arena_new(&a.arena, a.s.vertex_count, 3 * sizeof *moved);
	for (size_t i = 0; i < 3 * a.s.vertex_count; i++) moved[i] = 1024 * a.mesh->positions[i];
	test_surface b = test_surface_make(1, a.s.vertex_count, moved, a.s.face_count, a.s.triangles, 1, NULL);
	const ossai_seeds one = choose(&a, 80), other = choose(&b, 80);
	assert_int_equal(one.count, other.count);
	assert_memory_equal(one.vertex, other.vertex, one.count * sizeof *one.vertex);
	test_surface_end(&b);
	test_surface_end(&a);
}

static void order_of_vertices_changes_nothing(void **state)
{
	(void)state;
	test_surface a = test_surface_sample(1, OSSA_SAMPLE_HAND, 2000, 1);
	const size_t count = a.s.vertex_count;
	/* vertex v becomes (7 v + 3) mod count */
	assert_true(count % 7 != 0);
	float *moved = ossai_arena_new(&a.arena, count, 3 * sizeof *moved);
	uint32_t *triangles = ossai_arena_new(&a.arena, a.s.face_count, 3 * sizeof *triangles);
	for (size_t v = 0; v < count; v++) memcpy(moved + 3 * ((7 * v + 3) % count), a.mesh->positions + 3 * v, 3 * sizeof *moved);
	for (size_t i = 0; i < 3 * a.s.face_count; i++) triangles[i] = (uint32_t)((7 * (size_t)a.s.triangles[i] + 3) % count);
	test_surface b = test_surface_make(1, count, moved, a.s.face_count, triangles, 1, NULL);
	const ossai_seeds one = choose(&a, 60), other = choose(&b, 60);
	size_t same = 0;
	for (size_t i = 0; i < one.count; i++) same += (7 * (size_t)one.vertex[i] + 3) % count == other.vertex[i];
	assert_true(same >= 57);
	test_surface_end(&b);
	test_surface_end(&a);
}

static void there_are_never_more_than_places(void **state)
{
	(void)state;
	/* two vertices at one place, one that no face uses */
	const float p[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 9, 9, 9};
	const uint32_t triangles[] = {0, 1, 2, 1, 3, 2};
	test_surface t = test_surface_make(1, 5, p, 2, triangles, 1, NULL);
	assert_int_equal(choose(&t, 99).count, 3);
	assert_int_equal(choose(&t, 0).count, 1);
	test_surface_end(&t);
}

static ossa_status choose_in_sweep(ossa_context *context, void *arg)
{
	ossai_arena arena = ossai_arena_begin(context);
	ossai_seeds seeds;
	const ossa_status status = ossai_seeds_choose(context, &arena, arg, 12, &seeds);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 12, 4, 1);
	test_allocation_sweep(choose_in_sweep, &t.s, 100, 1);
	test_surface_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patches_of_a_sheet_are_about_as_large),
		cmocka_unit_test(there_are_more_where_the_surface_bends),
		cmocka_unit_test(every_piece_has_one_where_they_are_enough),
		cmocka_unit_test(scale_and_place_change_nothing),
		cmocka_unit_test(order_of_vertices_changes_nothing),
		cmocka_unit_test(there_are_never_more_than_places),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
