/* tests/skeleton/from_motion/test_bodies.c: which pieces are one body, of boxes whose motion is
   known. */
#include "skeleton/from_motion/bodies.h"
#include "support/shapes.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

enum { POSES = 12, PARTS_MOST = 4 };

/* where a part is in a pose; slip: what a joint does not explain */
typedef ossai_rigid path(size_t pose, double slip);

typedef struct part {
	ossai_vec3 low, high;
	path *path;
} part;

static ossai_rigid about(ossai_vec3 point, ossai_vec3 axis, double angle)
{
	const ossai_mat3 r = ossai_quat_matrix(ossai_quat_axis_angle(axis, angle));
	return (ossai_rigid){r, ossai_sub(point, ossai_mat3_mul_v(&r, point))};
}

/* ---- paths ---- */

static ossai_rigid stay(size_t pose, double slip)
{
	(void)pose;
	(void)slip;
	return (ossai_rigid){ossai_mat3_identity(), ossai_v3(0, 0, 0)};
}

/* walks and turns */
static ossai_rigid walk(size_t pose, double slip)
{
	(void)slip;
	ossai_rigid x = about(ossai_v3(0, 0, 0), ossai_v3(0, 1, 0), 0.4 * sin(0.9 * (double)pose));
	x.t = ossai_add(x.t, ossai_v3(0.2 * (double)pose, 0, 0.1 * sin((double)pose)));
	return x;
}

/* bends against what walks, at its end; what slips moves sideways */
static ossai_rigid bend(size_t pose, double slip)
{
	const ossai_rigid up = walk(pose, 0);
	ossai_rigid own = about(ossai_v3(1, 0, 0), ossai_v3(0, 0, 1), 1.2 * sin(0.7 * (double)pose));
	own.t = ossai_add(own.t, ossai_v3(0, 0, slip * sin(1.7 * (double)pose + 0.3)));
	return ossai_rigid_mul(&up, &own);
}

/* goes along with the one that walks, in steps of its own */
static ossai_rigid follow(size_t pose, double slip)
{
	(void)slip;
	ossai_rigid x = about(ossai_v3(1.5, 0, 0), ossai_v3(0, 1, 0), 0.3 * sin(1.3 * (double)pose + 2));
	x.t = ossai_add(x.t, ossai_v3(0.2 * (double)pose, 0.2 * cos(2.1 * (double)pose), 0.3 * sin(1.9 * (double)pose)));
	return x;
}

/* an arm on a base at the origin, and its second link */
static ossai_rigid swing(size_t pose, double slip)
{
	(void)slip;
	return about(ossai_v3(0, 0, 0), ossai_v3(0.6, 0, 0.8), 0.8 * sin(0.8 * (double)pose));
}

/* ---- scenes ---- */

typedef struct scene {
	test_surface t;
	ossai_bodies bodies;
} scene;

/* `whole` moves all, in rest and poses; lengths are multiplied by `scale` */
static scene look_at(size_t count, const part *parts, double slip, ossai_rigid whole, double scale, int threads)
{
	test_shape *shape = test_shape_new();
	scene s;
	assert_non_null(shape);
	for (size_t i = 0; i < count; i++) test_shape_box(shape, parts[i].low, parts[i].high, true);
	float *poses = malloc(POSES * 3 * shape->vertex_count * sizeof *poses);
	assert_non_null(poses);
	for (size_t k = 0; k < POSES + 1; k++) {
		float *to = k < POSES ? poses + k * 3 * shape->vertex_count : shape->positions;
		for (size_t v = 0; v < shape->vertex_count; v++) {
			const ossai_rigid x = k < POSES ? parts[v / 8].path(k + 1, slip) : stay(0, 0);
			const ossai_vec3 p = ossai_rigid_point(&x, ossai_v3_of_float(shape->positions + 3 * v));
			const ossai_vec3 placed = ossai_scale(ossai_rigid_point(&whole, p), scale);
			to[3 * v] = (float)placed.x;
			to[3 * v + 1] = (float)placed.y;
			to[3 * v + 2] = (float)placed.z;
		}
	}
	s.t = test_surface_make(threads, shape->vertex_count, shape->positions, shape->face_count, shape->triangles, POSES, poses);
	assert_ok(s.t.context, ossai_bodies_find(s.t.context, &s.t.arena, &s.t.s, &s.bodies));
	free(poses);
	free(shape);
	return s;
}

static scene see(size_t count, const part *parts, double slip) { return look_at(count, parts, slip, stay(0, 0), 1, 1); }

static const part upper = {{0, -0.1, -0.1}, {0.98, 0.1, 0.1}, walk}, lower = {{1, -0.1, -0.1}, {2, 0.1, 0.1}, bend},
				  other = {{1, -0.1, -0.1}, {2, 0.1, 0.1}, follow}, floor_below = {{-2, -0.3, -2}, {4, -0.15, 2}, stay},
				  arm = {{-0.1, 0.02, -0.1}, {0.1, 1, 0.1}, swing}, base = {{-0.3, -0.5, -0.3}, {0.3, -0.01, 0.3}, stay};

/* ---- tests ---- */

static void what_a_joint_explains_is_one_body(void **state)
{
	(void)state;
	scene s = see(2, (const part[]){upper, lower}, 0);
	assert_int_equal(s.bodies.count, 1);
	assert_int_equal(s.bodies.joint_count, 1);
	assert_true(s.bodies.joints[0].gap < 1e-4 * s.bodies.joints[0].spread);
	assert_true(s.bodies.joints[0].odds > 1.5);
	const double place[3] = {1, 0, 0};
	/* on the hinge's axis, which is along z */
	const ossai_vec3 joint = s.bodies.joints[0].place, wanted = ossai_posed_surface_units(&s.t.s, place);
	assert_near(hypot(joint.x - wanted.x, joint.y - wanted.y), 0, 1e-3);
	test_surface_end(&s.t);
}

