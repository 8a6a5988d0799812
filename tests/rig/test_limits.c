/* tests/rig/test_limits.c: ranges of joints from motion: from known angles, through gimbal lock,
   with jumps, and without motion. */
#include "base/context.h"
#include "math/vec.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DEGREE = OSSAI_PI / 180;
enum { FRAMES = 400 };

static double random_between(double low, double high) { return low + (high - low) * (rand() / (double)RAND_MAX); }

static ossai_quat random_turn(void)
{
	return ossai_quat_unit(
		(ossai_quat){random_between(-1, 1), random_between(-1, 1), random_between(-1, 1), random_between(0.1, 1)});
}

/* Rz Ry Rx, from degrees */
static ossai_quat turn_of(double x, double y, double z)
{
	const ossai_quat qx = ossai_quat_axis_angle(ossai_v3(1, 0, 0), x * DEGREE);
	const ossai_quat qy = ossai_quat_axis_angle(ossai_v3(0, 1, 0), y * DEGREE);
	const ossai_quat qz = ossai_quat_axis_angle(ossai_v3(0, 0, 1), z * DEGREE);
	return ossai_quat_mul(qz, ossai_quat_mul(qy, qx));
}

/* a root and one child, both turned any way at rest; the child's clip is at rest */
static ossa_rig *make_rig(ossa_context *context, size_t frame_count)
{
	ossa_mesh *mesh;
	ossa_rig *rig;
	const float corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	assert_ok(context, ossa_mesh_create(context, 3, corners, 1, (uint32_t[]){0, 1, 2}, &mesh));
	assert_ok(context, ossa_rig_create(context, mesh, 2, 1, &rig));
	ossa_mesh_free(context, mesh);
	for (size_t v = 0; v < 3; v++) rig->weights.values[v] = 1;
	ossa_bone *bones = rig->skeleton.bones;
	strcpy(bones[0].name, "root");
	strcpy(bones[1].name, "child");
	bones[0].parent = -1;
	bones[0].kind = OSSA_JOINT_ROOT;
	bones[1].kind = OSSA_JOINT_BALL;
	for (size_t b = 0; b < 2; b++) {
		const ossai_quat frame = random_turn();
		const ossai_mat3 matrix = ossai_quat_matrix(frame);
		ossai_quat_store(frame, bones[b].orientation);
		ossai_v3_store(ossai_v3(0, (double)b, 0), bones[b].joint);
		ossai_v3_store(ossai_add(ossai_v3_of(bones[b].joint), ossai_mat3_mul_v(&matrix, ossai_v3(0, 2, 0))), bones[b].tail);
	}
	assert_ok(context, ossa_clip_create(context, frame_count, 2, false, &rig->clip));
	for (size_t f = 0; f < frame_count; f++) {
		rig->clip->times[f] = (double)f;
		ossai_quat_store(ossai_quat_of(bones[0].orientation), rig->clip->rotations + f * 8);
	}
	return rig;
}

/* the child's turn against its rest pose in a frame */
static void set_turn(ossa_rig *rig, size_t frame, ossai_quat turn)
{
	const ossa_bone *bones = rig->skeleton.bones;
	const ossai_quat up = ossai_quat_conjugate(ossai_quat_of(bones[0].orientation));
	const ossai_quat rest = ossai_quat_mul(up, ossai_quat_of(bones[1].orientation));
	double *to = rig->clip->rotations + frame * 8 + 4;
	ossai_quat q = ossai_quat_mul(rest, turn);
	if (frame > 0 && ossai_quat_dot(q, ossai_quat_of(to - 8)) < 0) q = ossai_quat_negate(q);
	ossai_quat_store(q, to);
}

static const ossa_bone *find(ossa_context *context, ossa_rig *rig, double slack)
{
	assert_ok(context, ossa_rig_validate(context, rig));
	assert_ok(context, ossa_rig_find_limits(context, rig, slack));
	assert_ok(context, ossa_rig_validate(context, rig));
	assert_true(rig->skeleton.bones[0].has_limits && rig->skeleton.bones[1].has_limits);
	return &rig->skeleton.bones[1];
}

static void assert_limits(const ossa_bone *bone, const double (*expected)[2])
{
	for (int axis = 0; axis < 3; axis++) {
		for (int end = 0; end < 2; end++) {
			if (fabs(bone->limits[axis][end] - expected[axis][end]) < 1e-5) continue;
			fail_msg("the limit %d about axis %d is %.9g, not %.9g", end, axis, bone->limits[axis][end], expected[axis][end]);
		}
	}
}

