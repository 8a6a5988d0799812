/* tests/query/test_visibility.c: what is visible from a vertex through the inside of closed,
   open, inside-out, torn and overlapping surfaces. */
#include "support/support.h"
#include "support/surfaces.h"
#include "surface/interior.h"

#include <string.h>

enum { SIDES = 12, RINGS = 9, TUBE_POINTS = SIDES * RINGS + 2, TUBE_FACES = 2 * SIDES * (RINGS - 1) + 2 * SIDES };

/* a round tube along x from -1 to 1 of radius `r` about y = `at`; the last two points and 2 SIDES
   faces are its caps */
static void make_tube(double r, double at, float *positions, uint32_t *triangles, uint32_t first)
{
	for (uint32_t i = 0; i < SIDES * RINGS; i++) {
		const double angle = 2 * OSSAI_PI * (0.3 + i % SIDES) / SIDES;
		positions[3 * i] = (float)(-1 + 2.0 * (i / SIDES) / (RINGS - 1));
		positions[3 * i + 1] = (float)(at + r * cos(angle));
		positions[3 * i + 2] = (float)(r * sin(angle));
	}
	for (uint32_t end = 0; end < 2; end++) {
		float *p = positions + 3 * (SIDES * RINGS + end);
		p[0] = end == 0 ? -1 : 1;
		p[1] = (float)at;
		p[2] = 0;
	}
	uint32_t *t = triangles;
	for (uint32_t ring = 0; ring + 1 < RINGS; ring++) {
		for (uint32_t k = 0; k < SIDES; k++, t += 6) {
			const uint32_t a = first + ring * SIDES + k, b = first + ring * SIDES + (k + 1) % SIDES;
			memcpy(t, (uint32_t[]){a, b, b + SIDES, a, b + SIDES, a + SIDES}, 6 * sizeof *t);
		}
	}
	for (uint32_t k = 0; k < SIDES; k++, t += 6) {
		const uint32_t last = first + (RINGS - 1) * SIDES, next = (k + 1) % SIDES;
		memcpy(t,
			(uint32_t[]){first + SIDES * RINGS, first + next, first + k, first + SIDES * RINGS + 1, last + k, last + next},
			6 * sizeof *t);
	}
}

typedef struct scene {
	test_surface t;
	ossai_interior interior;
} scene;

static scene make_scene(size_t vertex_count, const float *positions, size_t face_count, const uint32_t *triangles)
{
	scene s = {.t = test_surface_make(1, vertex_count, positions, face_count, triangles, 1, NULL)};
	assert_ok(s.t.context, ossai_interior_make(&s.t.arena, &s.t.s, &s.interior));
	return s;
}

/* a point in the units of the positions */
static bool sees(const scene *s, uint32_t vertex, double x, double y, double z)
{
	const ossai_vec3 point = ossai_scale(ossai_sub(ossai_v3(x, y, z), s->t.s.rest_center), 1 / s->t.s.scale);
	return ossai_visibility_inside(&s->interior.visibility, s->interior.weld.point_of_vertex[vertex], point);
}

/* a vertex of the middle ring */
enum { MIDDLE = RINGS / 2 * SIDES + 3 };

static void assert_sees_a_tube(const scene *s)
{
	assert_true(sees(s, MIDDLE, 0, 0, 0));
	assert_true(sees(s, MIDDLE, 0.8, 0.05, 0));
	/* through the other side, and away from the body */
	const float *p = s->t.mesh->positions + 3 * MIDDLE;
	assert_false(sees(s, MIDDLE, p[0], -3 * p[1], -3 * p[2]));
	assert_false(sees(s, MIDDLE, p[0], 3 * p[1], 3 * p[2]));
}

static void closed_and_open_tubes_turned_any_way(void **state)
{
	(void)state;
	float positions[3 * TUBE_POINTS];
	uint32_t triangles[3 * TUBE_FACES];
	make_tube(0.2, 0, positions, triangles, 0);
	for (int turn = 0; turn < 3; turn++) {
		/* as made; inside out; every third face turned against the rest */
		for (size_t f = 0; f < TUBE_FACES; f++) {
			if (turn == 0 || (turn == 2 && f % 3 != 0)) continue;
			const uint32_t swap = triangles[3 * f];
			triangles[3 * f] = triangles[3 * f + 1];
			triangles[3 * f + 1] = swap;
		}
		for (size_t caps = 0; caps <= 2 * SIDES; caps += 2 * SIDES) {
			scene s = make_scene(TUBE_POINTS, positions, TUBE_FACES - caps, triangles);
			assert_sees_a_tube(&s);
			test_surface_end(&s.t);
		}
	}
}

