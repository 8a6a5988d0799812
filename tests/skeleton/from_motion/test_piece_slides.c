/* tests/skeleton/from_motion/test_piece_slides.c: which boxes slide along each other. */
#include "skeleton/from_motion/bodies.h"
#include "support/shapes.h"
#include "support/support.h"

#include <stdlib.h>

enum { POSES_MOST = 12 };

typedef ossai_rigid path(size_t pose);

typedef struct part {
	ossai_vec3 low, high;
	path *path;
} part;

static ossai_rigid moved(ossai_vec3 by) { return (ossai_rigid){ossai_mat3_identity(), by}; }

/* ---- paths; pose 0 is the rest ---- */

static ossai_rigid stay(size_t pose) { return moved(ossai_v3(0 * (double)pose, 0, 0)); }

/* walks and turns, as a cabinet that is carried */
static ossai_rigid walk(size_t pose)
{
	const ossai_quat q = ossai_quat_axis_angle(ossai_v3(0, 0.6, 0.8), 0.5 * sin(0.9 * (double)pose));
	return (ossai_rigid){ossai_quat_matrix(q), ossai_v3(0.3 * (double)pose, 0, 0.2 * sin((double)pose))};
}

static double offset_in(size_t pose) { return 0.25 * sin(1.3 * (double)pose); }

static ossai_rigid on_walk(ossai_rigid own, size_t pose)
{
	const ossai_rigid up = walk(pose);
	return ossai_rigid_mul(&up, &own);
}

/* a drawer of that cabinet, and what is in the drawer */
static ossai_rigid pull(size_t pose) { return on_walk(moved(ossai_v3(0, 0, offset_in(pose))), pose); }
static ossai_rigid pull_twice(size_t pose)
{
	return on_walk(moved(ossai_v3(0, 0, offset_in(pose) + 0.2 * sin(0.7 * (double)pose))), pose);
}

/* it turns as it goes, as a screw does */
static ossai_rigid screw(size_t pose)
{
	ossai_rigid own = moved(ossai_v3(0, 0, offset_in(pose)));
	own.r = ossai_quat_matrix(ossai_quat_axis_angle(ossai_v3(0, 0, 1), 3 * offset_in(pose)));
	return on_walk(own, pose);
}

/* moves about in a plane of the cabinet */
static ossai_rigid drift(size_t pose)
{
	return on_walk(moved(ossai_v3(0, 0.2 * sin(2.1 * (double)pose), offset_in(pose))), pose);
}

/* straight on, at a speed of its own, beside what stands and what walks */
static ossai_rigid drive(size_t pose) { return moved(ossai_v3(0.4 * (double)pose, 0, 0)); }
static ossai_rigid overtake(size_t pose) { return on_walk(moved(ossai_v3(0.1 * (double)pose, 0, 0)), pose); }

/* ---- scenes ---- */

typedef struct scene {
	test_surface t;
	ossai_bodies bodies;
} scene;

static double deviate(uint32_t *state) { return (double)test_random_bits(state) / UINT32_MAX - 0.5; }

static scene see(size_t count, const part *parts, size_t poses, double noise)
{
	test_shape *shape = test_shape_new();
	scene s;
	uint32_t state = 7;
	assert_non_null(shape);
	for (size_t i = 0; i < count; i++) test_shape_box(shape, parts[i].low, parts[i].high, true);
	float *moving = malloc(poses * 3 * shape->vertex_count * sizeof *moving);
	assert_non_null(moving);
	for (size_t k = 0; k < poses; k++) {
		for (size_t v = 0; v < shape->vertex_count; v++) {
			const ossai_rigid x = parts[v / 8].path(k + 1);
			const ossai_vec3 p = ossai_rigid_point(&x, ossai_v3_of_float(shape->positions + 3 * v));
			float *to = moving + 3 * (k * shape->vertex_count + v);
			to[0] = (float)(p.x + noise * deviate(&state));
			to[1] = (float)(p.y + noise * deviate(&state));
			to[2] = (float)(p.z + noise * deviate(&state));
		}
	}
	s.t = test_surface_make(1, shape->vertex_count, shape->positions, shape->face_count, shape->triangles, poses, moving);
	assert_ok(s.t.context, ossai_bodies_find(s.t.context, &s.t.arena, &s.t.s, &s.bodies));
	free(moving);
	free(shape);
	return s;
}

static const part cabinet = {{0, 0, 0}, {1, 1, 1}, walk}, drawer = {{0.1, 0.1, 0.2}, {0.9, 0.4, 1.2}, pull},
				  box = {{0.2, 0.15, 0.5}, {0.8, 0.35, 1.5}, pull_twice};

