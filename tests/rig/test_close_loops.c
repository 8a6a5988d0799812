/* tests/rig/test_close_loops.c: loops are closed again after joints were posed: a four-bar linkage
   against its closed form, arms that hold one stick, limits, gaps that a motion has. */
#include <ossa/loops.h>

#include "rig/hinge.h"
#include "rig/turns.h"
#include "samples/linkage.h"
#include "support/compare.h"
#include "support/faults.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { FRAMES = 24 };

static size_t bone_of(const ossa_rig *rig, const char *name)
{
	const int32_t bone = ossa_rig_bone(rig, name);
	assert_true(bone >= 0);
	return (size_t)bone;
}

static double angle_of(const ossa_rig *rig, const ossa_clip *clip, size_t frame, const char *name)
{
	double turn[4];
	const size_t bone = bone_of(rig, name);
	ossa_rig_turn(rig, clip, frame, bone, turn, NULL);
	return ossai_hinge_angle(ossai_quat_of(turn), ossai_hinge_axis(&rig->skeleton.bones[bone]), 0);
}

static ossa_motion_edit turn_of(const ossa_rig *rig, const char *name, double degrees)
{
	const size_t bone = bone_of(rig, name);
	const ossai_vec3 axis = ossai_hinge_axis(&rig->skeleton.bones[bone]);
	ossa_motion_edit edit = ossa_motion_edit_default(OSSA_MOTION_TURN, bone);
	ossa_turn_about((const double[3]){axis.x, axis.y, axis.z}, degrees, edit.rotation);
	return edit;
}

/* the edit, and loops closed */
static ossa_clip *closed(ossa_context *context, const ossa_rig *rig, const ossa_clip *clip, ossa_motion_edit edit)
{
	const ossa_motion_edit edits[2] = {edit, ossa_motion_edit_default(OSSA_MOTION_CLOSE, OSSA_ALL_BONES)};
	ossa_clip *made;
	assert_ok(context, ossa_motion_edit_apply(context, rig, clip, 2, edits, &made));
	return made;
}

static double widest_gap(const ossa_rig *rig, const ossa_clip *clip)
{
	double widest = 0;
	for (size_t f = 0; f < clip->frame_count; f++) {
		for (size_t i = 0; i < rig->loop_count; i++) widest = fmax(widest, ossa_rig_loop_gap(rig, clip, f, i));
	}
	return widest;
}

static double apart(double a, double b) { return fabs(remainder(a - b, 360)); }

/* ---- a linkage ---- */

/* limits of a motion that goes round: the coupler turned by -300 degrees, and may so stand at 60 */
static void limits_hold_either_way_round(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_LINKAGE, 1000, FRAMES);
	ossa_clip *rest;
	assert_ok(context, ossa_clip_of_rest(context, sample->rig, 1, 24, &rest));
	assert_ok(context, ossa_rig_find_limits(context, sample->rig, 5));
	for (double degrees = -150; degrees < 180; degrees += 60) {
		ossa_clip *clip = closed(context, sample->rig, rest, turn_of(sample->rig, "crank", degrees));
		assert_near(widest_gap(sample->rig, clip), 0, 1e-9);
		ossa_clip_free(context, clip);
	}
	assert_no_warnings(context);
	ossa_clip_free(context, rest);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* the crank is posed, coupler and rocker follow, wherever the crank is put from rest in one turn */
static void a_crank_moves_its_rocker(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_LINKAGE, 1000, 2);
	const ossa_rig *rig = sample->rig;
	ossai_creature creature;
	ossa_clip *rest;
	ossai_creature_build(OSSA_SAMPLE_LINKAGE, &creature);
	assert_ok(context, ossa_clip_of_rest(context, rig, 1, 24, &rest));
	for (double degrees = -176; degrees < 180; degrees += 11) {
		ossa_clip *clip = closed(context, rig, rest, turn_of(rig, "crank", degrees));
		const char *names[] = {"coupler", "rocker"};
		for (int i = 0; i < 2; i++) {
			const double crank = degrees * OSSAI_PI / 180;
			const double said = ossai_linkage_turn(&creature, &creature.linkages[0], (int)bone_of(rig, names[i]), crank) * 180 /
				OSSAI_PI;
			assert_near(apart(angle_of(rig, clip, 0, names[i]), said), 0, 1e-6);
		}
		assert_near(angle_of(rig, clip, 0, "crank"), degrees, 1e-9);
		assert_near(widest_gap(rig, clip), 0, 1e-9);
		ossa_clip_free(context, clip);
	}
	assert_no_warnings(context);
	ossa_clip_free(context, rest);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* any joint of a loop may be the one that is posed, in some frames, and the others stay */