/* whether some number of whole turns brings the angle into the range */
static bool holds_angle(const double *limits, double degrees)
{
	for (int turns = -2; turns <= 2; turns++) {
		const double angle = degrees + 360 * turns;
		if (angle >= limits[0] - 1e-4 && angle <= limits[1] + 1e-4) return true;
	}
	return false;
}

/* whether one of the two triples of angles that make the turn lies in the limits */
static bool holds_turn(const ossa_bone *bone, ossai_quat turn)
{
	const ossai_mat3 r = ossai_quat_matrix(turn);
	const double x = atan2(r.m[2][1], r.m[2][2]) / DEGREE, z = atan2(r.m[1][0], r.m[0][0]) / DEGREE;
	const double y = asin(fmax(-1, fmin(1, -r.m[2][0]))) / DEGREE;
	return (holds_angle(bone->limits[0], x) && holds_angle(bone->limits[1], y) && holds_angle(bone->limits[2], z)) ||
		(holds_angle(bone->limits[0], x + 180) && holds_angle(bone->limits[1], 180 - y) &&
			holds_angle(bone->limits[2], z + 180));
}

/* paths of small random steps, and poses that have nothing to do with each other */
static void every_frame_is_in_its_range(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	srand(7);
	for (int round = 0; round < 40; round++) {
		const double step = round % 2 ? 0.2 : 3;
		ossa_rig *rig = make_rig(context, FRAMES);
		ossai_quat turns[FRAMES], now = ossai_quat_identity();
		for (size_t f = 0; f < FRAMES; f++) {
			const ossai_vec3 by = ossai_v3(
				random_between(-step, step), random_between(-step, step), random_between(-step, step));
			now = turns[f] = ossai_quat_unit(ossai_quat_mul(now, ossai_quat_exp(by)));
			set_turn(rig, f, now);
		}
		const ossa_bone *child = find(context, rig, 0);
		for (size_t f = 0; f < FRAMES; f++) {
			if (!holds_turn(child, turns[f])) fail_msg("round %d: frame %zu is out of the limits", round, f);
		}
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

/* one axis at a time, to and fro, past half a turn: the range is that of the angles, and no other
   axis has one */
static void one_axis_is_exact(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int axis = 0; axis < 3; axis++) {
		double low = 0, high = 0, expected[3][2] = {{0}};
		ossa_rig *rig = make_rig(context, 60);
		for (size_t f = 0; f < 60; f++) {
			const double angle = 90 + 155 * sin((double)f / 7);
			low = fmin(low, angle);
			high = fmax(high, angle);
			set_turn(rig, f, turn_of(axis == 0 ? angle : 0, axis == 1 ? angle : 0, axis == 2 ? angle : 0));
		}
		assert_true(low < -60 && high > 240);
		expected[axis][0] = low;
		expected[axis][1] = high;
		assert_limits(find(context, rig, 0), (const double(*)[2])expected);
		/* with slack, once more */
		rig->skeleton.bones[1].has_limits = false;
		memset(rig->skeleton.bones[1].limits, 0, sizeof rig->skeleton.bones[1].limits);
		for (int k = 0; k < 3; k++) expected[k][0] -= 5, expected[k][1] += 5;
		assert_limits(find(context, rig, 5), (const double(*)[2])expected);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

/* y runs through a quarter turn, exactly and beside it, while x and z stand still or turn slowly */
static void gimbal_lock_is_passed(void **state)
{
	(void)state;
	static const double drifts[] = {0, 0, 0.1, -0.2}, offsets[] = {0, 1e-9, 1e-3, 0.4};
	ossa_context *context = test_context(1);
	for (int round = 0; round < 8; round++) {
		const double sign = round % 2 ? -1 : 1, drift = drifts[round / 2], offset = offsets[round / 2];
		double expected[3][2] = {{0, 20}, {0, 0}, {-30, 0}};
		ossa_rig *rig = make_rig(context, 151);
		for (size_t f = 0; f < 151; f++) {
			/* x and z reach their angles before y begins to move */
			const double t = fmin(1, (double)f / 20), y = f < 20 ? 0 : (double)f - 20;
			set_turn(rig, f, turn_of(20 * t + drift * y, sign * (y + (y > 0 ? offset : 0)), -30 * t + drift * y));
		}
		expected[1][sign > 0 ? 1 : 0] = sign * (130 + offset);
		expected[0][drift > 0 ? 1 : 0] = drift > 0 ? 20 + 130 * drift : fmin(0, 20 + 130 * drift);
		expected[2][drift < 0 ? 0 : 1] = drift < 0 ? -30 + 130 * drift : fmax(0, -30 + 130 * drift);
		if (drift == 0) expected[2][0] = -30;
		assert_limits(find(context, rig, 0), (const double(*)[2])expected);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

/* the limits of a joint that turns about an axis by 140 degrees in 45 steps and `frames` - 46 steps
   back */
static void turn_about(ossa_context *context, ossai_vec3 axis, size_t frames, double limits[3][2])
{
	ossa_rig *rig = make_rig(context, frames);
	for (size_t f = 0; f < frames; f++) {
		const double degrees = 140 * sin((double)f * 2 * DEGREE);
		set_turn(rig, f, ossai_quat_axis_angle(axis, degrees * DEGREE));
	}
	memcpy(limits, find(context, rig, 0)->limits, 6 * sizeof(double));
	ossa_rig_free(context, rig);
}

/* a hinge whose axis is between the frame's: it returns along the same path, and no angle gains a
   full turn */
static void oblique_hinges_stay_continuous(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	srand(11);
	for (int round = 0; round < 30; round++) {
		const ossai_vec3 axis = ossai_unit(
			ossai_v3(random_between(-1, 1), random_between(-1, 1), random_between(-1, 1)), ossai_v3(1, 0, 0));
		double there[3][2], back[3][2];
		turn_about(context, axis, 46, there);
		turn_about(context, axis, 91, back);
		for (int k = 0; k < 3; k++) {
			assert_near(there[k][0], back[k][0], 1e-6);
			assert_near(there[k][1], back[k][1], 1e-6);
			assert_true(there[k][1] - there[k][0] < 270);
		}
	}
	test_context_end(context);
}

/* distant poses are not a path: -120 and then 100 degrees are not 260 apart the other way */
static void poses_are_taken_from_rest(void **state)
{
	(void)state;
	static const double angles[] = {-120, 100, -20, 170, 0};
	static const double expected[3][2] = {{-120, 170}, {0, 0}, {0, 0}};
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 5);
	for (size_t f = 0; f < 5; f++) set_turn(rig, f, turn_of(angles[f], 0, 0));
	assert_limits(find(context, rig, 0), expected);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a wheel that turns on and on gets what the rig can say */
static void many_turns_are_cut(void **state)
{
	(void)state;
	static const double expected[3][2] = {{0, 360}, {0, 0}, {0, 0}};
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 60);
	for (size_t f = 0; f < 60; f++) set_turn(rig, f, turn_of(20 * (double)f, 0, 0));
	assert_limits(find(context, rig, 0), expected);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* no clip, a clip that is at rest, a joint said to be welded: wide about the bone, less across
   it */
static void stillness_is_no_limit(void **state)
{
	(void)state;
	static const double wide_y[3][2] = {{-90, 90}, {-180, 180}, {-90, 90}}, wide_x[3][2] = {{-180, 180}, {-90, 90}, {-90, 90}};
	ossa_context *context = test_context(1);
	for (int round = 0; round < 4; round++) {
		ossa_rig *rig = make_rig(context, 3);
		ossa_bone *child = &rig->skeleton.bones[1];
		for (size_t f = 0; f < 3; f++) set_turn(rig, f, turn_of(round == 1 ? (double)f * 0.3 : 0, 0, 0));
		if (round == 0) {
			ossa_clip_free(context, rig->clip);
			rig->clip = NULL;
		}
		if (round == 1) child->kind = OSSA_JOINT_WELDED;
		if (round == 3) {
			const ossai_mat3 frame = ossai_quat_matrix(ossai_quat_of(child->orientation));
			ossai_v3_store(ossai_sub(ossai_v3_of(child->joint), ossai_mat3_mul_v(&frame, ossai_v3(1, 0.2, -0.4))), child->tail);
		}
		assert_limits(find(context, rig, 7), round == 3 ? wide_x : wide_y);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

static void known_limits_are_kept(void **state)
{
	(void)state;
	static const double known[3][2] = {{-1, 2}, {-3, 4}, {0, 0}};
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 2);
	for (size_t f = 0; f < 2; f++) set_turn(rig, f, turn_of(50, 10, (double)f));
	rig->skeleton.bones[1].has_limits = true;
	memcpy(rig->skeleton.bones[1].limits, known, sizeof known);
	assert_limits(find(context, rig, 5), known);
	assert_fails(context, ossa_rig_find_limits(context, rig, -1), OSSA_ERROR_ARGUMENT, "slack");
	assert_fails(context, ossa_rig_find_limits(context, rig, NAN), OSSA_ERROR_ARGUMENT, "slack");
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_frame_is_in_its_range),
		cmocka_unit_test(one_axis_is_exact),
		cmocka_unit_test(gimbal_lock_is_passed),
		cmocka_unit_test(oblique_hinges_stay_continuous),
		cmocka_unit_test(poses_are_taken_from_rest),
		cmocka_unit_test(many_turns_are_cut),
		cmocka_unit_test(stillness_is_no_limit),
		cmocka_unit_test(known_limits_are_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
