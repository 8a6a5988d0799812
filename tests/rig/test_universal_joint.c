/* tests/rig/test_universal_joint.c: joints of two axes: angles, limits, posing, files. */
#include "rig/universal_joint.h"

#include "math/euler.h"
#include "rig/rebuild.h"
#include "rig/turns.h"
#include "samples/samples.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <ossa/ik.h>
#include <string.h>

static ossa_sample *gimbals(ossa_context *context)
{
	ossa_sample *sample;
	const ossa_sample_options options = {.kind = OSSA_SAMPLE_GIMBALS, .faces = 1000, .frames = 12};
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

static bool is_universal(const ossa_rig *rig, size_t b) { return rig->skeleton.bones[b].kind == OSSA_JOINT_UNIVERSAL; }

static ossai_quat turn_in(const ossa_rig *rig, const ossa_clip *clip, size_t frame, size_t b)
{
	return ossai_turn_in(clip, frame, b, ossai_quat_conjugate(ossai_rest_rotation(rig->skeleton.bones, b)));
}

/* how far a rig's universal joints are off theirs in its own motion, degrees */
static double farthest_off_of(const ossa_rig *rig, size_t universals)
{
	double most = 0;
	size_t count = 0;
	for (size_t b = 1; b < rig->skeleton.bone_count; b++) {
		const double none[2] = {0, 0};
		count += is_universal(rig, b);
		for (size_t f = 0; f < rig->clip->frame_count && is_universal(rig, b); f++) {
			double degrees[2], off;
			ossai_universal_angles(
				ossai_universal_frame(&rig->skeleton.bones[b]), turn_in(rig, rig->clip, f, b), none, degrees, &off);
			most = fmax(most, fabs(off));
		}
	}
	assert_int_equal(count, universals);
	return most;
}

static double farthest_off(const ossa_rig *rig) { return farthest_off_of(rig, 5); }

/* ---- angles ---- */

static void angles_are_those_of_the_turn(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 50; seed++) {
		uint64_t own = seed;
		ossa_bone bone = {.kind = OSSA_JOINT_UNIVERSAL};
		const ossai_quat axes = test_random_turn(&own, 3);
		const ossai_mat3 r = ossai_quat_matrix(axes);
		ossai_quat_store(test_random_turn(&own, 3), bone.orientation);
		ossai_v3_store(ossai_mat3_mul_v(&r, ossai_v3(1, 0, 0)), bone.axis);
		ossai_v3_store(ossai_mat3_mul_v(&r, ossai_v3(0, 1, 0)), bone.second_axis);
		const ossai_vec3 random = ossai_scale(test_random_point(&own, 1), 80);
		const double degrees[2] = {random.x, random.y}, none[2] = {0, 0};
		/* written out: in the world at rest, about one axis after the other */
		const ossai_quat first = ossai_quat_axis_angle(ossai_v3_of(bone.axis), degrees[0] * OSSAI_PI / 180);
		const ossai_quat second = ossai_quat_axis_angle(ossai_v3_of(bone.second_axis), degrees[1] * OSSAI_PI / 180);
		const ossai_quat orientation = ossai_quat_of(bone.orientation), back = ossai_quat_conjugate(orientation);
		const ossai_quat turn = ossai_quat_mul(back, ossai_quat_mul(ossai_quat_mul(first, second), orientation));
		const ossai_quat frame = ossai_universal_frame(&bone);
		double found[2], off;
		ossai_universal_angles(frame, turn, none, found, &off);
		assert_near_array(2, found, degrees, 1e-9);
		assert_near(off, 0, 1e-9);
		assert_near(fabs(ossai_quat_dot(ossai_universal_turn(frame, degrees), turn)), 1, 1e-12);
		/* seen from the child: the inverse, by the same angles in reverse order */
		ossa_bone reversed = bone;
		ossai_bone_take_axes(&bone, true, &reversed);
		ossai_universal_angles(ossai_universal_frame(&reversed), ossai_quat_conjugate(turn), none, found, &off);
		assert_near(found[0], degrees[1], 1e-9);
		assert_near(found[1], degrees[0], 1e-9);
		assert_near(off, 0, 1e-9);
	}
}

/* ---- limits ---- */

