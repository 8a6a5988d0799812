/* tests/parts/test_patches.c: faces go to the nearest group of seeds, in space or over the
   surface; disconnected ones go to the neighbour with most boundary; every part is connected. */
#include "parts/patches.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <string.h>

static ossai_patches make(test_surface *t, size_t count, uint32_t *vertex, const uint32_t *group, size_t groups, bool geodesic)
{
	const ossai_seeds seeds = {count, vertex};
	ossai_patches p;
	assert_ok(t->context, ossai_patches_make(t->context, &t->arena, &t->s, &seeds, group, groups, geodesic, &p));
	uint32_t seen = 0;
	for (size_t f = 0; f < t->s.face_count; f++) {
		assert_true(p.part_of_face[f] <= seen);
		seen += p.part_of_face[f] == seen;
	}
	assert_int_equal(seen, p.part_count);
	for (size_t i = 0; i < count; i++) assert_true(p.part_of_seed[i] < p.part_count);
	return p;
}

static double corner_distance(const test_surface *t, size_t face, uint32_t seed)
{
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		sum += ossai_distance(ossai_rest_point(&t->s, t->s.triangles[3 * face + (size_t)i]), ossai_rest_point(&t->s, seed));
	}
	return sum;
}

static void straight_distances_are_those_of_a_plain_search(void **state)
{
	(void)state;
	/* every seed its own group; a few faces of them are cut off by the bend of the sheet */
	test_surface t = test_surface_grid(1, 20, 8, 1);
	uint32_t vertex[12], group[12];
	for (uint32_t i = 0; i < 12; i++) {
		vertex[i] = i * 15 + 4;
		group[i] = i;
	}
	const ossai_patches p = make(&t, 12, vertex, group, 12, false);
	assert_true(p.moved_faces < 10);
	size_t farther = 0;
	for (size_t f = 0; f < t.s.face_count; f++) {
		double best = INFINITY, own = INFINITY;
		for (uint32_t i = 0; i < 12; i++) {
			best = fmin(best, corner_distance(&t, f, vertex[i]));
			if (p.part_of_seed[i] == p.part_of_face[f]) own = corner_distance(&t, f, vertex[i]);
		}
		farther += own > best * (1 + 1e-12);
	}
	assert_int_equal(farther, p.moved_faces);
	test_surface_end(&t);
}

/* a strip of 2 x 40 squares, bent back on itself: the two legs are 0.5 apart, the path around is
   long */
static test_surface make_hairpin(void)
{
	float p[3 * 41 * 3];
	uint32_t triangles[6 * 80];
	for (size_t i = 0; i < 123; i++) {
		const size_t column = i / 3;
		p[3 * i] = (float)(column <= 20 ? column : 40 - column);
		p[3 * i + 1] = (float)(i % 3);
		p[3 * i + 2] = column <= 20 ? 0 : 0.5f;
	}
	for (size_t i = 0; i < 80; i++) {
		const uint32_t a = (uint32_t)(i / 2 * 3 + i % 2), b = a + 3;
		memcpy(triangles + 6 * i, (uint32_t[]){a, b, b + 1, a, b + 1, a + 1}, 6 * sizeof *triangles);
	}
	return test_surface_make(1, 123, p, 160, triangles, 1, NULL);
}

static void a_hand_beside_a_hip_goes_to_the_arm(void **state)
{
	(void)state;
	test_surface t = make_hairpin();
	/* the first leg has a seed at its end, the second one all along */
	uint32_t vertex[] = {1, 40 * 3 + 1, 35 * 3 + 1, 30 * 3 + 1};
	const uint32_t group[] = {0, 1, 1, 1};
	const ossai_patches over = make(&t, 4, vertex, group, 2, true), straight = make(&t, 4, vertex, group, 2, false);
	size_t over_right = 0, straight_right = 0;
	for (size_t f = 0; f < 160; f++) {
		const bool near_first = f / 4 < 14, near_second = f / 4 >= 26;
		if (!near_first && !near_second) continue;
		over_right += over.part_of_face[f] == near_second;
		straight_right += straight.part_of_face[f] == near_second;
	}
	assert_int_equal(over_right, 112);
	assert_int_equal(over.moved_faces, 0);
	/* straight lines take faces of the first leg to the second one's group */
	assert_true(straight_right < 100 || straight.moved_faces > 0);
	test_surface_end(&t);
}

