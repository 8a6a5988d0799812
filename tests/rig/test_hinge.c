/* tests/rig/test_hinge.c: angles and limits of joints that turn about one axis. */
#include "rig/hinge.h"
#include "rig/turns.h"

#include "support/hinge.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <string.h>

static void angles_are_those_about_the_axis(void **state)
{
	(void)state;
	uint64_t seed = 3;
	for (int i = 0; i < 200; i++) {
		const ossai_vec3 axis = ossai_unit(test_random_point(&seed, 1), ossai_v3(1, 0, 0));
		const double angle = 720 * (test_random(&seed) - 0.5);
		const ossai_quat turn = ossai_quat_axis_angle(axis, angle * OSSAI_PI / 180);
		assert_near(ossai_hinge_angle(turn, axis, angle + 100), angle, 1e-9);
		assert_near(ossai_hinge_angle(ossai_quat_negate(turn), axis, angle - 100), angle, 1e-9);
	}
}

/* no other turn about the axis is nearer */
static void angles_of_other_turns_are_the_nearest(void **state)
{
	(void)state;
	uint64_t seed = 5;
	for (int i = 0; i < 50; i++) {
		const ossai_vec3 axis = ossai_unit(test_random_point(&seed, 1), ossai_v3(1, 0, 0));
		const ossai_quat turn = test_random_turn(&seed, 3);
		const double found = ossai_hinge_angle(turn, axis, 0);
		const double best = fabs(ossai_quat_dot(ossai_quat_axis_angle(axis, found * OSSAI_PI / 180), turn));
		for (int degrees = -180; degrees < 180; degrees += 5) {
			const ossai_quat other = ossai_quat_axis_angle(axis, degrees * OSSAI_PI / 180);
			assert_true(fabs(ossai_quat_dot(other, turn)) <= best + 1e-12);
		}
	}
}

/* from -40 to 250 degrees and back, in steps of 10 */
static double there_and_back(size_t frame)
{
	return frame <= 29 ? 10.0 * (double)frame - 40 : 250 - 10.0 * (double)(frame - 29);
}