static void limits_of_a_motion_are_the_ranges_of_its_angles(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = gimbals(context);
	ossa_rig *rig = sample->rig;
	assert_ok(context, ossa_rig_find_limits(context, rig, 0));
	assert_ok(context, ossa_rig_validate(context, rig));
	assert_true(farthest_off(rig) < 1e-6);
	for (size_t b = 1; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b];
		double limits[2][2], past;
		if (!is_universal(rig, b)) continue;
		ossai_universal_limits(bone, limits);
		assert_near_array(4, limits[0], bone->axis_limits[0], 0);
		assert_int_equal(ossa_rig_past_limits(rig, NULL, b, 0, 11).frame_count, 0);
		/* beyond both: at both, and about these axes alone */
		const double beyond[2] = {limits[0][1] + 10, limits[1][0] - 20}, none[2] = {0, 0};
		const ossai_quat frame = ossai_universal_frame(bone);
		double degrees[2], off;
		const ossai_quat inside = ossai_turn_within_limits(bone, ossai_universal_turn(frame, beyond), &past);
		ossai_universal_angles(frame, inside, none, degrees, &off);
		assert_near(degrees[0], limits[0][1], 1e-6);
		assert_near(degrees[1], limits[1][0], 1e-6);
		assert_near(off, 0, 1e-6);
		assert_true(past > 19.9);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* along the frame's own axes, those of the frame are the joint's */
static void limits_by_hand_hold_for_both_axes(void **state)
{
	(void)state;
	ossa_bone bone = {.kind = OSSA_JOINT_UNIVERSAL, .orientation = {0, 0, 0, 1}, .axis = {0, 0, 1}, .second_axis = {1, 0, 0}};
	const double wanted[2][2] = {{-30, 40}, {-10, 20}};
	double limits[2][2];
	bone.has_limits = true;
	memcpy(bone.limits[2], wanted[0], sizeof wanted[0]);
	memcpy(bone.limits[0], wanted[1], sizeof wanted[1]);
	ossai_universal_limits(&bone, limits);
	assert_near_array(4, limits[0], wanted[0], 1e-6);
}

/* ---- posing ---- */

static void inverse_kinematics_turns_them_about_their_axes(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = gimbals(context);
	ossa_rig *rig = sample->rig;
	assert_ok(context, ossa_rig_find_limits(context, rig, 0));
	for (size_t b = 1; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b];
		const ossa_ik_goal goal = {
			.bone = b, .chain = 3, .position = {bone->tail[0] + 0.15, bone->tail[1] - 0.1, bone->tail[2] + 0.2}};
		assert_ok(context, ossa_rig_reach(context, rig, &goal, rig->clip, 3, NULL));
		assert_true(farthest_off(rig) < 1e-4);
		for (size_t c = 1; c < rig->skeleton.bone_count; c++)
			assert_true(!is_universal(rig, c) || ossa_rig_past_limits(rig, NULL, c, 3, 3).frame_count == 0);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* joints on the way to another root are seen from the other side; that of the old one is lost */
static void another_root_exchanges_their_axes(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = gimbals(context);
	const int32_t boom = ossa_rig_bone(sample->rig, "boom");
	assert_true(is_universal(sample->rig, (size_t)boom));
	double joint[3];
	memcpy(joint, sample->rig->skeleton.bones[boom].joint, sizeof joint);
	assert_ok(context, ossai_rig_reroot(context, (uint32_t)boom, joint, sample->rig));
	assert_ok(context, ossa_rig_validate(context, sample->rig));
	assert_true(farthest_off_of(sample->rig, 5) < 1e-6);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- files ---- */

static void assert_comes_back(ossa_context *context, const ossa_rig *rig, const char *name, const ossa_write_options *options)
{
	ossa_rig *read;
	assert_ok(context, ossa_write_rig(context, rig, test_path(name), options));
	assert_ok(context, ossa_read_rig(context, test_path(name), NULL, &read));
	assert_true(farthest_off(read) < 1e-3);
	for (size_t b = 1; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *old = &rig->skeleton.bones[b], *now = &read->skeleton.bones[b];
		assert_int_equal(now->kind, old->kind);
		if (options && (options->rest_pose != OSSA_REST_KEEP || options->up != OSSA_UP_Y)) continue;
		assert_near_array(3, now->axis, old->axis, 1e-6);
		assert_near_array(3, now->second_axis, old->second_axis, 1e-6);
		assert_near_array(4, now->axis_limits[0], old->axis_limits[0], 1e-6);
	}
	ossa_rig_free(context, read);
}

static void files_hold_them(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = gimbals(context);
	ossa_write_options options = ossa_write_default();
	assert_ok(context, ossa_rig_find_limits(context, sample->rig, 5));
	assert_comes_back(context, sample->rig, "two.glb", NULL);
	assert_comes_back(context, sample->rig, "two.dae", NULL);
	options.bone_axis = OSSA_AXIS_X;
	assert_comes_back(context, sample->rig, "x.glb", &options);
	options.up = OSSA_UP_Z;
	assert_comes_back(context, sample->rig, "z.dae", &options);
	/* another rest pose: the first axis goes with the parent, the second with the bone */
	options = ossa_write_default();
	options.rest_pose = 5;
	assert_comes_back(context, sample->rig, "rest.glb", &options);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void bad_axes_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = gimbals(context);
	ossa_bone *bone = &sample->rig->skeleton.bones[1];
	assert_true(is_universal(sample->rig, 1));
	const ossa_bone kept = *bone;
	memcpy(bone->second_axis, bone->axis, sizeof bone->axis);
	assert_fails(context, ossa_rig_validate(context, sample->rig), OSSA_ERROR_INPUT, "square to the first");
	*bone = kept;
	bone->kind = OSSA_JOINT_HINGE;
	assert_fails(context, ossa_rig_validate(context, sample->rig), OSSA_ERROR_INPUT, "no universal joint");
	*bone = kept;
	bone->axis_limits[0][0] = -400;
	assert_fails(context, ossa_rig_validate(context, sample->rig), OSSA_ERROR_INPUT, "limits about its axes");
	*bone = kept;
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(angles_are_those_of_the_turn),
		cmocka_unit_test(limits_of_a_motion_are_the_ranges_of_its_angles),
		cmocka_unit_test(limits_by_hand_hold_for_both_axes),
		cmocka_unit_test(inverse_kinematics_turns_them_about_their_axes),
		cmocka_unit_test(another_root_exchanges_their_axes),
		cmocka_unit_test(files_hold_them),
		cmocka_unit_test(bad_axes_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