static size_t slides_of(size_t count, const part *parts, size_t poses, double noise)
{
	scene s = see(count, parts, poses, noise);
	const size_t slides = s.bodies.slide_count;
	test_surface_end(&s.t);
	return slides;
}

/* ---- tests ---- */

static void a_drawer_slides_in_its_cabinet(void **state)
{
	(void)state;
	for (int noisy = 0; noisy < 2; noisy++) {
		scene s = see(2, (const part[]){drawer, cabinet}, POSES_MOST, noisy ? 0.003 : 0);
		assert_int_equal(s.bodies.count, 2);
		assert_int_equal(s.bodies.slide_count, 1);
		/* the larger one is what it slides on */
		assert_int_equal(s.bodies.slides[0].body, s.bodies.of_piece[0]);
		assert_int_equal(s.bodies.slides[0].up, s.bodies.of_piece[1]);
		test_surface_end(&s.t);
	}
}

/* each on the one whose surface it touches most */
static void telescopes_are_chains(void **state)
{
	(void)state;
	scene s = see(3, (const part[]){cabinet, drawer, box}, POSES_MOST, 0);
	assert_int_equal(s.bodies.slide_count, 2);
	assert_int_equal(s.bodies.slides[0].up, s.bodies.of_piece[0]);
	assert_int_equal(s.bodies.slides[1].body, s.bodies.of_piece[2]);
	assert_int_equal(s.bodies.slides[1].up, s.bodies.of_piece[1]);
	test_surface_end(&s.t);
}

static void only_lines_without_turns_are_slides(void **state)
{
	(void)state;
	part other = drawer;
	other.path = screw;
	assert_int_equal(slides_of(2, (const part[]){cabinet, other}, POSES_MOST, 0), 0);
	other.path = drift;
	assert_int_equal(slides_of(2, (const part[]){cabinet, other}, POSES_MOST, 0), 0);
	other.path = walk;
	assert_int_equal(slides_of(2, (const part[]){cabinet, other}, POSES_MOST, 0), 0);
}

/* two places lie on a line in any case */
static void few_places_say_nothing(void **state)
{
	(void)state;
	const part parts[] = {cabinet, drawer};
	assert_int_equal(slides_of(2, parts, 1, 0), 0);
	assert_int_equal(slides_of(2, parts, 4, 0), 1);
}

static void what_is_not_held_does_not_slide(void **state)
{
	(void)state;
	const part floor = {{-2, -0.3, -2}, {8, -0.15, 2}, stay}, block = {{-2, -3, -1}, {8, -0.15, 1}, stay};
	const part car = {{0, -0.14, -0.3}, {1, 0.2, 0.3}, drive}, sunk = {{0, -0.2, -0.3}, {1, 0.2, 0.3}, drive};
	const part bird = {{0, 0.5, 2}, {0.3, 0.8, 2.3}, drive}, runner = {{0.2, 0, 1.05}, {0.8, 1, 1.6}, overtake};
	/* on a floor, also in it; on the flat side of a block; past a post; beside a walker */
	assert_int_equal(slides_of(2, (const part[]){floor, car}, POSES_MOST, 0), 0);
	assert_int_equal(slides_of(2, (const part[]){floor, sunk}, POSES_MOST, 0), 0);
	assert_int_equal(slides_of(2, (const part[]){block, car}, POSES_MOST, 0), 0);
	assert_int_equal(slides_of(2, (const part[]){{{0, 0, 0}, {1, 1, 1}, stay}, bird}, POSES_MOST, 0), 0);
	assert_int_equal(slides_of(2, (const part[]){cabinet, runner}, POSES_MOST, 0), 0);
}

/* a bolt that flies out of its hole */
static void what_leaves_does_not_slide(void **state)
{
	(void)state;
	const part post = {{0, 0, 0}, {0.5, 1, 1}, stay}, bolt = {{0.2, 0.4, 0.4}, {1, 0.6, 0.6}, drive};
	assert_int_equal(slides_of(2, (const part[]){post, bolt}, POSES_MOST, 0), 0);
	assert_int_equal(slides_of(2, (const part[]){post, bolt}, 1, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_drawer_slides_in_its_cabinet),
		cmocka_unit_test(telescopes_are_chains),
		cmocka_unit_test(only_lines_without_turns_are_slides),
		cmocka_unit_test(few_places_say_nothing),
		cmocka_unit_test(what_is_not_held_does_not_slide),
		cmocka_unit_test(what_leaves_does_not_slide),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