static void frames_that_are_not_posed_stay(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_LINKAGE, 1000, FRAMES);
	const ossa_rig *rig = sample->rig;
	ossa_motion_edit edit = turn_of(rig, "coupler", 10);
	edit.first = 8;
	edit.last = 10;
	edit.ease = 2;
	ossa_clip *clip = closed(context, rig, NULL, edit), *open;
	assert_ok(context, ossa_motion_edit_apply(context, rig, NULL, 1, &edit, &open));
	assert_near(widest_gap(rig, clip), 0, 1e-9);
	assert_true(widest_gap(rig, open) > 0.005);
	for (size_t f = 0; f < FRAMES; f++) {
		const bool is_posed = f >= 6 && f <= 12;
		const size_t row = 4 * rig->skeleton.bone_count;
		const bool is_same = memcmp(clip->rotations + f * row, rig->clip->rotations + f * row, row * sizeof(double)) == 0;
		assert_int_equal(is_same, !is_posed);
		assert_near(apart(angle_of(rig, clip, f, "coupler"), angle_of(rig, open, f, "coupler")), 0, 1e-9);
	}
	ossa_clip_free(context, open);
	ossa_clip_free(context, clip);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* an edit of all joints poses none: all of them turn a little more */
static void edits_of_all_joints_keep_loops_closed(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_LINKAGE, 1000, FRAMES);
	ossa_motion_edit calmer = ossa_motion_edit_default(OSSA_MOTION_SCALE, OSSA_ALL_BONES);
	calmer.factor = 0.5;
	ossa_clip *clip = closed(context, sample->rig, NULL, calmer), *open;
	assert_ok(context, ossa_motion_edit_apply(context, sample->rig, NULL, 1, &calmer, &open));
	assert_true(widest_gap(sample->rig, open) > 0.005);
	assert_near(widest_gap(sample->rig, clip), 0, 1e-9);
	ossa_clip_free(context, open);
	ossa_clip_free(context, clip);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* a motion that leaves a loop open by some distance is left at that */
static void gaps_of_a_motion_stay(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_LINKAGE, 1000, FRAMES);
	const ossa_rig *rig = sample->rig;
	const ossa_motion_edit aside = turn_of(rig, "coupler", 3);
	ossa_clip *open;
	assert_ok(context, ossa_motion_edit_apply(context, rig, NULL, 1, &aside, &open));
	ossa_clip *clip = closed(context, rig, open, turn_of(rig, "crank", 25));
	for (size_t f = 0; f < FRAMES; f++)
		assert_near(ossa_rig_loop_gap(rig, clip, f, 0), ossa_rig_loop_gap(rig, open, f, 0), 1e-9);
	assert_ok(context, ossa_rig_close_loops(context, rig, NULL, NULL, clip, NULL));
	assert_near(widest_gap(rig, clip), 0, 1e-9);
	ossa_clip_free(context, clip);
	ossa_clip_free(context, open);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* where limits do not let it close, the gap is in a warning and limits are kept */
static void limits_are_kept(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_LINKAGE, 1000, 2);
	ossa_rig *rig = sample->rig;
	ossa_clip *rest;
	ossa_loop_facts facts;
	double low = INFINITY, high = -INFINITY;
	assert_ok(context, ossa_clip_of_rest(context, rig, 1, 24, &rest));
	ossa_bone *rocker = &rig->skeleton.bones[bone_of(rig, "rocker")];
	rocker->has_limits = true;
	for (int k = 0; k < 3; k++) {
		rocker->limits[k][0] = -3;
		rocker->limits[k][1] = 3;
	}
	for (double degrees = -160; degrees < 180; degrees += 40) {
		ossa_clip *clip = closed(context, rig, rest, turn_of(rig, "crank", degrees));
		low = fmin(low, angle_of(rig, clip, 0, "rocker"));
		high = fmax(high, angle_of(rig, clip, 0, "rocker"));
		ossa_clip_free(context, clip);
	}
	double limits[2];
	ossai_hinge_limits(rocker, limits);
	assert_near(high, limits[1], 1e-6);
	assert_true(low >= limits[0] - 1e-9);
	assert_true(test_warned(context, "loops-open") > 0);
	const ossa_motion_edit edit = turn_of(rig, "crank", 120);
	ossa_clip *clip;
	assert_ok(context, ossa_motion_edit_apply(context, rig, rest, 1, &edit, &clip));
	uint8_t posed[7] = {0};
	posed[bone_of(rig, "crank")] = 1;
	assert_ok(context, ossa_rig_close_loops(context, rig, rest, posed, clip, &facts));
	assert_int_equal(facts.open_count, 1);
	assert_int_equal(facts.widest_loop, 0);
	assert_near(facts.widest, ossa_rig_loop_gap(rig, clip, 0, 0), 1e-12);
	ossa_clip_free(context, clip);
	ossa_clip_free(context, rest);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* the tail of a bone, at rest, in a frame */