static void what_is_cut_off_goes_where_most_boundary_is(void **state)
{
	(void)state;
	/* group 0 has seeds at both ends of a strip and one in the corner between the other two
	   groups */
	test_surface t = test_surface_grid(1, 30, 4, 1);
	uint32_t vertex[] = {2 * 5 + 2, 3 * 5 + 2, 28 * 5 + 2, 10 * 5 + 2, 20 * 5 + 2};
	const uint32_t group[] = {0, 0, 0, 1, 2};
	const ossai_patches p = make(&t, 5, vertex, group, 3, true);
	uint32_t part[240];
	assert_int_equal(p.part_count, 3);
	assert_int_equal(test_count_parts(&t.s, p.part_of_face, part), 3);
	/* the right end borders on group 2 alone */
	assert_true(p.moved_faces > 0);
	assert_int_equal(p.part_of_face[239], p.part_of_seed[4]);
	assert_int_equal(p.part_of_seed[2], p.part_of_seed[4]);
	assert_int_equal(p.part_of_seed[0], p.part_of_seed[1]);
	test_surface_end(&t);
}

/* three separate squares in a row, a little apart */
static test_surface make_squares(void)
{
	float p[36];
	uint32_t triangles[18];
	for (uint32_t s = 0; s < 3; s++) {
		const float x = 1.1f * (float)s, corners[] = {x, 0, 0, x + 1, 0, 0, x + 1, 1, 0, x, 1, 0};
		memcpy(p + 12 * s, corners, sizeof corners);
		const uint32_t a = 4 * s, two[] = {a, a + 1, a + 2, a, a + 2, a + 3};
		memcpy(triangles + 6 * s, two, sizeof two);
	}
	return test_surface_make(1, 12, p, 6, triangles, 1, NULL);
}

static void pieces_are_parts_unless_links_join_them(void **state)
{
	(void)state;
	test_surface t = make_squares();
	uint32_t vertex[] = {0, 2};
	const uint32_t group[] = {0, 0};
	assert_int_equal(t.s.piece_count, 3);
	t.s.link_pieces = false;
	const ossai_patches apart = make(&t, 2, vertex, group, 1, true);
	assert_int_equal(apart.part_count, 3);
	assert_int_equal(apart.extra_parts, 2);
	t.s.link_pieces = true;
	const ossai_patches joined = make(&t, 2, vertex, group, 1, true);
	assert_int_equal(joined.part_count, 1);
	assert_int_equal(joined.extra_parts, 0);
	test_surface_end(&t);
}

static void groups_without_faces_are_counted(void **state)
{
	(void)state;
	/* the seed of group 1 lies where every face around it is nearer to one of group 0's */
	const float p[] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
	const uint32_t triangles[] = {0, 1, 2};
	test_surface t = test_surface_make(1, 3, p, 1, triangles, 1, NULL);
	uint32_t vertex[] = {0, 1};
	const uint32_t group[] = {0, 1};
	for (int geodesic = 0; geodesic < 2; geodesic++) {
		const ossai_patches patches = make(&t, 2, vertex, group, 2, geodesic);
		assert_int_equal(patches.part_count, 1);
		assert_int_equal(patches.empty_groups, 1);
		assert_int_equal(patches.part_of_seed[1], 0);
	}
	test_surface_end(&t);
}

typedef struct sweep {
	const ossai_posed_surface *s;
	bool geodesic;
} sweep;

static ossa_status make_in_sweep(ossa_context *context, void *arg)
{
	const sweep *w = arg;
	uint32_t vertex[] = {12, 17, 152, 52, 102};
	const uint32_t group[] = {0, 0, 0, 1, 2};
	const ossai_seeds seeds = {5, vertex};
	ossai_patches p;
	ossai_arena arena = ossai_arena_begin(context);
	const ossa_status status = ossai_patches_make(context, &arena, w->s, &seeds, group, 3, w->geodesic, &p);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 30, 4, 1);
	for (int geodesic = 0; geodesic < 2; geodesic++) {
		sweep w = {&t.s, geodesic};
		test_allocation_sweep(make_in_sweep, &w, 100, 1);
	}
	test_surface_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(straight_distances_are_those_of_a_plain_search),
		cmocka_unit_test(a_hand_beside_a_hip_goes_to_the_arm),
		cmocka_unit_test(what_is_cut_off_goes_where_most_boundary_is),
		cmocka_unit_test(pieces_are_parts_unless_links_join_them),
		cmocka_unit_test(groups_without_faces_are_counted),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
