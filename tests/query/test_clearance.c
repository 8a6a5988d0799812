/* tests/query/test_clearance.c: distances, inside tests, clear segments and medial points in a
   box, where they are known; the same from doubles and floats. */
#include "query/clearance.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <ossa/mesh.h>

/* a box of 2 x 4 x 6 about the origin, outward */
static const float BOX[] = {-1, -2, -3, 1, -2, -3, -1, 2, -3, 1, 2, -3, -1, -2, 3, 1, -2, 3, -1, 2, 3, 1, 2, 3};
static const uint32_t FACES[] = {
	0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
static const double HALF[3] = {1, 2, 3};

typedef struct box {
	ossa_context *context;
	ossai_arena arena;
	ossai_clearance clearance;
} box;

static box make_box(bool with_inside)
{
	box b = {.context = test_context(1)};
	b.arena = ossai_arena_begin(b.context);
	const ossai_mesh_view mesh = ossai_view_of_floats(8, BOX, 12, FACES);
	assert_ok(b.context, ossai_clearance_make(&b.arena, &mesh, with_inside, &b.clearance));
	return b;
}

static void end(box *b)
{
	ossai_arena_end(&b->arena);
	test_context_end(b->context);
}

/* inside the nearest wall, outside what is beyond each side */
static double distance_to_box(const double *p)
{
	double out = 0, in = INFINITY;
	for (int k = 0; k < 3; k++) {
		const double beyond = fabs(p[k]) - HALF[k];
		if (beyond > 0) out += beyond * beyond;
		in = fmin(in, -beyond);
	}
	return out > 0 ? sqrt(out) : in;
}

static void distance_and_side_are_those_of_a_box(void **state)
{
	(void)state;
	box b = make_box(true);
	uint64_t random = 3;
	for (int i = 0; i < 500; i++) {
		double p[3];
		ossai_vec3 nearest;
		uint32_t face;
		ossai_v3_store(test_random_point(&random, 5), p);
		const double distance = ossai_clearance_nearest(&b.clearance, ossai_v3_of(p), &nearest, &face);
		assert_true(fabs(distance - distance_to_box(p)) < 1e-9);
		assert_true(fabs(ossai_distance(nearest, ossai_v3_of(p)) - distance) < 1e-9);
		assert_true(face < 12);
		const bool inside = fabs(p[0]) < 1 && fabs(p[1]) < 2 && fabs(p[2]) < 3;
		assert_int_equal(ossai_clearance_inside(&b.clearance, ossai_v3_of(p)), inside);
	}
	end(&b);
}

/* beyond one distance, within another, from any face on: the same where it counts */
static void bounded_searches_find_the_same(void **state)
{
	(void)state;
	box b = make_box(false);
	uint64_t random = 7;
	for (uint32_t i = 0; i < 500; i++) {
		const ossai_vec3 p = test_random_point(&random, 5);
		const double bound = 3 * fabs(test_random(&random));
		ossai_vec3 exact = p, point = p;
		uint32_t nearest, face = OSSA_NONE;
		const double distance = ossai_clearance_nearest(&b.clearance, p, &exact, &nearest);
		const double beyond = ossai_clearance_beyond(&b.clearance, p, bound, &point, &face);
		if (distance > bound) assert_true(beyond == distance && face == nearest && ossai_distance(point, exact) == 0);
		else assert_true(beyond >= distance && beyond <= bound && fabs(ossai_distance(point, p) - beyond) < 1e-9);
		const uint32_t hint = face = i % 13 < 12 ? i % 13 : OSSA_NONE;
		point = p;
		const double within = ossai_clearance_within(&b.clearance, p, bound, &point, &face);
		if (distance <= bound) assert_true(within == distance && face == nearest && ossai_distance(point, exact) == 0);
		else assert_true(isinf(within) && face == hint && ossai_distance(point, p) == 0);
	}
	end(&b);
}

static void segments_are_clear_where_they_meet_no_face(void **state)
{
	(void)state;
	box b = make_box(false);
	const ossai_vec3 middle = {0, 0, 0}, near_wall = {0.99, 1.5, -2.5}, out = {1.01, 1.5, -2.5}, above = {1.5, 1.5, 4};
	assert_true(ossai_clearance_clear(&b.clearance, middle, near_wall));
	assert_true(ossai_clearance_clear(&b.clearance, middle, middle));
	assert_false(ossai_clearance_clear(&b.clearance, middle, out));
	assert_true(ossai_clearance_clear(&b.clearance, out, above));
	assert_false(ossai_clearance_clear(&b.clearance, above, ossai_v3(-1.5, -1.5, -4)));
	end(&b);
}

static void middles_are_half_way_through(void **state)
{
	(void)state;
	box b = make_box(false);
	ossai_vec3 middle;
	assert_true(ossai_clearance_midpoint(&b.clearance, ossai_v3(0.9, 0.3, 0.2), &middle));
	assert_true(ossai_distance(middle, ossai_v3(0, 0.3, 0.2)) < 1e-9);
	end(&b);
}

static void without_faces_nothing_is_near(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_mesh_view mesh = ossai_view_of_floats(8, BOX, 0, FACES);
	ossai_clearance clearance;
	ossai_vec3 middle;
	uint32_t face;
	assert_ok(context, ossai_clearance_make(&arena, &mesh, true, &clearance));
	assert_true(isinf(ossai_clearance_nearest(&clearance, middle = ossai_v3(0, 0, 0), NULL, &face)));
	assert_int_equal(face, OSSA_NONE);
	assert_false(ossai_clearance_midpoint(&clearance, ossai_v3(0, 0, 0), &middle));
	assert_false(ossai_clearance_inside(&clearance, ossai_v3(0, 0, 0)));
	ossai_arena_end(&arena);
	test_context_end(context);
}

static ossa_status make_in_sweep(ossa_context *context, void *arg)
{
	(void)arg;
	double positions[24];
	for (int i = 0; i < 24; i++) positions[i] = (double)BOX[i];
	const ossai_mesh_view mesh = ossai_view_of_doubles(8, positions, 12, FACES);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_clearance clearance;
	const ossa_status status = ossai_clearance_make(&arena, &mesh, true, &clearance);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	assert_true(test_allocation_sweep(make_in_sweep, NULL, 100, 1) > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distance_and_side_are_those_of_a_box),
		cmocka_unit_test(bounded_searches_find_the_same),
		cmocka_unit_test(segments_are_clear_where_they_meet_no_face),
		cmocka_unit_test(middles_are_half_way_through),
		cmocka_unit_test(without_faces_nothing_is_near),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