static ossai_vec3 tail_in(const ossa_rig *rig, const ossa_clip *clip, size_t bone)
{
	double rest[12 * 7], posed[12 * 7];
	ossa_rig_joint_matrices(rig, NULL, 0, rest);
	ossa_rig_joint_matrices(rig, clip, 0, posed);
	const ossai_rigid bind = ossai_rigid_of(rest + 12 * bone), now = ossai_rigid_of(posed + 12 * bone);
	const ossai_rigid unbind = ossai_rigid_inverse(&bind);
	return ossai_rigid_point(&now, ossai_rigid_point(&unbind, ossai_v3_of(rig->skeleton.bones[bone].tail)));
}

/* IK reaches a goal where the linkage can go, misses one where it cannot, and keeps the loop closed
   for both */
static void goals_keep_loops_closed(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_LINKAGE, 1000, 2);
	const ossa_rig *rig = sample->rig;
	ossa_clip *rest;
	assert_ok(context, ossa_clip_of_rest(context, rig, 1, 24, &rest));
	for (int beside = 0; beside < 2; beside++) {
		const size_t crank = bone_of(rig, "crank");
		ossa_clip *there = closed(context, rig, rest, turn_of(rig, "crank", 35)), *clip;
		const ossai_vec3 at = tail_in(rig, there, crank);
		const ossa_ik_goal goal = {.bone = crank, .position = {at.x + 0.02 * beside, at.y, at.z}};
		ossa_ik_facts facts;
		assert_ok(context, ossa_clip_copy(context, rest, &clip));
		assert_ok(context, ossa_rig_reach(context, rig, &goal, clip, 0, &facts));
		assert_int_equal(facts.is_reached, !beside);
		assert_near(widest_gap(rig, clip), 0, 1e-9);
		assert_near(facts.distance, ossai_distance(tail_in(rig, clip, crank), ossai_v3_of(goal.position)), 1e-9);
		if (beside) assert_true(facts.distance < 0.021);
		else assert_near(apart(angle_of(rig, clip, 0, "rocker"), angle_of(rig, there, 0, "rocker")), 0, 1e-4);
		ossa_clip_free(context, clip);
		ossa_clip_free(context, there);
	}
	ossa_clip_free(context, rest);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- two hands on one stick ---- */

static void hands_stay_on_a_stick(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_BIPED, 2000, FRAMES);
	ossa_rig *rig = sample->rig;
	ossa_clip *rest;
	rig->loops = ossa_alloc(context, 1, sizeof *rig->loops);
	assert_non_null(rig->loops);
	rig->loop_count = 1;
	rig->loops[0] = (ossa_loop){{0, 1, 0.3}, {(int32_t)bone_of(rig, "hand-l"), (int32_t)bone_of(rig, "hand-r")}};
	assert_ok(context, ossa_rig_find_limits(context, rig, 10));
	assert_ok(context, ossa_clip_of_rest(context, rig, 3, 24, &rest));
	ossa_motion_edit edit = ossa_motion_edit_default(OSSA_MOTION_TURN, bone_of(rig, "upperarm-l"));
	ossa_turn_of_degrees((const double[3]){12, 5, -8}, edit.rotation);
	edit.first = 1;
	ossa_clip *clip = closed(context, rig, rest, edit), *open;
	assert_ok(context, ossa_motion_edit_apply(context, rig, rest, 1, &edit, &open));
	assert_true(widest_gap(rig, open) > 0.05);
	assert_near(widest_gap(rig, clip), 0, 1e-9);
	assert_no_warnings(context);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++)
		assert_int_equal(ossa_rig_past_limits(rig, clip, b, 0, 2).frame_count, 0);
	const double *posed = clip->rotations + 4 * (clip->bone_count + edit.bone);
	assert_memory_equal(posed, open->rotations + 4 * (clip->bone_count + edit.bone), 4 * sizeof *posed);
	ossa_clip_free(context, open);
	ossa_clip_free(context, clip);
	ossa_clip_free(context, rest);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- files ---- */

