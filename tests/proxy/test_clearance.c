/* tests/proxy/test_clearance.c: distances, inside, clear segments and middles in a box, against what they are. */
#include "proxy/clearance.h"
#include "support/support.h"
#include "support/surfaces.h"

typedef struct bench {
	ossa_context *context;
	ossai_arena arena;
	ossai_proxy proxy;
	ossai_clearance clearance;
	double positions[24];
} bench;

static const double half[] = {0.3, 0.2, 0.1};

/* a closed box about the origin of these half sizes; faces look outward */
static void begin(bench *b, size_t face_count)
{
	static uint32_t triangles[] = {
		0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
	b->context = test_context(1);
	b->arena = ossai_arena_begin(b->context);
	for (int i = 0; i < 24; i++) b->positions[i] = (i / 3 >> i % 3 & 1 ? 1 : -1) * half[i % 3];
	b->proxy = (ossai_proxy){.vertex_count = 8, .positions = b->positions, .face_count = face_count, .triangles = triangles};
	assert_ok(b->context, ossai_clearance_make(&b->arena, &b->proxy, true, &b->clearance));
}

static void end(bench *b)
{
	ossai_arena_end(&b->arena);
	test_context_end(b->context);
}

/* from inside to the nearest wall, from outside to the nearest point of the box */
static double distance_to_box(ossai_vec3 p)
{
	const double over[] = {fabs(p.x) - half[0], fabs(p.y) - half[1], fabs(p.z) - half[2]};
	const double inside = fmax(over[0], fmax(over[1], over[2]));
	return inside <= 0 ? -inside : ossai_length(ossai_v3(fmax(over[0], 0), fmax(over[1], 0), fmax(over[2], 0)));
}

static void distances_are_those_of_a_box(void **state)
{
	(void)state;
	bench b;
	begin(&b, 12);
	uint64_t seed = 1;
	for (int i = 0; i < 500; i++) {
		const ossai_vec3 p = test_random_point(&seed, 0.5);
		ossai_vec3 nearest;
		uint32_t face;
		const double distance = ossai_clearance_nearest(&b.clearance, p, &nearest, &face);
		/* the tree has floats */
		assert_near(distance, distance_to_box(p), 1e-7);
		assert_near(ossai_distance(p, nearest), distance, 1e-7);
		assert_near(distance_to_box(nearest), 0, 1e-7);
		assert_true(face < 12);
		const bool is_inside = fabs(p.x) < half[0] && fabs(p.y) < half[1] && fabs(p.z) < half[2];
		if (distance > 1e-3) assert_int_equal(ossai_clearance_inside(&b.clearance, p), is_inside);
	}
	end(&b);
}

static void without_faces_nothing_is_near(void **state)
{
	(void)state;
	bench b;
	begin(&b, 0);
	ossai_vec3 point;
	uint32_t face;
	assert_true(isinf(ossai_clearance_nearest(&b.clearance, ossai_v3(0, 0, 0), &point, &face)));
	assert_int_equal(face, OSSA_NONE);
	assert_false(ossai_clearance_middle(&b.clearance, ossai_v3(0, 0, 0), &point));
	assert_true(ossai_clearance_clear(&b.clearance, ossai_v3(0, 0, 0), ossai_v3(9, 0, 0)));
	end(&b);
}

static void segments_are_clear_until_they_meet_a_wall(void **state)
{
	(void)state;
	bench b;
	begin(&b, 12);
	const ossai_vec3 low = ossai_v3(-0.29, -0.19, -0.09), high = ossai_v3(0.29, 0.19, 0.09),
					 outside = ossai_v3(0.5, 0.19, 0.09);
	assert_true(ossai_clearance_clear(&b.clearance, low, high));
	assert_false(ossai_clearance_clear(&b.clearance, high, outside));
	assert_false(ossai_clearance_clear(&b.clearance, outside, high));
	assert_false(ossai_clearance_clear(&b.clearance, ossai_v3(-0.5, 0, 0), ossai_v3(0.5, 0, 0)));
	assert_true(ossai_clearance_clear(&b.clearance, outside, ossai_v3(0.5, -0.19, 0.09)));
	/* a place on the wall has no clearance; a place off it has */
	assert_false(ossai_clearance_clear(&b.clearance, ossai_v3(0.1, 0.05, 0.1), ossai_v3(0.1, 0.05, 0)));
	assert_true(ossai_clearance_clear(&b.clearance, low, low));
	/* just below the wall and just through it */
	assert_true(ossai_clearance_clear(&b.clearance, ossai_v3(0.1, 0.05, 0), ossai_v3(0.1, 0.05, 0.0999)));
	assert_false(ossai_clearance_clear(&b.clearance, ossai_v3(0.1, 0.05, 0), ossai_v3(0.1, 0.05, 0.1001)));
	end(&b);
}

/* half way to the opposite wall, from inside or from outside */
static void the_middle_lies_between_two_walls(void **state)
{
	(void)state;
	bench b;
	begin(&b, 12);
	ossai_vec3 middle;
	const ossai_vec3 starts[] = {{0.11, 0.07, 0.09}, {0.11, 0.07, -0.09}, {0.11, 0.07, 0.3}};
	for (int i = 0; i < 3; i++) {
		assert_true(ossai_clearance_middle(&b.clearance, starts[i], &middle));
		assert_near_vec3(middle, ossai_v3(0.11, 0.07, 0), 1e-6);
	}
	assert_true(ossai_clearance_middle(&b.clearance, ossai_v3(-0.29, 0.01, 0.02), &middle));
	assert_near_vec3(middle, ossai_v3(0, 0.01, 0.02), 1e-6);
	end(&b);
	/* the walls at -z alone: nothing is opposite */
	begin(&b, 2);
	assert_false(ossai_clearance_middle(&b.clearance, ossai_v3(0.1, 0, -0.05), &middle));
	end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distances_are_those_of_a_box),
		cmocka_unit_test(without_faces_nothing_is_near),
		cmocka_unit_test(segments_are_clear_until_they_meet_a_wall),
		cmocka_unit_test(the_middle_lies_between_two_walls),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
