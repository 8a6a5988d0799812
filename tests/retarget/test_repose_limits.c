/* tests/retarget/test_repose_limits.c: limits and hinges of a body in another rest pose. */
#include <ossa/rest_pose.h>

#include "support/bent_body.h"
#include "support/still.h"
#include "support/support.h"

/* an axis keeps its place in its joint's frame, so a turn about it is one as before */
static void hinges_and_their_limits_follow(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	ossa_rig *rig = test_bent_body(context, &axes);
	const size_t calf = (size_t)ossa_rig_bone(rig, "calf_L");
	ossa_bone *bone = &rig->skeleton.bones[calf];
	bone->kind = OSSA_JOINT_HINGE;
	/* about the axis on which knee and ankle bend: the x of the frame */
	const ossai_vec3 thigh = test_bone_direction(rig, "thigh_L", "calf_L"), shin = test_bone_direction(rig, "calf_L", "foot_L");
	const ossai_vec3 x = ossai_unit(ossai_cross(thigh, shin), ossai_v3(1, 0, 0));
	const ossai_mat3 columns = {{{x.x, shin.x, 0}, {x.y, shin.y, 0}, {x.z, shin.z, 0}}};
	ossai_mat3 frame = columns;
	const ossai_vec3 z = ossai_cross(x, shin);
	frame.m[0][2] = z.x;
	frame.m[1][2] = z.y;
	frame.m[2][2] = z.z;
	ossai_quat_store(ossai_mat3_quat(&frame), bone->orientation);
	ossai_v3_store(x, bone->axis);
	bone->has_limits = true;
	bone->limits[0][0] = -70;
	bone->limits[0][1] = 80;
	const double bend = acos(ossai_dot(thigh, shin)) * 180 / OSSAI_PI;
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_T));
	const ossai_mat3 now = ossai_quat_matrix(ossai_quat_of(bone->orientation));
	const ossai_vec3 axis = ossai_mat3_tmul_v(&now, ossai_v3_of(bone->axis));
	assert_near_vec3(axis, ossai_v3(1, 0, 0), 1e-12);
	/* thigh and shin lie on a line after turning back about x by the bend */
	assert_near(bone->limits[0][0], -70 + bend, 1e-6);
	assert_near(bone->limits[0][1], 80 + bend, 1e-6);
	assert_near(bone->limits[1][1] - bone->limits[1][0] + bone->limits[2][1] - bone->limits[2][0], 0, 1e-6);
	assert_no_warnings(context);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* limits of a motion contain it as before */
static void limits_of_motion_contain_it(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	ossa_rig *rig = test_bent_body(context, &axes);
	test_move_joints(context, rig, 6);
	assert_ok(context, ossa_rig_find_limits(context, rig, 2));
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_A));
	assert_ok(context, ossa_rig_validate(context, rig));
	for (size_t b = 1; b < rig->skeleton.bone_count; b++)
		if (rig->skeleton.bones[b].limits_of_motion) assert_int_equal(ossa_rig_past_limits(rig, NULL, b, 0, 5).frame_count, 0);
	assert_no_warnings(context);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void limits_about_several_axes_are_warned_of(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	ossa_rig *rig = test_bent_body(context, &axes);
	ossa_bone *bone = &rig->skeleton.bones[ossa_rig_bone(rig, "upperarm_R")];
	bone->has_limits = true;
	for (int axis = 0; axis < 3; axis++) {
		bone->limits[axis][0] = -40;
		bone->limits[axis][1] = 50;
	}
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_T));
	assert_int_equal(test_warned(context, "limits-near"), 1);
	assert_ok(context, ossa_rig_validate(context, rig));
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(hinges_and_their_limits_follow),
		cmocka_unit_test(limits_of_motion_contain_it), cmocka_unit_test(limits_about_several_axes_are_warned_of)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