/* centers go along with axes and units, there and back; formats without loops say so */
static void files_hold_loops(void **state)
{
	(void)state;
	static const char *const without[] = {"loops.dae", "loops.urdf", "loops.fbx", "loops.bvh", "loops.usda", "loops_maya.py"};
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_LINKAGE, 1000, 2);
	ossa_write_options options = ossa_write_default();
	ossa_rig *read;
	options.up = OSSA_UP_Z;
	options.unit = 0.01;
	assert_ok(context, ossa_write_rig(context, sample->rig, test_path("loops.gltf"), &options));
	assert_int_equal(test_warned(context, "loops-left-out"), 0);
	assert_ok(context, ossa_read_rig(context, test_path("loops.gltf"), NULL, &read));
	assert_int_equal(read->loop_count, 2);
	const double size = test_diagonal(read->mesh);
	for (size_t i = 0; i < 2; i++) {
		assert_memory_equal(read->loops[i].bones, sample->rig->loops[i].bones, sizeof read->loops[i].bones);
		for (size_t f = 0; f < 2; f++) assert_near(ossa_rig_loop_gap(read, NULL, f, i), 0, 1e-6 * size);
	}
	for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) {
		ossa_context_reset(context);
		assert_ok(context, ossa_write_rig(context, sample->rig, test_path(without[i]), NULL));
		assert_int_equal(test_warned(context, "loops-left-out"), 2);
	}
	ossa_rig_free(context, read);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- bad input ---- */

static void other_motions_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_LINKAGE, 1000, 2);
	ossa_rig *rig = sample->rig;
	ossa_clip *few, *narrow;
	assert_ok(context, ossa_clip_of_rest(context, rig, 1, 24, &few));
	assert_ok(context, ossa_clip_create(context, 2, 3, false, &narrow));
	assert_fails(context, ossa_rig_close_loops(context, rig, few, NULL, rig->clip, NULL), OSSA_ERROR_ARGUMENT, "1 frames");
	assert_fails(context, ossa_rig_close_loops(context, rig, NULL, NULL, narrow, NULL), OSSA_ERROR_ARGUMENT, "3 bones");
	assert_near(ossa_rig_loop_gap(rig, NULL, 2, 0), 0, 0);
	assert_near(ossa_rig_loop_gap(rig, NULL, 0, 2), 0, 0);
	assert_near(ossa_rig_loop_gap(NULL, NULL, 0, 0), 0, 0);
	ossa_clip_free(context, few);
	ossa_clip_free(context, narrow);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static ossa_status close_again(ossa_context *context, void *arg)
{
	const ossa_rig *rig = arg;
	const ossa_motion_edit edits[2] = {turn_of(rig, "crank", 30), ossa_motion_edit_default(OSSA_MOTION_CLOSE, OSSA_ALL_BONES)};
	ossa_clip *clip;
	const ossa_status status = ossa_motion_edit_apply(context, rig, NULL, 2, edits, &clip);
	if (status != OSSA_OK) assert_null(clip);
	ossa_clip_free(context, clip);
	return status;
}

static void memory_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_LINKAGE, 1000, 1);
	assert_true(test_allocation_sweep(close_again, sample->rig, 200, 50) > 10);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_crank_moves_its_rocker),
		cmocka_unit_test(limits_hold_either_way_round),
		cmocka_unit_test(frames_that_are_not_posed_stay),
		cmocka_unit_test(edits_of_all_joints_keep_loops_closed),
		cmocka_unit_test(gaps_of_a_motion_stay),
		cmocka_unit_test(limits_are_kept),
		cmocka_unit_test(goals_keep_loops_closed),
		cmocka_unit_test(hands_stay_on_a_stick),
		cmocka_unit_test(files_hold_loops),
		cmocka_unit_test(other_motions_are_refused),
		cmocka_unit_test(memory_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
