/* tests/rig/test_twist_drivers.c: hinges that the twist of a ball drives: the parent, and a child
   that comes later in the skeleton. They are found, validated, followed, and kept at another rest
   pose. */
#include "rig/drive.h"
#include "rig/hinge.h"
#include "rig/turns.h"
#include "support/hinge.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <math.h>
#include <string.h>

enum { FRAMES = 40, UPPER = 1, BACK, FORE, HAND, BONES };

/* the hinge BACK beside FORE, both below the ball UPPER; the ball HAND below FORE */
static const int32_t parents[] = {0, 1, 1, 3};

/* the frames whose hand swings by so much, by turns; 0: all swing by up to 80 degrees */
typedef struct motion {
	double far_swing;
	size_t pose_count; /* independent ones; 0: all */
} motion;

static double no_turn(const void *user, size_t hinge, size_t frame)
{
	(void)user, (void)hinge, (void)frame;
	return 0;
}

static ossai_quat rest_of(const ossa_rig *rig, size_t bone) { return ossai_rest_rotation(rig->skeleton.bones, bone); }

static void set_turn(const ossa_rig *rig, ossa_clip *clip, size_t frame, size_t bone, ossai_quat turn)
{
	ossai_quat_store(
		ossai_quat_unit(ossai_quat_mul(rest_of(rig, bone), turn)), clip->rotations + 4 * (frame * clip->bone_count + bone));
}

/* the hinge's axis, in the world at rest, in another bone's own frame */
static ossai_vec3 axis_in(const ossa_rig *rig, size_t hinge, size_t bone)
{
	const ossai_mat3 frame = ossai_quat_matrix(ossai_quat_of(rig->skeleton.bones[bone].orientation));
	return ossai_mat3_tmul_v(&frame, ossai_v3_of(rig->skeleton.bones[hinge].axis));
}

static ossa_dependency line_of(const ossa_rig *rig, int32_t bone, int32_t driver, double ratio, double offset)
{
	ossa_dependency d = {.bone = bone, .driver = driver, .ratio = ratio, .offset_degrees = offset};
	memcpy(d.driver_axis, rig->skeleton.bones[bone].axis, sizeof d.driver_axis);
	return d;
}

/* swing about an axis square to that of the twist, then the twist */
static ossai_quat swing_twist(ossai_vec3 axis, double around, double swing, double twist)
{
	const ossai_vec3 side = ossai_unit(ossai_cross(axis, ossai_v3(0.3, -0.5, 0.8)), ossai_v3(1, 0, 0));
	const ossai_vec3 square = ossai_add(ossai_scale(side, cos(around)), ossai_scale(ossai_cross(axis, side), sin(around)));
	return ossai_quat_mul(
		ossai_quat_axis_angle(square, swing * OSSAI_PI / 180), ossai_quat_axis_angle(axis, twist * OSSAI_PI / 180));
}

static void turn_frame(ossa_rig *rig, const motion *m, size_t frame)
{
	uint64_t seed = 5 + 977 * (m->pose_count > 0 ? frame % m->pose_count : frame);
	ossa_clip *clip = rig->clip;
	test_random(&seed);
	const ossai_vec3 upper = axis_in(rig, BACK, UPPER), hand = axis_in(rig, FORE, HAND);
	const double twist[2] = {70 * test_random(&seed), 70 * test_random(&seed)};
	const bool is_far = m->far_swing > 0 && frame % 2 == 1;
	set_turn(rig, clip, frame, UPPER, swing_twist(upper, 3 * test_random(&seed), 80 * test_random(&seed), twist[0]));
	/* far: the twist of the hand there is another one than that which drives */
	set_turn(rig, clip, frame, HAND,
		swing_twist(
			hand, 3 * test_random(&seed), is_far ? m->far_swing : 80 * test_random(&seed), is_far ? 60 - twist[1] : twist[1]));
	test_turn_hinge(rig, clip, frame, BACK, -0.5 * twist[0]);
	test_turn_hinge(rig, clip, frame, FORE, twist[1] / 3 + 7);
}