/* they move on together, as two people who walk side by side */
static void what_moves_on_its_own_is_a_body_of_its_own(void **state)
{
	(void)state;
	scene s = see(2, (const part[]){upper, other}, 0);
	assert_int_equal(s.bodies.count, 2);
	assert_int_equal(s.bodies.of_piece[0], 0);
	assert_int_equal(s.bodies.of_piece[1], 1);
	assert_true(s.bodies.joints[0].gap > 0.7 * s.bodies.joints[0].spread);
	test_surface_end(&s.t);
}

/* joints that slip by less than 0.59 of the spread are kept, others are not */
static void joints_may_slip_a_little(void **state)
{
	(void)state;
	for (int side = 0; side < 2; side++) {
		scene s = see(2, (const part[]){upper, lower}, side == 0 ? 0.36 : 0.5);
		const double share = s.bodies.joints[0].gap / s.bodies.joints[0].spread;
		assert_int_equal(s.bodies.count, side == 0 ? 1 : 2);
		assert_true(side == 0 ? share > 0.45 && share < 0.59 : share > 0.59 && share < 0.75);
		assert_true((s.bodies.joints[0].odds > 0) == (side == 0));
		test_surface_end(&s.t);
	}
}

/* a floor, and what stands on it as still as it */
static void what_never_moves_is_one_body(void **state)
{
	(void)state;
	const part post = {{3, -0.12, 0}, {3.2, 1, 0.2}, stay};
	scene s = see(4, (const part[]){upper, floor_below, lower, post}, 0);
	assert_int_equal(s.bodies.count, 2);
	const uint32_t wanted[] = {0, 1, 0, 1};
	assert_memory_equal(s.bodies.of_piece, wanted, sizeof wanted);
	const uint8_t still[] = {0, 1, 0, 1};
	assert_memory_equal(s.bodies.is_still, still, sizeof still);
	test_surface_end(&s.t);
}

static void an_arm_turns_on_its_base(void **state)
{
	(void)state;
	scene s = see(2, (const part[]){base, arm}, 0);
	assert_int_equal(s.bodies.count, 1);
	assert_true(s.bodies.is_still[0]);
	assert_true(s.bodies.joints[0].odds > 1.5);
	test_surface_end(&s.t);
}

/* a post and a base that only stand beside each other are as still; the evidence that joins a
   still piece is that something turns about it */
static void rest_alone_joins_nothing_to_a_floor(void **state)
{
	(void)state;
	const part away = {{-0.1, 0.02, -0.1}, {0.1, 1, 0.1}, walk};
	scene s = see(2, (const part[]){base, away}, 0);
	assert_int_equal(s.bodies.count, 2);
	assert_true(s.bodies.joints[0].odds < 0);
	test_surface_end(&s.t);
}

static void place_and_size_do_not_matter(void **state)
{
	(void)state;
	const part parts[] = {upper, floor_below, lower, other};
	scene s = see(4, parts, 0.2);
	const ossai_rigid turned = about(ossai_v3(0.3, 1, -2), ossai_v3(0.48, 0.6, 0.64), 1.1);
	scene moved = look_at(4, parts, 0.2, turned, 30, 1);
	assert_int_equal(moved.bodies.count, s.bodies.count);
	assert_int_equal(moved.bodies.joint_count, s.bodies.joint_count);
	for (size_t i = 0; i < s.bodies.joint_count; i++) {
		assert_near(moved.bodies.joints[i].odds, s.bodies.joints[i].odds, 0.02 * (1 + fabs(s.bodies.joints[i].odds)));
	}
	test_surface_end(&s.t);
	test_surface_end(&moved.t);
}

static void threads_do_not_matter(void **state)
{
	(void)state;
	const part parts[] = {upper, floor_below, lower, other};
	scene one = look_at(4, parts, 0.1, stay(0, 0), 1, 1), three = look_at(4, parts, 0.1, stay(0, 0), 1, 3);
	assert_int_equal(one.bodies.joint_count, three.bodies.joint_count);
	for (size_t i = 0; i < one.bodies.joint_count; i++) {
		assert_true(one.bodies.joints[i].odds == three.bodies.joints[i].odds);
		assert_true(one.bodies.joints[i].gap == three.bodies.joints[i].gap);
	}
	test_surface_end(&one.t);
	test_surface_end(&three.t);
}

static void one_piece_and_no_poses_are_one_body(void **state)
{
	(void)state;
	scene s = see(1, &upper, 0);
	assert_int_equal(s.bodies.count, 1);
	assert_int_equal(s.bodies.joint_count, 0);
	test_surface_end(&s.t);
	scene still = see(2, (const part[]){base, floor_below}, 0);
	assert_int_equal(still.bodies.count, 1);
	test_surface_end(&still.t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_joint_explains_is_one_body),
		cmocka_unit_test(what_moves_on_its_own_is_a_body_of_its_own),
		cmocka_unit_test(joints_may_slip_a_little),
		cmocka_unit_test(what_never_moves_is_one_body),
		cmocka_unit_test(an_arm_turns_on_its_base),
		cmocka_unit_test(rest_alone_joins_nothing_to_a_floor),
		cmocka_unit_test(place_and_size_do_not_matter),
		cmocka_unit_test(threads_do_not_matter),
		cmocka_unit_test(one_piece_and_no_poses_are_one_body),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
