/* tests/rig/test_drive.c: dependent bones move with their drivers: in edits of a motion and in
   inverse kinematics. */
#include "rig/drive.h"

#include "rig/hinge.h"
#include "rig/turns.h"
#include "support/hinge.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { FRAMES = 5 };

/* a chain of three, and one beside it */
static const int32_t parents[] = {0, 1, 2, 0};
static const ossa_dependency lines[] = {{2, 1, 0.8, 0, 0, 0, {0}}, {3, 1, -1.5, 5, 0, 0, {0}}, {4, 1, 2, 0, 0, 0, {0}}};

/* on the lines, and up to a degree beside them */
static double angle_at(const void *user, size_t hinge, size_t frame)
{
	static const double ratio[] = {1, 0.8, -1.5, 2}, offset[] = {0, 0, 5, 0};
	(void)user;
	return ratio[hinge] * (12 * (double)frame - 20) + offset[hinge] + (hinge > 0 ? sin((double)(frame + hinge)) : 0);
}

static ossa_rig *make_rig(ossa_context *context)
{
	ossa_rig *rig = test_hinges_rig(context, 4, parents, FRAMES, angle_at, NULL);
	assert_ok(context, ossa_rig_set_dependencies(context, rig, 3, lines));
	return rig;
}

static double angle_of(const ossa_rig *rig, const ossa_clip *clip, size_t frame, size_t bone)
{
	double turn[4];
	ossa_rig_turn(rig, clip, frame, bone, turn, NULL);
	return ossai_hinge_angle(ossai_quat_of(turn), ossai_hinge_axis(&rig->skeleton.bones[bone]), 0);
}

/* degrees by which a bone turned against what it did before, in (-180, 180] */
static double turned(const ossa_rig *rig, const ossa_clip *clip, size_t frame, size_t bone)
{
	const double by = angle_of(rig, clip, frame, bone) - angle_of(rig, rig->clip, frame, bone);
	return by - 360 * ceil((by - 180) / 360);
}

static ossa_motion_edit turn_of(const ossa_rig *rig, size_t bone, double degrees)
{
	const ossai_vec3 axis = ossai_hinge_axis(&rig->skeleton.bones[bone]);
	const double at[3] = {axis.x, axis.y, axis.z};
	ossa_motion_edit edit = ossa_motion_edit_default(OSSA_MOTION_TURN, bone);
	edit.first = edit.last = 2;
	edit.ease = 1;
	ossa_turn_about(at, degrees, edit.rotation);
	return edit;
}

/* by the ratio of what the driver turns: at eased frames of a part of that; what they had beside
   the line stays */
static void edits_turn_them(void **state)
{
	(void)state;
	static const double share[FRAMES] = {0, 0.5, 1, 0.5, 0};
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context);
	const ossa_motion_edit edit = turn_of(rig, 1, 40);
	ossa_clip *clip;
	assert_ok(context, ossa_motion_edit_apply(context, rig, NULL, 1, &edit, &clip));
	for (size_t f = 0; f < FRAMES; f++) {
		assert_near(turned(rig, clip, f, 1), 40 * share[f], 1e-6);
		for (size_t i = 0; i < 3; i++) {
			assert_near(turned(rig, clip, f, (size_t)lines[i].bone), lines[i].ratio * 40 * share[f], 1e-6);
		}
	}
	assert_memory_equal(clip->rotations, rig->clip->rotations, 4 * 5 * sizeof(double));
	assert_no_warnings(context);
	ossa_clip_free(context, clip);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void a_dependent_bone_turns_alone_where_it_is_named(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context);
	const ossa_motion_edit edit = turn_of(rig, 3, 25);
	ossa_clip *clip;
	assert_ok(context, ossa_motion_edit_apply(context, rig, NULL, 1, &edit, &clip));
	for (size_t b = 1; b <= 4; b++) assert_near(turned(rig, clip, 2, b), b == 3 ? 25 : 0, 1e-6);
	assert_int_equal(test_warned(context, "dependent-turned"), 1);
	assert_non_null(strstr(test_warning_text(context, "dependent-turned"), "hinge_3 turns as hinge_1 does"));
	ossa_clip_free(context, clip);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* all of them at half: dependent bones are not halved a second time */
static void all_bones_are_scaled_once(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context);
	ossa_motion_edit edit = ossa_motion_edit_default(OSSA_MOTION_SCALE, OSSA_ALL_BONES);
	ossa_clip *clip;
	edit.factor = 0.5;
	assert_ok(context, ossa_motion_edit_apply(context, rig, NULL, 1, &edit, &clip));
	for (size_t f = 0; f < FRAMES; f++) {
		const double half = -0.5 * angle_of(rig, rig->clip, f, 1);
		assert_near(turned(rig, clip, f, 1), half, 1e-6);
		for (size_t i = 0; i < 3; i++) assert_near(turned(rig, clip, f, (size_t)lines[i].bone), lines[i].ratio * half, 1e-6);
	}
	ossa_clip_free(context, clip);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- inverse kinematics ---- */