static ossa_rig *make_rig(ossa_context *context, const motion *m)
{
	ossa_rig *rig = test_hinges_rig(context, BONES - 1, parents, FRAMES, no_turn, NULL);
	for (size_t b = UPPER; b <= HAND; b += HAND - UPPER) {
		rig->skeleton.bones[b].kind = OSSA_JOINT_BALL;
		memset(rig->skeleton.bones[b].axis, 0, sizeof rig->skeleton.bones[b].axis);
	}
	/* twist bones turn about their length */
	for (size_t b = BACK; b <= FORE; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		ossai_v3_store(ossai_add(ossai_v3_of(bone->joint), ossai_v3_of(bone->axis)), bone->tail);
	}
	for (size_t f = 0; f < FRAMES; f++) turn_frame(rig, m, f);
	for (size_t i = 4 * BONES; i < 4 * BONES * FRAMES; i += 4) {
		double *at = rig->clip->rotations + i;
		if (ossai_quat_dot(ossai_quat_of(at), ossai_quat_of(at - 4 * BONES)) < 0)
			ossai_quat_store(ossai_quat_negate(ossai_quat_of(at)), at);
	}
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

static void set_lines(ossa_context *context, ossa_rig *rig)
{
	const ossa_dependency lines[] = {line_of(rig, BACK, UPPER, -0.5, 0), line_of(rig, FORE, HAND, 1.0 / 3, 7)};
	assert_ok(context, ossa_rig_set_dependencies(context, rig, 2, lines));
}

static ossai_quat turn_of(const ossa_rig *rig, const ossa_clip *clip, size_t frame, size_t bone)
{
	double turn[4];
	ossa_rig_turn(rig, clip, frame, bone, turn, NULL);
	return ossai_quat_of(turn);
}

/* how far the bone is off its line in a frame, degrees */
static double off_line(const ossa_rig *rig, const ossa_clip *clip, size_t frame, const ossa_dependency *d)
{
	const size_t bone = (size_t)d->bone;
	const double driver = ossai_hinge_angle(
		turn_of(rig, clip, frame, (size_t)d->driver), ossai_driver_axis(rig->skeleton.bones, d), 0);
	const double own = ossai_hinge_angle(turn_of(rig, clip, frame, bone), ossai_hinge_axis(&rig->skeleton.bones[bone]), 0);
	return fabs(own - d->ratio * driver - d->offset_degrees);
}

/* ---- the twist ---- */

/* of either order; an error of the turn is one of the twist by 1 / sureness */
static void the_twist_is_that_of_swing_and_twist(void **state)
{
	(void)state;
	const ossai_vec3 axis = ossai_unit(ossai_v3(0.2, -0.7, 0.5), ossai_v3(1, 0, 0));
	for (double swing = 0; swing < 180; swing += 29) {
		const ossai_quat q = swing_twist(axis, swing, swing, 50);
		const ossai_quat twist = ossai_quat_axis_angle(axis, 50 * OSSAI_PI / 180);
		const ossai_quat other = ossai_quat_mul(twist, ossai_quat_mul(q, ossai_quat_conjugate(twist)));
		assert_near(ossai_hinge_angle(q, axis, 0), 50, 1e-9);
		assert_near(ossai_hinge_angle(other, axis, 0), 50, 1e-9);
		assert_near(ossai_twist_sureness(q, axis), cos(swing * OSSAI_PI / 360), 1e-12);
		double most = 0;
		for (int k = 0; k < 3; k++) {
			const double error = 1e-5;
			const ossai_quat off = ossai_quat_exp(ossai_v3(k == 0 ? error : 0, k == 1 ? error : 0, k == 2 ? error : 0));
			const double degrees = ossai_hinge_angle(ossai_quat_mul(q, off), axis, 50) - 50;
			most += degrees * degrees / (error * error) * (OSSAI_PI / 180) * (OSSAI_PI / 180);
		}
		assert_near(sqrt(most) * ossai_twist_sureness(q, axis), 1, 1e-3);
	}
	assert_near(ossai_twist_sureness(swing_twist(axis, 1, 180, 50), axis), 0, 1e-12);
}

/* ---- the list ---- */

static void what_is_none_is_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, &(motion){0});
	ossa_bone *bones = rig->skeleton.bones;
	static const struct {
		int32_t bone, driver;
		double axis[3];
		ossa_joint_kind kind; /* of the driver; UNKNOWN: as it is */
		const char *words;
	} cases[] = {
		{BACK, UPPER, {0, 0, 0}, OSSA_JOINT_UNKNOWN, "no axis about which it twists"},
		{BACK, UPPER, {0, 2, 0}, OSSA_JOINT_UNKNOWN, "no unit vector"},
		{BACK, UPPER, {NAN, 1, 0}, OSSA_JOINT_UNKNOWN, "no unit vector"},
		{BACK, UPPER, {0, 1, 0}, OSSA_JOINT_WELDED, "no ball or universal joint"},
		{BACK, UPPER, {0, 1, 0}, OSSA_JOINT_FREE, "no ball or universal joint"},
		{BACK, FORE, {0, 1, 0}, OSSA_JOINT_UNKNOWN, "no ball or universal joint"},
		{BACK, 0, {0, 1, 0}, OSSA_JOINT_UNKNOWN, "the root"},
		{HAND, UPPER, {0, 1, 0}, OSSA_JOINT_UNKNOWN, "no hinge"},
		{BACK, BACK, {0, 1, 0}, OSSA_JOINT_UNKNOWN, "by itself"},
		{BACK, BONES, {0, 1, 0}, OSSA_JOINT_UNKNOWN, "not there"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		ossa_dependency d = {.bone = cases[i].bone, .driver = cases[i].driver, .ratio = 1};
		memcpy(d.driver_axis, cases[i].axis, sizeof d.driver_axis);
		const bool changes = cases[i].kind != OSSA_JOINT_UNKNOWN;
		const ossa_joint_kind kind = changes ? bones[cases[i].driver].kind : OSSA_JOINT_UNKNOWN;
		if (changes) bones[cases[i].driver].kind = cases[i].kind;
		assert_fails(context, ossa_rig_set_dependencies(context, rig, 1, &d), OSSA_ERROR_INPUT, cases[i].words);
		if (changes) bones[cases[i].driver].kind = kind;
	}
	/* a hinge that a twist drives drives none */
	const ossa_dependency chain[] = {line_of(rig, BACK, UPPER, -0.5, 0), {.bone = FORE, .driver = BACK, .ratio = 2}};
	assert_fails(context, ossa_rig_set_dependencies(context, rig, 2, chain), OSSA_ERROR_INPUT, "driven itself");
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- finding ---- */

static void check_found(const ossa_rig *rig)
{
	assert_int_equal(rig->dependency_count, 2);
	const ossa_dependency *back = &rig->dependencies[0], *fore = &rig->dependencies[1];
	assert_true(back->bone == BACK && back->driver == UPPER && fore->bone == FORE && fore->driver == HAND);
	assert_near(back->ratio, -0.5, 1e-6);
	assert_near(back->offset_degrees, 0, 0);
	assert_near(fore->ratio, 1.0 / 3, 1e-6);
	assert_near(fore->offset_degrees, 7, 1e-4);
	assert_memory_equal(fore->driver_axis, rig->skeleton.bones[FORE].axis, sizeof fore->driver_axis);
}

static void parents_and_children_are_found(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, &(motion){0});
	assert_ok(context, ossa_rig_find_dependencies(context, rig));
	check_found(rig);
	assert_near(rig->dependencies[1].error_degrees, 0, 1e-6);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* half of the frames swing by nearly 180 degrees, their twist is any; at 120 degrees they show that
   the twist drives nothing */
static void twists_of_far_swings_do_not_count(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, &(motion){.far_swing = 180 - 1e-6});
	assert_ok(context, ossa_rig_find_dependencies(context, rig));
	check_found(rig);
	ossa_rig_free(context, rig);
	rig = make_rig(context, &(motion){.far_swing = 120});
	assert_ok(context, ossa_rig_find_dependencies(context, rig));
	assert_int_equal(rig->dependency_count, 1);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void one_pose_shows_nothing(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, &(motion){.pose_count = 1});
	assert_ok(context, ossa_rig_find_dependencies(context, rig));
	assert_int_equal(rig->dependency_count, 0);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* not by the finder: a knee bends across its length, and thighs in their motion as well */
static void hinges_across_their_length_are_left(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, &(motion){0});
	ossa_bone *fore = &rig->skeleton.bones[FORE];
	const ossai_vec3 axis = ossai_v3_of(fore->axis),
					 across = ossai_unit(ossai_cross(axis, ossai_v3(1, 2, 3)), ossai_v3(1, 0, 0));
	for (int side = -1; side <= 1; side += 2) {
		const ossai_vec3 length = ossai_madd(axis, 1 + 0.01 * side, across);
		ossai_v3_store(ossai_add(ossai_v3_of(fore->joint), length), fore->tail);
		assert_ok(context, ossa_rig_find_dependencies(context, rig));
		assert_int_equal(rig->dependency_count, side < 0 ? 2 : 1);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* the joint of a body's other arm does not drive, its own does */
static void other_limbs_do_not_drive(void **state)
{
	(void)state;
	for (int side = -1; side <= 1; side += 2) {
		ossa_context *context = test_context(1);
		ossa_rig *rig = make_rig(context, &(motion){0});
		rig->skeleton.bones[FORE].role = (ossa_role){OSSA_PART_LOWER_ARM, 1, 0, 0};
		rig->skeleton.bones[HAND].role = (ossa_role){OSSA_PART_HAND, side, 0, 0};
		assert_ok(context, ossa_rig_find_dependencies(context, rig));
		assert_int_equal(rig->dependency_count, side > 0 ? 2 : 1);
		ossa_rig_free(context, rig);
		test_context_end(context);
	}
}

/* ---- following ---- */

/* edits of one joint and of all */
static void edits_turn_them(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, &(motion){0});
	set_lines(context, rig);
	for (int all = 0; all < 2; all++) {
		ossa_motion_edit edits[2] = {
			ossa_motion_edit_default(OSSA_MOTION_TURN, HAND), ossa_motion_edit_default(OSSA_MOTION_TURN, UPPER)};
		ossa_clip *clip;
		for (int i = 0; i < 2; i++) ossa_turn_about((const double[3]){1, 2, -0.5}, 25 + 10 * i, edits[i].rotation);
		if (all) edits[0] = ossa_motion_edit_default(OSSA_MOTION_SCALE, OSSA_ALL_BONES);
		edits[0].factor = 0.5;
		assert_ok(context, ossa_motion_edit_apply(context, rig, NULL, all ? 1 : 2, edits, &clip));
		for (size_t f = 0; f < FRAMES; f++) {
			for (size_t i = 0; i < 2; i++) assert_near(off_line(rig, clip, f, &rig->dependencies[i]), 0, 1e-6);
			const ossai_quat was = turn_of(rig, rig->clip, f, FORE), is = turn_of(rig, clip, f, FORE);
			assert_true(ossai_quat_angle(ossai_quat_mul(ossai_quat_conjugate(was), is)) > 1e-3);
		}
		assert_no_warnings(context);
		ossa_clip_free(context, clip);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* A chain with both drivers and one that one of them drives from below. The goal is square to the
   tip, so that it takes more than a few rounds without the right derivatives. */
static void check_chains(bool is_limited)
{
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, &(motion){0});
	set_lines(context, rig);
	for (size_t i = 0; i < 2; i++) {
		ossa_bone *bone = &rig->skeleton.bones[rig->dependencies[i].bone];
		bone->has_limits = is_limited;
		for (int k = 0; k < 3; k++) bone->limits[k][0] = -(bone->limits[k][1] = is_limited ? 1 : 0);
	}
	for (size_t f = 0; f < FRAMES; f += 3) {
		ossa_clip *clip;
		ossa_ik_facts facts;
		double matrices[12 * BONES];
		ossa_ik_goal goal = {.bone = HAND};
		ossa_rig_joint_matrices(rig, rig->clip, f, matrices);
		for (int k = 0; k < 3; k++) goal.position[k] = matrices[12 * HAND + 4 * k + 3] + (k == (int)(f % 3) ? 0.7 : 0.1);
		assert_ok(context, ossa_clip_copy(context, rig->clip, &clip));
		assert_ok(context, ossa_rig_reach(context, rig, &goal, clip, f, &facts));
		for (size_t i = 0; i < 2; i++) assert_near(off_line(rig, clip, f, &rig->dependencies[i]), 0, 1e-6);
		if (facts.is_reached) assert_in_range(facts.rounds, 1, 30);
		ossa_clip_free(context, clip);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* what twists is not stopped by the limits of what it drives */
static void chains_follow(void **state)
{
	(void)state;
	check_chains(false);
	check_chains(true);
}

/* ---- another rest pose ---- */

/* that turns the hand about the axis by which it drives keeps the line with another offset; about
   another one there is no line any more */
static void another_rest_pose_keeps_twists(void **state)
{
	(void)state;
	for (int swings = 0; swings < 2; swings++) {
		ossa_context *context = test_context(1);
		ossa_rig *rig = make_rig(context, &(motion){0});
		set_lines(context, rig);
		for (size_t b = 0; b < BONES; b++) set_turn(rig, rig->clip, 0, b, ossai_quat_identity());
		set_turn(rig, rig->clip, 0, HAND, swing_twist(axis_in(rig, FORE, HAND), 1, swings ? 20 : 0, 30));
		assert_ok(context, ossa_rig_set_rest_pose(context, rig, 1));
		assert_ok(context, ossa_rig_validate(context, rig));
		assert_int_equal(rig->dependency_count, swings ? 1 : 2);
		assert_int_equal(test_warned(context, "dependencies-dropped"), swings);
		/* frame 0 is no pose of the lines */
		for (size_t i = 0; i < rig->dependency_count; i++) {
			for (size_t f = 1; f < FRAMES; f++) assert_near(off_line(rig, rig->clip, f, &rig->dependencies[i]), 0, 1e-6);
		}
		ossa_rig_free(context, rig);
		test_context_end(context);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_twist_is_that_of_swing_and_twist),
		cmocka_unit_test(what_is_none_is_refused),
		cmocka_unit_test(parents_and_children_are_found),
		cmocka_unit_test(twists_of_far_swings_do_not_count),
		cmocka_unit_test(one_pose_shows_nothing),
		cmocka_unit_test(hinges_across_their_length_are_left),
		cmocka_unit_test(other_limbs_do_not_drive),
		cmocka_unit_test(edits_turn_them),
		cmocka_unit_test(chains_follow),
		cmocka_unit_test(another_rest_pose_keeps_twists),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
