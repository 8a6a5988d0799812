/* tests/export/test_joints_out.c: joints as programs with Euler angles have them. */
#include "export/joints.h"

#include "support/hinge.h"
#include "support/support.h"
#include "support/surfaces.h"

/* from -30 to 160 degrees */
static double swing(size_t frame) { return 65 + 95 * sin(0.3 * (double)frame - OSSAI_PI / 2); }

/* the product of the numbers in the file is the rotation in the clip */
static void assert_whole(const ossa_rig *rig, const ossai_joints *joints, size_t b)
{
	for (size_t f = 0; f < rig->clip->frame_count; f++) {
		const ossai_quat rest = ossai_euler_quat(joints->rest[b], OSSAI_EULER_ZYX);
		const ossai_quat turn = ossai_euler_quat(joints->turns[f * joints->count + b], ossai_euler_orders[joints->order[b]]);
		const ossai_quat after = ossai_euler_quat(joints->after[b], OSSAI_EULER_ZYX);
		const ossai_quat local = ossai_quat_mul(rest, ossai_quat_mul(turn, after));
		const double *wanted = rig->clip->rotations + 4 * (f * joints->count + b);
		assert_near(fabs(ossai_quat_dot(local, ossai_quat_of(wanted))), 1, 1e-12);
	}
}

/* no two of the frame's axes are near the hinge's, so that one of its angles grows as it turns */
static bool has_simple_angles(ossai_vec3 axis) { return fmax(fabs(axis.x), fmax(fabs(axis.y), fabs(axis.z))) > 0.97; }

static void check_hinge(ossa_context *context, ossai_vec3 axis, double slack)
{
	ossa_rig *rig = test_hinge_rig(context, axis, 40, swing);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_joints joints;
	assert_ok(context, ossai_joints_find(&arena, rig, slack, true, &joints));
	assert_whole(rig, &joints, 0);
	assert_whole(rig, &joints, 1);
	/* the same either way round */
	const ossai_quat after = ossai_euler_quat(joints.after[1], OSSAI_EULER_ZYX);
	assert_near(fabs(ossai_quat_dot(after, ossai_quat_conjugate(after))), 1, 1e-12);
	for (int k = 0; k < 3; k++) assert_true(joints.after[0][k] == 0);
	double least = 0, most = 0;
	for (size_t f = 0; f < 40; f++) {
		const double *turn = joints.turns[2 * f + 1];
		assert_near(fabs(turn[0]), fabs(swing(f)), 1e-6);
		assert_near(turn[1], 0, 1e-6);
		assert_near(turn[2], 0, 1e-6);
		least = fmin(least, turn[0]);
		most = fmax(most, turn[0]);
	}
	/* a range beyond half a circle; slack is of the frame's angles */
	assert_true(joints.limits[1][0][0] <= least && joints.limits[1][0][1] >= most);
	if (has_simple_angles(axis)) {
		assert_near(joints.limits[1][0][0], least - slack, 1e-5 + 0.1 * slack);
		assert_near(joints.limits[1][0][1], most + slack, 1e-5 + 0.1 * slack);
	}
	for (int k = 1; k < 3; k++) {
		assert_near(joints.limits[1][k][0], 0, 1e-6);
		assert_near(joints.limits[1][k][1], 0, 1e-6);
	}
	for (int k = 0; k < 3; k++) assert_true(joints.limited[1][k]);
	ossai_arena_end(&arena);
	ossa_rig_free(context, rig);
}

static void hinges_turn_about_x(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	uint64_t seed = 7;
	const ossai_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
	const ossai_vec3 simple[] = {x, y, z, {-1, 0, 0}, {-0.6, 0.8, 0}, ossai_unit(ossai_v3(-1, 1e-4, 0), x)};
	for (size_t i = 0; i < sizeof simple / sizeof simple[0]; i++) check_hinge(context, simple[i], 0);
	for (int i = 0; i < 30; i++) check_hinge(context, ossai_unit(test_random_point(&seed, 1), x), i % 2 ? 4 : 0);
	assert_int_equal(ossa_context_warning_count(context), 0);
	test_context_end(context);
}

/* a motion that is a little off the axis keeps to its limits, too */
static void errors_of_a_motion_are_within_its_limits(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	uint64_t seed = 9;
	ossa_rig *rig = test_hinge_rig(context, ossai_v3(0.6, 0, 0.8), 40, swing);
	for (size_t f = 0; f < 40; f++) {
		double *at = rig->clip->rotations + 8 * f + 4;
		ossai_quat_store(ossai_quat_mul(ossai_quat_of(at), test_random_turn(&seed, 0.01)), at);
	}
	ossai_arena arena = ossai_arena_begin(context);
	ossai_joints joints;
	assert_ok(context, ossai_joints_find(&arena, rig, 0, false, &joints));
	assert_whole(rig, &joints, 1);
	for (int k = 0; k < 3; k++) assert_true(joints.limited[1][k]);
	for (int k = 1; k < 3; k++) assert_true(joints.limits[1][k][1] - joints.limits[1][k][0] < 2.5);
	assert_int_equal(ossa_context_warning_count(context), 0);
	ossai_arena_end(&arena);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hinges_turn_about_x),
		cmocka_unit_test(errors_of_a_motion_are_within_its_limits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