static void a_way_from_piece_to_piece_must_stay_inside(void **state)
{
	(void)state;
	float positions[6 * TUBE_POINTS];
	uint32_t triangles[6 * TUBE_FACES];
	make_tube(0.2, 0, positions, triangles, 0);
	/* overlapping: one body; apart: not */
	for (int apart = 0; apart < 2; apart++) {
		const double at = apart ? 0.5 : 0.3;
		make_tube(0.2, at, positions + 3 * TUBE_POINTS, triangles + 3 * TUBE_FACES, TUBE_POINTS);
		scene s = make_scene(2 * TUBE_POINTS, positions, 2 * TUBE_FACES, triangles);
		uint32_t lowest = MIDDLE;
		for (uint32_t v = RINGS / 2 * SIDES; v < (RINGS / 2 + 1) * SIDES; v++) {
			if (positions[3 * v + 1] < positions[3 * lowest + 1]) lowest = v;
		}
		assert_true(sees(&s, lowest, 0, 0, 0));
		assert_int_equal(sees(&s, lowest, 0, at, 0), !apart);
		test_surface_end(&s.t);
	}
}

static void cards_stop_nothing_and_see_the_body(void **state)
{
	(void)state;
	float positions[3 * (TUBE_POINTS + 4)];
	uint32_t triangles[3 * (TUBE_FACES + 2)];
	make_tube(0.2, 0, positions, triangles, 0);
	/* across the tube, half in it */
	static const float card[12] = {0, -0.1F, 0.1F, 0, 0.3F, 0.1F, 0.4F, 0.3F, 0.1F, 0.4F, -0.1F, 0.1F};
	memcpy(positions + 3 * TUBE_POINTS, card, sizeof card);
	const uint32_t n = TUBE_POINTS;
	memcpy(triangles + 3 * TUBE_FACES, (uint32_t[]){n, n + 1, n + 2, n, n + 2, n + 3}, 6 * sizeof *triangles);
	scene s = make_scene(TUBE_POINTS + 4, positions, TUBE_FACES + 2, triangles);
	assert_sees_a_tube(&s);
	/* a corner outside sees in: it comes in through the body's side */
	assert_true(sees(&s, n + 1, 0, 0, 0));
	assert_true(sees(&s, n, 0, 0, 0));
	/* but not through the body and out again */
	assert_false(sees(&s, n + 1, 0, -0.5, 0));
	test_surface_end(&s.t);
}

static void moved_vertices_see_from_where_they_are(void **state)
{
	(void)state;
	float positions[3 * TUBE_POINTS], poses[3 * TUBE_POINTS];
	uint32_t triangles[3 * TUBE_FACES];
	make_tube(0.2, 0, positions, triangles, 0);
	/* bent over: the halves lie side by side */
	for (size_t v = 0; v < TUBE_POINTS; v++) {
		const double angle = OSSAI_PI * (positions[3 * v] + 1) / 2, r = 0.6 + positions[3 * v + 1];
		poses[3 * v] = (float)(r * sin(angle));
		poses[3 * v + 1] = (float)(r * cos(angle));
		poses[3 * v + 2] = positions[3 * v + 2];
	}
	test_surface t = test_surface_make(1, TUBE_POINTS, positions, TUBE_FACES, triangles, 1, poses);
	ossai_interior interior;
	assert_ok(t.context, ossai_interior_make(&t.arena, &t.s, &interior));
	/* the middles of the first ring and of the last */
	const ossai_vec3 first = ossai_pose_point(&t.s, SIDES * RINGS, 0), last = ossai_pose_point(&t.s, SIDES * RINGS + 1, 0);
	ossai_interior_move(t.context, 0, &interior);
	for (uint32_t v = SIDES; v < 2 * SIDES; v++) {
		assert_true(
			ossai_visibility_inside(&interior.visibility, v, ossai_lerp(first, ossai_pose_point(&t.s, MIDDLE, 0), 0.02)));
		assert_false(ossai_visibility_inside(&interior.visibility, v, last));
	}
	test_surface_end(&t);
}

static ossa_status make_in_sweep(ossa_context *context, void *arg)
{
	ossai_arena arena = ossai_arena_begin(context);
	ossai_interior interior;
	const ossa_status status = ossai_interior_make(&arena, arg, &interior);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 8, 4, 2);
	test_allocation_sweep(make_in_sweep, &t.s, 200, 1);
	test_surface_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(closed_and_open_tubes_turned_any_way),
		cmocka_unit_test(a_way_from_piece_to_piece_must_stay_inside),
		cmocka_unit_test(cards_stop_nothing_and_see_the_body),
		cmocka_unit_test(moved_vertices_see_from_where_they_are),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
