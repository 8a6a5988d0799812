/* tests/rig/test_edit_motion.c: edits of a motion: the effect of each kind on its frames, on the
   eased ones, and on nothing else. */
#include "math/vec.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static const double DEGREE = OSSAI_PI / 180;
enum { FRAMES = 20, BONES = 3 };

/* root, upper, lower: turned frames at rest; every joint moves in every frame, at uneven times */
static ossa_rig *make_rig(ossa_context *context, bool translations)
{
	ossa_mesh *mesh;
	ossa_rig *rig;
	const float corners[] = {0, 0, 0, 1, 0, 0, 0, 2.5F, 0};
	assert_ok(context, ossa_mesh_create(context, 3, corners, 1, (uint32_t[]){0, 1, 2}, &mesh));
	assert_ok(context, ossa_rig_create(context, mesh, BONES, 1, &rig));
	ossa_mesh_free(context, mesh);
	for (size_t v = 0; v < 3; v++) rig->weights.values[v] = 1;
	for (size_t v = 0; v < 3; v++) rig->weights.bones[v] = (uint16_t)v;
	const char *const names[BONES] = {"root", "upper", "lower"};
	for (size_t b = 0; b < BONES; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		strcpy(bone->name, names[b]);
		bone->parent = (int32_t)b - 1;
		bone->kind = b == 0 ? OSSA_JOINT_ROOT : OSSA_JOINT_BALL;
		ossai_v3_store(ossai_v3(0, (double)b, 0), bone->joint);
		ossai_v3_store(ossai_v3(0, (double)b + 1, 0), bone->tail);
		/* frames turned about y, so that +Y stays along the bone */
		ossai_quat_store(ossai_quat_axis_angle(ossai_v3(0, 1, 0), 0.7 * (double)b), bone->orientation);
	}
	assert_ok(context, ossa_clip_create(context, FRAMES, BONES, translations, &rig->clip));
	for (size_t f = 0; f < FRAMES; f++) {
		const double t = (double)f / 10 + 0.02 * (double)(f % 3);
		rig->clip->times[f] = 1 + t;
		ossai_v3_store(ossai_v3(t, 0, -t), rig->clip->root_positions + 3 * f);
		for (size_t b = 0; b < BONES; b++) {
			const ossai_quat turn = ossai_quat_exp(ossai_v3(0.3 * sin(3 * t + (double)b), 0.2 * t, 0.4 * cos(2 * t)));
			ossai_quat_store(turn, rig->clip->rotations + 4 * (f * BONES + b));
			if (translations)
				ossai_v3_store(ossai_v3(b ? 0 : t, b ? 1 : 0, b ? 0 : -t), rig->clip->translations + 3 * (f * BONES + b));
		}
	}
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

/* the edited motion, checked by the rig's own rules */
static ossa_clip *apply(ossa_context *context, ossa_rig *rig, size_t count, const ossa_motion_edit *edits)
{
	ossa_clip *edited, *own = rig->clip;
	assert_ok(context, ossa_motion_edit_apply(context, rig, NULL, count, edits, &edited));
	rig->clip = edited;
	assert_ok(context, ossa_rig_validate(context, rig));
	rig->clip = own;
	return edited;
}

static ossai_quat local_of(const ossa_clip *clip, size_t frame, size_t bone)
{
	return ossai_quat_of(clip->rotations + 4 * (frame * clip->bone_count + bone));
}

static double degrees_between(ossai_quat a, ossai_quat b)
{
	return ossai_quat_angle(ossai_quat_mul(ossai_quat_conjugate(a), b)) / DEGREE;
}

/* how far a bone's rotation in a frame is from what it was, in degrees */
static double change(const ossa_rig *rig, const ossa_clip *edited, size_t frame, size_t bone)
{
	return degrees_between(local_of(rig->clip, frame, bone), local_of(edited, frame, bone));
}

/* nothing but `bone` in first..last may have changed */
static void assert_rest_untouched(const ossa_rig *rig, const ossa_clip *edited, size_t bone, size_t first, size_t last)
{
	assert_int_equal(edited->frame_count, rig->clip->frame_count);
	assert_memory_equal(edited->times, rig->clip->times, FRAMES * sizeof(double));
	assert_memory_equal(edited->root_positions, rig->clip->root_positions, 3 * FRAMES * sizeof(double));
	for (size_t f = 0; f < FRAMES; f++) {
		for (size_t b = 0; b < BONES; b++) {
			if (b == bone && f >= first && f <= last) continue;
			if (fabs(ossai_quat_dot(local_of(rig->clip, f, b), local_of(edited, f, b))) > 1 - 1e-14) continue;
			fail_msg("bone %zu changed in frame %zu", b, f);
		}
	}
}

static ossa_motion_edit degrees_edit(ossa_motion_edit_kind kind, size_t bone, double x, double y, double z)
{
	ossa_motion_edit edit = ossa_motion_edit_default(kind, bone);
	ossa_turn_of_degrees((const double[3]){x, y, z}, edit.rotation);
	return edit;
}

/* ---- kinds ---- */

static void a_turn_is_added_in_own_axes(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, false);
	ossa_motion_edit edit = degrees_edit(OSSA_MOTION_TURN, 1, 0, 0, 60);
	edit.first = 5;
	edit.last = 9;
	ossa_clip *edited = apply(context, rig, 1, &edit);
	assert_rest_untouched(rig, edited, 1, 5, 9);
	for (size_t f = 5; f <= 9; f++) {
		const ossai_quat wanted = ossai_quat_mul(
			local_of(rig->clip, f, 1), ossai_quat_axis_angle(ossai_v3(0, 0, 1), 60 * DEGREE));
		assert_true(degrees_between(local_of(edited, f, 1), wanted) < 1e-6);
	}
	ossa_clip_free(context, edited);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void a_turn_in_other_axes(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, false);
	const ossai_mat3 quarter = ossai_quat_matrix(ossai_quat_axis_angle(ossai_v3(0, 0, 1), 90 * DEGREE));
	ossa_motion_edit edit = degrees_edit(OSSA_MOTION_TURN, 2, 0, 0, 90);
	edit.axes = OSSA_AXES_WORLD;
	ossa_clip *edited = apply(context, rig, 1, &edit);
	double before[12 * BONES], after[12 * BONES];
	for (size_t f = 0; f < FRAMES; f++) {
		ossa_rig_joint_matrices(rig, rig->clip, f, before);
		ossa_rig_joint_matrices(rig, edited, f, after);
		const ossai_rigid old = ossai_rigid_of(before + 24), now = ossai_rigid_of(after + 24);
		const ossai_mat3 wanted = ossai_mat3_mul(&quarter, &old.r);
		for (int i = 0; i < 9; i++) assert_near(now.r.m[i / 3][i % 3], wanted.m[i / 3][i % 3], 1e-9);
		assert_near_vec3(old.t, now.t, 1e-12);
	}
	ossa_clip_free(context, edited);
	edit.axes = OSSA_AXES_PARENT;
	edited = apply(context, rig, 1, &edit);
	const ossai_quat wanted = ossai_quat_mul(ossai_quat_axis_angle(ossai_v3(0, 0, 1), 90 * DEGREE), local_of(rig->clip, 7, 2));
	assert_true(degrees_between(local_of(edited, 7, 2), wanted) < 1e-6);
	ossa_clip_free(context, edited);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void ease_goes_over_smoothly(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, false);
	ossa_motion_edit edit = degrees_edit(OSSA_MOTION_TURN, 1, 60, 0, 0);
	edit.first = 8;
	edit.last = 10;
	edit.ease = 4;
	ossa_clip *edited = apply(context, rig, 1, &edit);
	assert_rest_untouched(rig, edited, 1, 4, 14);
	for (size_t d = 0; d < 4; d++) {
		/* it falls, symmetrically, and half way is a half */
		assert_true(change(rig, edited, 7 - d, 1) < change(rig, edited, 8 - d, 1) - 1);
		assert_near(change(rig, edited, 7 - d, 1), change(rig, edited, 11 + d, 1), 1e-6);
	}
	assert_near(change(rig, edited, 9, 1), 60, 1e-6);
	assert_true(change(rig, edited, 4, 1) > 1);
	ossa_clip_free(context, edited);
	/* an ease past both ends is cut there */
	edit.ease = 1000;
	edited = apply(context, rig, 1, &edit);
	assert_true(change(rig, edited, 0, 1) > 59 && change(rig, edited, FRAMES - 1, 1) > 59);
	ossa_clip_free(context, edited);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void set_and_reset(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, false);
	ossa_motion_edit edits[2] = {degrees_edit(OSSA_MOTION_SET, 1, 10, -20, 30), degrees_edit(OSSA_MOTION_SET, 2, 0, 0, 0)};
	edits[0].first = edits[0].last = 6;
	edits[0].ease = 2;
	ossa_clip *edited = apply(context, rig, 2, edits);
	double degrees[3], rotation[4];
	ossa_rig_turn(rig, edited, 6, 1, rotation, degrees);
	assert_near(degrees[0], 10, 1e-6);
	assert_near(degrees[1], -20, 1e-6);
	assert_near(degrees[2], 30, 1e-6);
	/* an eased frame lies between the two motions */
	assert_true(change(rig, edited, 5, 1) > 1 &&
		change(rig, edited, 5, 1) < degrees_between(local_of(rig->clip, 5, 1), local_of(edited, 6, 1)));
	for (size_t f = 0; f < FRAMES; f++) {
		ossa_rig_turn(rig, edited, f, 2, NULL, degrees);
		assert_true(fabs(degrees[0]) + fabs(degrees[1]) + fabs(degrees[2]) < 1e-6);
	}
	ossa_clip_free(context, edited);
	/* everything reset is the rest pose */
	const ossa_motion_edit reset = ossa_motion_edit_default(OSSA_MOTION_SET, OSSA_ALL_BONES);
	edited = apply(context, rig, 1, &reset);
	ossa_clip *rest;
	assert_ok(context, ossa_clip_of_rest(context, rig, FRAMES, 24, &rest));
	for (size_t f = 0; f < FRAMES; f++) {
		for (size_t b = 0; b < BONES; b++) assert_true(degrees_between(local_of(edited, f, b), local_of(rest, f, b)) < 1e-6);
	}
	ossa_clip_free(context, rest);
	ossa_clip_free(context, edited);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void keys_are_met_and_the_path_is_smooth(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, false);
	ossa_motion_key keys[4] = {{3, {0}}, {8, {0}}, {12, {0}}, {16, {0}}};
	const double at[4][3] = {{0, 0, 0}, {40, 0, 0}, {80, 0, 0}, {20, 0, 0}};
	for (int i = 0; i < 4; i++) ossa_turn_of_degrees(at[i], keys[i].rotation);
	ossa_motion_edit edit = ossa_motion_edit_default(OSSA_MOTION_KEYS, 1);
	edit.keys = keys;
	edit.key_count = 4;
	ossa_clip *edited = apply(context, rig, 1, &edit);
	double before = 0, degrees[3];
	for (size_t f = 0; f < FRAMES; f++) {
		ossa_rig_turn(rig, edited, f, 1, NULL, degrees);
		for (int i = 0; i < 4; i++) assert_true(keys[i].frame != f || fabs(degrees[0] - at[i][0]) < 1e-6);
		/* about x alone, up to the extreme and down, never past it */
		assert_true(fabs(degrees[1]) + fabs(degrees[2]) < 1e-6);
		assert_true(f <= 12 ? degrees[0] >= before - 1e-9 : degrees[0] <= before + 1e-9);
		assert_true(degrees[0] > -1e-9 && degrees[0] < 80 + 1e-6);
		if (f == 0 || f == 2) assert_near(degrees[0], 0, 1e-9);
		if (f >= 16) assert_near(degrees[0], 20, 1e-6);
		before = degrees[0];
	}
	ossa_clip_free(context, edited);
	/* in their own range only */
	edit.first = 3;
	edit.last = 16;
	edited = apply(context, rig, 1, &edit);
	assert_rest_untouched(rig, edited, 1, 3, 16);
	ossa_clip_free(context, edited);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void scaled_turns(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, false);
	ossa_motion_edit edit = ossa_motion_edit_default(OSSA_MOTION_SCALE, 2);
	edit.factor = 1.5;
	ossa_clip *edited = apply(context, rig, 1, &edit);
	assert_rest_untouched(rig, edited, 2, 0, FRAMES - 1);
	for (size_t f = 0; f < FRAMES; f++) {
		double before[4], after[4];
		ossa_rig_turn(rig, rig->clip, f, 2, before, NULL);
		ossa_rig_turn(rig, edited, f, 2, after, NULL);
		assert_near(ossai_quat_angle(ossai_quat_of(after)), 1.5 * ossai_quat_angle(ossai_quat_of(before)), 1e-9);
	}
	ossa_clip_free(context, edited);
	/* none at all is the rest pose */
	edit.factor = 0;
	edited = apply(context, rig, 1, &edit);
	double turn[4];
	ossa_rig_turn(rig, edited, 4, 2, turn, NULL);
	assert_true(ossai_quat_angle(ossai_quat_of(turn)) < 1e-9);
	ossa_clip_free(context, edited);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void the_root_moves(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int free_bones = 0; free_bones < 2; free_bones++) {
		ossa_rig *rig = make_rig(context, free_bones);
		ossa_motion_edit edit = ossa_motion_edit_default(OSSA_MOTION_MOVE, 0);
		edit.first = edit.last = 10;
		edit.ease = 1;
		edit.offset[1] = 2;
		ossa_clip *edited = apply(context, rig, 1, &edit);
		for (size_t f = 0; f < FRAMES; f++) {
			const double lift = f == 10 ? 2 : f == 9 || f == 11 ? 1 : 0;
			float before[9], after[9];
			assert_ok(context, ossa_rig_pose(context, rig, NULL, rig->clip, f, before));
			assert_ok(context, ossa_rig_pose(context, rig, NULL, edited, f, after));
			for (int i = 0; i < 9; i++) assert_near(after[i] - before[i], i % 3 == 1 ? lift : 0, 1e-5);
			if (free_bones)
				assert_memory_equal(edited->translations + 9 * f, edited->root_positions + 3 * f, 3 * sizeof(double));
		}
		ossa_clip_free(context, edited);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

static void clamped_to_limits(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, false);
	ossa_bone *bone = &rig->skeleton.bones[2];
	bone->has_limits = true;
	const double limits[3][2] = {{-5, 10}, {-180, 180}, {-360, 360}};
	memcpy(bone->limits, limits, sizeof limits);
	const ossa_motion_edit clamp = ossa_motion_edit_default(OSSA_MOTION_CLAMP, OSSA_ALL_BONES);
	const ossa_limit_facts before = ossa_rig_past_limits(rig, NULL, 2, 0, FRAMES - 1);
	assert_true(before.frame_count > 3 && before.frame_count < FRAMES && before.most_degrees > 1);
	ossa_clip *edited = apply(context, rig, 1, &clamp);
	assert_rest_untouched(rig, edited, 2, 0, FRAMES - 1);
	assert_int_equal(ossa_rig_past_limits(rig, edited, 2, 0, FRAMES - 1).frame_count, 0);
	size_t changed = 0;
	for (size_t f = 0; f < FRAMES; f++) {
		double was[3], is[3];
		ossa_rig_turn(rig, rig->clip, f, 2, NULL, was);
		ossa_rig_turn(rig, edited, f, 2, NULL, is);
		assert_near(is[0], fmax(-5, fmin(10, was[0])), 0.011);
		assert_near(is[1], was[1], 1e-6);
		assert_near(is[2], was[2], 1e-6);
		changed += change(rig, edited, f, 2) > 1e-9;
	}
	assert_int_equal(changed, before.frame_count);
	/* no limits, nothing beyond them */
	assert_int_equal(ossa_rig_past_limits(rig, NULL, 1, 0, FRAMES - 1).frame_count, 0);
	ossa_clip_free(context, edited);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* limits of more than half a turn on one side: a wheel */
static void limits_past_half_a_turn(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, false);
	ossa_bone *bone = &rig->skeleton.bones[2];
	bone->has_limits = true;
	const double limits[3][2] = {{0, 350}, {-1, 1}, {-1, 1}};
	memcpy(bone->limits, limits, sizeof limits);
	const double angles[] = {0, 90, 200, 340, 355};
	for (int i = 0; i < 5; i++) {
		const ossa_motion_edit edit = degrees_edit(OSSA_MOTION_SET, 2, angles[i], 0, 0);
		ossa_clip *edited = apply(context, rig, 1, &edit);
		const ossa_limit_facts facts = ossa_rig_past_limits(rig, edited, 2, 3, 7);
		assert_int_equal(facts.frame_count, angles[i] > 350 ? 5 : 0);
		if (angles[i] > 350) assert_near(facts.most_degrees, 5, 1e-6);
		ossa_clip_free(context, edited);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void crop_and_retime(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int free_bones = 0; free_bones < 2; free_bones++) {
		ossa_rig *rig = make_rig(context, free_bones);
		ossa_motion_edit edits[2] = {
			ossa_motion_edit_default(OSSA_MOTION_CROP, 0), ossa_motion_edit_default(OSSA_MOTION_RETIME, 0)};
		edits[0].first = 4;
		edits[0].last = 11;
		edits[1].factor = 2;
		ossa_clip *edited = apply(context, rig, 2, edits);
		assert_int_equal(edited->frame_count, 8);
		for (size_t f = 0; f < 8; f++) {
			assert_near(edited->times[f], (rig->clip->times[f + 4] - rig->clip->times[4]) / 2, 1e-12);
			assert_memory_equal(edited->root_positions + 3 * f, rig->clip->root_positions + 3 * (f + 4), 3 * sizeof(double));
			for (size_t b = 0; b < BONES; b++)
				assert_true(degrees_between(local_of(edited, f, b), local_of(rig->clip, f + 4, b)) < 1e-6);
			if (free_bones)
				assert_memory_equal(edited->translations + 9 * f, rig->clip->translations + 9 * (f + 4), 9 * sizeof(double));
		}
		ossa_clip_free(context, edited);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

/* ---- as a history ---- */

/* a turn and its inverse give the motion back; a list is its edits one after the other */
static void edits_come_in_order_and_can_be_undone(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, false);
	ossa_motion_edit edits[3] = {degrees_edit(OSSA_MOTION_TURN, 1, 50, 20, -30), ossa_motion_edit_default(OSSA_MOTION_CROP, 0),
		degrees_edit(OSSA_MOTION_SET, 2, 5, 5, 5)};
	edits[0].ease = 3;
	edits[0].first = edits[0].last = 9;
	edits[1].first = 5;
	edits[2].last = 2;
	ossa_clip *all = apply(context, rig, 3, edits), *step = apply(context, rig, 2, edits), *last;
	assert_ok(context, ossa_motion_edit_apply(context, rig, step, 1, edits + 2, &last));
	assert_memory_equal(all->rotations, last->rotations, 4 * all->frame_count * BONES * sizeof(double));
	ossa_clip_free(context, last);
	ossa_clip_free(context, step);
	ossa_clip_free(context, all);
	ossa_motion_edit there_and_back[2] = {edits[0], edits[0]};
	ossai_quat_store(ossai_quat_conjugate(ossai_quat_of(edits[0].rotation)), there_and_back[1].rotation);
	ossa_clip *same = apply(context, rig, 2, there_and_back);
	for (size_t f = 0; f < FRAMES; f++) assert_true(change(rig, same, f, 1) < 1e-6);
	ossa_clip_free(context, same);
	/* no edit is a copy */
	same = apply(context, rig, 0, NULL);
	assert_memory_equal(same->rotations, rig->clip->rotations, 4 * FRAMES * BONES * sizeof(double));
	ossa_clip_free(context, same);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- ranges and axes ---- */

static void ranges_and_bend_axes(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, false);
	ossa_motion_key keys[2] = {{0, {0}}, {FRAMES - 1, {0}}};
	const double tilted[3] = {1, 0, -1};
	ossa_turn_about(tilted, -20, keys[0].rotation);
	ossa_turn_about(tilted, 70, keys[1].rotation);
	ossa_motion_edit edit = ossa_motion_edit_default(OSSA_MOTION_KEYS, 2);
	edit.keys = keys;
	edit.key_count = 2;
	ossa_clip *edited = apply(context, rig, 1, &edit);
	double axis[3], range[3][2];
	assert_true(ossa_rig_bend_axis(rig, edited, 2, axis));
	/* the direction of the larger motion */
	assert_near(axis[0], sqrt(0.5), 1e-6);
	assert_near(axis[1], 0, 1e-6);
	assert_near(axis[2], -sqrt(0.5), 1e-6);
	ossa_clip_free(context, edited);
	/* a hinge's own axis, in the joint's frame, in the direction of the motion */
	ossa_bone *bone = &rig->skeleton.bones[2];
	bone->kind = OSSA_JOINT_HINGE;
	const ossai_vec3 world = {0, 0, 1};
	ossai_v3_store(world, bone->axis);
	const ossai_mat3 frame = ossai_quat_matrix(ossai_quat_of(bone->orientation));
	const ossai_vec3 own = ossai_mat3_tmul_v(&frame, world);
	edit = ossa_motion_edit_default(OSSA_MOTION_SET, 2);
	ossa_turn_about((const double[3]){-own.x, -own.y, -own.z}, 30, edit.rotation);
	edited = apply(context, rig, 1, &edit);
	assert_true(ossa_rig_bend_axis(rig, edited, 2, axis));
	assert_near_vec3(ossai_v3_of(axis), ossai_scale(own, -1), 1e-9);
	ossa_clip_free(context, edited);
	/* nothing moves: no range, no axis of a ball */
	ossa_clip *rest;
	assert_ok(context, ossa_clip_of_rest(context, rig, 3, 24, &rest));
	assert_false(ossa_rig_turn_range(rig, rest, 1, range));
	assert_false(ossa_rig_bend_axis(rig, rest, 1, axis));
	assert_true(axis[0] == 0 && axis[1] == 0 && axis[2] == 0 && range[0][1] == 0);
	ossa_clip_free(context, rest);
	assert_int_equal(ossa_rig_bone(rig, "lower"), 2);
	assert_int_equal(ossa_rig_bone(rig, "elbow"), -1);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- refusals ---- */

static void refuse(ossa_context *context, const ossa_rig *rig, ossa_motion_edit edit, const char *words)
{
	ossa_clip *edited = NULL;
	const ossa_motion_edit edits[2] = {ossa_motion_edit_default(OSSA_MOTION_TURN, 0), edit};
	assert_fails(context, ossa_motion_edit_apply(context, rig, NULL, 2, edits, &edited), OSSA_ERROR_ARGUMENT, words);
	assert_null(edited);
}

static void bad_edits_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, false);
	ossa_motion_edit edit = degrees_edit(OSSA_MOTION_TURN, 3, 1, 2, 3);
	refuse(context, rig, edit, "edit 2 of the motion: there is no bone 3");
	edit.bone = 1;
	edit.first = 20;
	refuse(context, rig, edit, "no frames 20");
	edit.first = 5;
	edit.last = 4;
	refuse(context, rig, edit, "no frames 5 to 4");
	edit.last = FRAMES;
	refuse(context, rig, edit, "the motion has 20");
	edit.last = 5;
	edit.axes = (ossa_motion_axes)7;
	refuse(context, rig, edit, "axes");
	edit.axes = OSSA_AXES_OWN;
	memset(edit.rotation, 0, sizeof edit.rotation);
	refuse(context, rig, edit, "rotation");
	edit.rotation[0] = NAN;
	refuse(context, rig, edit, "rotation");
	edit = ossa_motion_edit_default(OSSA_MOTION_KEYS, 0);
	refuse(context, rig, edit, "no keys");
	ossa_motion_key keys[2] = {{3, {0, 0, 0, 1}}, {3, {0, 0, 0, 1}}};
	edit.keys = keys;
	edit.key_count = 2;
	refuse(context, rig, edit, "do not increase at key 2");
	keys[1].frame = FRAMES;
	refuse(context, rig, edit, "no frame 20 for key 2");
	edit = ossa_motion_edit_default(OSSA_MOTION_RETIME, 0);
	edit.factor = 0;
	refuse(context, rig, edit, "speed");
	edit = ossa_motion_edit_default(OSSA_MOTION_SCALE, 0);
	edit.factor = INFINITY;
	refuse(context, rig, edit, "factor");
	edit = ossa_motion_edit_default(OSSA_MOTION_MOVE, 0);
	edit.offset[2] = NAN;
	refuse(context, rig, edit, "offset");
	refuse(context, rig, ossa_motion_edit_default((ossa_motion_edit_kind)77, 0), "kind 77");
	ossa_clip *clip, *own = rig->clip;
	assert_fails(context, ossa_clip_of_rest(context, rig, 0, 24, &clip), OSSA_ERROR_ARGUMENT, "0 frames");
	assert_fails(context, ossa_clip_of_rest(context, rig, 1, 0, &clip), OSSA_ERROR_ARGUMENT, "per second");
	rig->clip = NULL;
	assert_fails(context, ossa_motion_edit_apply(context, rig, NULL, 0, NULL, &clip), OSSA_ERROR_ARGUMENT, "no motion");
	rig->clip = own;
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static ossa_status edit_body(ossa_context *context, void *arg)
{
	const ossa_rig *rig = arg;
	const ossa_motion_key key = {2, {0, 0, 0, 1}};
	ossa_motion_edit edits[2] = {degrees_edit(OSSA_MOTION_TURN, 1, 10, 0, 0), ossa_motion_edit_default(OSSA_MOTION_KEYS, 2)};
	edits[1].keys = &key;
	edits[1].key_count = 1;
	ossa_clip *edited = NULL, *rest = NULL;
	ossa_status status = ossa_motion_edit_apply(context, rig, NULL, 2, edits, &edited);
	if (status == OSSA_OK) status = ossa_clip_of_rest(context, rig, 2, 24, &rest);
	ossa_clip_free(context, rest);
	ossa_clip_free(context, edited);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, true);
	assert_true(test_allocation_sweep(edit_body, rig, 100, 1) >= 8);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_turn_is_added_in_own_axes),
		cmocka_unit_test(a_turn_in_other_axes),
		cmocka_unit_test(ease_goes_over_smoothly),
		cmocka_unit_test(set_and_reset),
		cmocka_unit_test(keys_are_met_and_the_path_is_smooth),
		cmocka_unit_test(scaled_turns),
		cmocka_unit_test(the_root_moves),
		cmocka_unit_test(clamped_to_limits),
		cmocka_unit_test(limits_past_half_a_turn),
		cmocka_unit_test(crop_and_retime),
		cmocka_unit_test(edits_come_in_order_and_can_be_undone),
		cmocka_unit_test(ranges_and_bend_axes),
		cmocka_unit_test(bad_edits_are_refused),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