static ossai_vec3 tip_of(const ossa_rig *rig, const ossa_clip *clip, size_t bone)
{
	double matrices[12 * 5];
	ossa_rig_joint_matrices(rig, clip, 2, matrices);
	const ossa_bone *own = &rig->skeleton.bones[bone];
	const ossai_rigid world = ossai_rigid_of(matrices + 12 * bone);
	const ossai_mat3 frame = ossai_quat_matrix(ossai_quat_of(own->orientation));
	return ossai_rigid_point(&world, ossai_mat3_tmul_v(&frame, ossai_sub(ossai_v3_of(own->tail), ossai_v3_of(own->joint))));
}

/* where the tip is after turning the driver is reached again, all dependent bones with it */
static void a_driven_chain_reaches(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context);
	for (double degrees = -30; degrees <= 30; degrees += 15) {
		const ossa_motion_edit edit = turn_of(rig, 1, degrees);
		ossa_clip *wanted, *clip;
		ossa_ik_facts facts;
		ossa_ik_goal goal = {.bone = 3};
		assert_ok(context, ossa_motion_edit_apply(context, rig, NULL, 1, &edit, &wanted));
		ossai_v3_store(tip_of(rig, wanted, 3), goal.position);
		assert_ok(context, ossa_clip_copy(context, rig->clip, &clip));
		assert_ok(context, ossa_rig_reach(context, rig, &goal, clip, 2, &facts));
		assert_true(facts.is_reached);
		assert_near(turned(rig, clip, 2, 1), degrees, 1e-3);
		for (size_t i = 0; i < 3; i++) {
			assert_near(turned(rig, clip, 2, (size_t)lines[i].bone), lines[i].ratio * turned(rig, clip, 2, 1), 1e-6);
		}
		ossa_clip_free(context, clip);
		ossa_clip_free(context, wanted);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* the driver stops where a bone that depends on it is at its limit, also one outside the chain */
static void limits_of_dependent_bones_hold(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context);
	ossa_bone *beside = &rig->skeleton.bones[4];
	const ossai_vec3 axis = ossai_hinge_axis(beside);
	const double a[3] = {fabs(axis.x), fabs(axis.y), fabs(axis.z)};
	const int main_axis = a[0] >= a[1] && a[0] >= a[2] ? 0 : a[1] >= a[2] ? 1 : 2;
	beside->has_limits = true;
	for (int k = 0; k < 3; k++) beside->limits[k][0] = -(beside->limits[k][1] = k == main_axis ? 60 : 180);
	double limits[2];
	ossai_hinge_limits(beside, limits);
	const ossa_motion_edit edit = turn_of(rig, 1, 50);
	ossa_clip *wanted, *clip;
	ossa_ik_facts facts;
	ossa_ik_goal goal = {.bone = 3};
	assert_ok(context, ossa_motion_edit_apply(context, rig, NULL, 1, &edit, &wanted));
	ossai_v3_store(tip_of(rig, wanted, 3), goal.position);
	assert_ok(context, ossa_clip_copy(context, rig->clip, &clip));
	assert_ok(context, ossa_rig_reach(context, rig, &goal, clip, 2, &facts));
	assert_false(facts.is_reached);
	assert_true(angle_of(rig, clip, 2, 4) <= limits[1] + 1e-6);
	assert_near(turned(rig, clip, 2, 4), 2 * turned(rig, clip, 2, 1), 1e-6);
	ossa_clip_free(context, clip);
	ossa_clip_free(context, wanted);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* without their driver in the chain they stay */
static void a_chain_without_the_driver_leaves_them(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context);
	ossa_ik_goal goal = {.bone = 3, .position = {5, 1, 1}, .chain = 2};
	ossa_clip *clip;
	assert_ok(context, ossa_clip_copy(context, rig->clip, &clip));
	assert_ok(context, ossa_rig_reach(context, rig, &goal, clip, 2, NULL));
	for (size_t b = 1; b <= 4; b++) assert_near(turned(rig, clip, 2, b), 0, 1e-9);
	ossa_clip_free(context, clip);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edits_turn_them),
		cmocka_unit_test(a_dependent_bone_turns_alone_where_it_is_named),
		cmocka_unit_test(all_bones_are_scaled_once),
		cmocka_unit_test(a_driven_chain_reaches),
		cmocka_unit_test(limits_of_dependent_bones_hold),
		cmocka_unit_test(a_chain_without_the_driver_leaves_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