static void range_is_followed_beyond_half_a_circle(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const ossai_vec3 axis = ossai_unit(ossai_v3(-0.5, 0.7, 0.2), ossai_v3(1, 0, 0));
	ossa_rig *rig = test_hinge_rig(context, axis, 59, there_and_back);
	double range[2];
	assert_true(ossai_hinge_range(rig, 1, range));
	assert_near(range[0], -40, 1e-6);
	assert_near(range[1], 250, 1e-6);
	assert_near_vec3(ossai_hinge_axis(&rig->skeleton.bones[1]), axis, 1e-9);
	/* the root is no hinge */
	assert_false(ossai_hinge_range(rig, 0, range));
	assert_true(range[0] == 0 && range[1] == 0);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static double up_to_70(size_t frame) { return 7.0 * (double)frame - 20; }

/* and about as much wider as the slack is, which is of the frame's angles */
static void limits_of_a_motion_are_its_range(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const ossai_vec3 axes[] = {{1, 0, 0}, {0, -1, 0}, {0.8, 0.6, 0}, {-0.8, 0, 0.6}, {0.1, -0.3, 0.9}, {0.1, -0.9, 0.1}};
	for (size_t i = 0; i < 2 * sizeof axes / sizeof axes[0]; i++) {
		ossa_rig *rig = test_hinge_rig(context, ossai_unit(axes[i / 2], axes[0]), 11, up_to_70);
		const double slack = i % 2 ? 5 : 0, least = i % 2 ? 3 : -1e-6, most = i % 2 ? 8 : 1e-6;
		double limits[2];
		assert_ok(context, ossa_rig_find_limits(context, rig, slack));
		ossai_hinge_limits(&rig->skeleton.bones[1], limits);
		assert_true(limits[0] < -20 - least && limits[0] > -20 - most);
		assert_true(limits[1] > 50 + least && limits[1] < 50 + most);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

static void limits_by_hand_hold_for_the_main_axis(void **state)
{
	(void)state;
	const double by_hand[3][2] = {{-10, 10}, {-1, 0}, {-16, 40}};
	ossa_bone bone = {.kind = OSSA_JOINT_HINGE, .orientation = {0, 0, 0, 1}, .axis = {0, 0, -1}, .has_limits = true};
	double limits[2];
	memcpy(bone.limits, by_hand, sizeof by_hand);
	/* it turns against the frame's z */
	ossai_hinge_limits(&bone, limits);
	assert_near(limits[0], -40, 1e-6);
	assert_near(limits[1], 16, 1e-6);
	bone.limits[2][0] = -360;
	ossai_hinge_limits(&bone, limits);
	assert_near(limits[1], 360, 1e-6);
	/* an angle about y that never comes to 40 degrees: by its share */
	ossai_v3_store(ossai_unit(ossai_v3(0.5, 0.6, 0.5), ossai_v3(1, 0, 0)), bone.axis);
	bone.limits[1][1] = 40;
	ossai_hinge_limits(&bone, limits);
	assert_near(limits[1], 40 / bone.axis[1], 1e-9);
}

/* a turn beyond them becomes one about the axis alone; one within them stays as it is */
static void turns_beyond_limits_are_about_the_axis(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const ossai_vec3 axis = ossai_unit(ossai_v3(0.8, 0.1, 0.2), ossai_v3(1, 0, 0));
	ossa_rig *rig = test_hinge_rig(context, axis, 11, up_to_70);
	const ossa_bone *bone = &rig->skeleton.bones[1];
	assert_ok(context, ossa_rig_find_limits(context, rig, 1));
	double past, limits[2];
	ossai_hinge_limits(bone, limits);
	for (int degrees = -180; degrees < 180; degrees += 10) {
		const ossai_quat turn = ossai_quat_axis_angle(axis, degrees * OSSAI_PI / 180);
		const ossai_quat within = ossai_turn_within_limits(bone, turn, &past),
						 again = ossai_turn_within_limits(bone, within, &past);
		const double angle = ossai_hinge_angle(within, axis, 0);
		assert_near(past, 0, 0);
		assert_near(ossai_quat_dot(again, within), 1, 1e-12);
		assert_true(angle > limits[0] - 1e-6 && angle < limits[1] + 1e-6);
		if (degrees >= -20 && degrees <= 50) assert_near(angle, degrees, 1e-6);
	}
	/* 30 degrees off the axis, where a little less than 1 is allowed */
	const ossai_vec3 aside = ossai_unit(ossai_cross(axis, ossai_v3(0, 0, 1)), axis);
	const ossai_quat bent = ossai_quat_axis_angle(axis, 0.4);
	const ossai_quat off = ossai_quat_mul(bent, ossai_quat_axis_angle(aside, 0.5));
	const ossai_quat back = ossai_turn_within_limits(bone, off, &past);
	assert_true(past > 10);
	assert_near(ossai_length(ossai_cross(ossai_v3(back.x, back.y, back.z), axis)), 0, 1e-12);
	const ossai_quat hardly = ossai_quat_mul(bent, ossai_quat_axis_angle(aside, 0.002));
	assert_near(ossai_quat_dot(ossai_turn_within_limits(bone, hardly, &past), hardly), 1, 1e-15);
	assert_near(past, 0, 0);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(angles_are_those_about_the_axis),
		cmocka_unit_test(angles_of_other_turns_are_the_nearest),
		cmocka_unit_test(range_is_followed_beyond_half_a_circle),
		cmocka_unit_test(limits_of_a_motion_are_its_range),
		cmocka_unit_test(turns_beyond_limits_are_about_the_axis),
		cmocka_unit_test(limits_by_hand_hold_for_the_main_axis),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
