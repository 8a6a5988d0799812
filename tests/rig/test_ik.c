/* tests/rig/test_ik.c: chains with known reach: targets within reach are met, others missed by
   the excess; limits are kept; the pose is continuous in the target. */
#include "math/euler.h"
#include "math/vec.h"
#include "rig/hinge.h"
#include "rig/turns.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* bones of length 1 along +Y from the origin, under a root of length 1 below it; a clip of one
   frame, bent a little unless straight */
static ossa_rig *chain(ossa_context *context, size_t bones, double bend_degrees)
{
	ossa_mesh *mesh;
	ossa_rig *rig;
	assert_ok(context, ossa_mesh_create(context, 0, NULL, 0, NULL, &mesh));
	assert_ok(context, ossa_rig_create(context, mesh, bones + 1, 1, &rig));
	assert_ok(context, ossa_clip_create(context, 1, bones + 1, false, &rig->clip));
	ossa_mesh_free(context, mesh);
	for (size_t b = 0; b <= bones; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		snprintf(bone->name, sizeof bone->name, "bone_%02zu", b);
		bone->parent = (int32_t)b - 1;
		bone->kind = b == 0 ? OSSA_JOINT_ROOT : OSSA_JOINT_BALL;
		ossai_v3_store(ossai_v3(0, (double)b - 1, 0), bone->joint);
		ossai_v3_store(ossai_v3(0, (double)b, 0), bone->tail);
		ossai_quat_store(ossai_quat_identity(), bone->orientation);
		const double angle = b == 0 ? 0 : bend_degrees * OSSAI_PI / 180;
		ossai_quat_store(ossai_quat_axis_angle(ossai_v3(1, 0, 0), angle), rig->clip->rotations + 4 * b);
	}
	ossai_v3_store(ossai_v3(0, -1, 0), rig->clip->root_positions);
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

static ossa_ik_goal goal_at(size_t bone, double x, double y, double z)
{
	return (ossa_ik_goal){.bone = bone, .position = {x, y, z}};
}

/* where a bone's tail is in the clip's frame */
static ossai_vec3 tail_of(const ossa_rig *rig, size_t bone)
{
	double matrices[12 * 16];
	assert_true(rig->skeleton.bone_count <= 16);
	ossa_rig_joint_matrices(rig, rig->clip, 0, matrices);
	const ossai_rigid world = ossai_rigid_of(matrices + 12 * bone);
	return ossai_rigid_point(&world, ossai_v3(0, 1, 0));
}

static ossa_ik_facts reach(ossa_context *context, ossa_rig *rig, const ossa_ik_goal *goal)
{
	ossa_ik_facts facts;
	assert_ok(context, ossa_rig_reach(context, rig, goal, rig->clip, 0, &facts));
	assert_ok(context, ossa_rig_validate(context, rig));
	return facts;
}

static void goals_within_reach_are_met(void **state)
{
	ossa_context *context = test_context(1);
	uint32_t random = 7;
	(void)state;
	for (int i = 0; i < 200; i++) {
		const size_t bones = 2 + (size_t)i % 4;
		ossa_rig *rig = chain(context, bones, i % 5 * 10);
		double p[3], length = 0;
		do {
			for (int k = 0; k < 3; k++) p[k] = (double)bones * (2.0 * test_random_bits(&random) / (1 << 24) - 1);
			length = ossai_length(ossai_v3_of(p));
		} while (length > 0.97 * (double)bones || length < 0.1);
		const ossa_ik_goal goal = goal_at(bones, p[0], p[1], p[2]);
		const ossa_ik_facts facts = reach(context, rig, &goal);
		if (!facts.is_reached)
			fail_msg("goal %d of %zu bones at %g %g %g is missed by %g", i, bones, p[0], p[1], p[2], facts.distance);
		assert_near_vec3(tail_of(rig, bones), ossai_v3_of(p), 2e-6 * (double)bones);
		assert_int_equal(facts.bone_count, bones);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
	(void)state;
}

static void goals_beyond_reach_are_missed_by_what_lies_beyond(void **state)
{
	ossa_context *context = test_context(1);
	(void)state;
	for (int i = 0; i < 12; i++) {
		ossa_rig *rig = chain(context, 3, 15);
		const double turn = i * OSSAI_PI / 6;
		const ossa_ik_goal goal = goal_at(3, 4.5 * cos(turn), 2, 4.5 * sin(turn));
		const double far = ossai_length(ossai_v3_of(goal.position));
		const ossa_ik_facts facts = reach(context, rig, &goal);
		assert_false(facts.is_reached);
		assert_near(facts.distance, far - 3, 1e-3);
		/* it points there */
		const ossai_vec3 wanted = ossai_scale(ossai_v3_of(goal.position), 3 / far);
		assert_near_vec3(tail_of(rig, 3), wanted, 0.1);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

/* straight towards its goal no turn helps; it bends all the same */
static void straight_chains_fold(void **state)
{
	ossa_context *context = test_context(1);
	ossa_rig *rig = chain(context, 3, 0);
	const ossa_ik_goal goal = goal_at(3, 0, 1.5, 0);
	(void)state;
	assert_true(reach(context, rig, &goal).is_reached);
	assert_near_vec3(tail_of(rig, 3), ossai_v3_of(goal.position), 1e-5);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void set_limits(ossa_bone *bone, double x0, double x1, double y, double z)
{
	const double limits[3][2] = {{x0, x1}, {-y, y}, {-z, z}};
	bone->has_limits = true;
	memcpy(bone->limits, limits, sizeof limits);
}

static void assert_within_limits(const ossa_rig *rig)
{
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		assert_int_equal(ossa_rig_past_limits(rig, NULL, b, 0, 0).frame_count, 0);
	}
}

static void limits_are_kept(void **state)
{
	ossa_context *context = test_context(1);
	uint32_t random = 3;
	size_t missed = 0;
	(void)state;
	for (int i = 0; i < 200; i++) {
		ossa_rig *rig = chain(context, 3, 20);
		set_limits(&rig->skeleton.bones[1], -60, 60, 30, 60);
		set_limits(&rig->skeleton.bones[2], 0, 120, 0, 0);
		set_limits(&rig->skeleton.bones[3], -10, 90, 20, 20);
		double p[3];
		for (int k = 0; k < 3; k++) p[k] = 3 * (2.0 * test_random_bits(&random) / (1 << 24) - 1);
		const ossa_ik_goal goal = goal_at(3, p[0], p[1], p[2]);
		const ossai_vec3 before = tail_of(rig, 3);
		const ossa_ik_facts facts = reach(context, rig, &goal);
		assert_within_limits(rig);
		/* never farther than it was, and the facts say where it is */
		assert_true(facts.distance <= ossai_distance(before, ossai_v3_of(p)) + 1e-9);
		assert_near(facts.distance, ossai_distance(tail_of(rig, 3), ossai_v3_of(p)), 1e-6);
		missed += !facts.is_reached;
		ossa_rig_free(context, rig);
	}
	assert_in_range(missed, 1, 199);
	test_context_end(context);
}

/* poses within limits are reached again: their tails are goals that can be met */
static void goals_that_limits_allow_are_met(void **state)
{
	ossa_context *context = test_context(1);
	uint32_t random = 11;
	size_t missed = 0;
	(void)state;
	for (int i = 0; i < 300; i++) {
		ossa_rig *rig = chain(context, 3, 20);
		set_limits(&rig->skeleton.bones[1], -60, 60, 30, 60);
		set_limits(&rig->skeleton.bones[2], 0, 120, 0, 0);
		set_limits(&rig->skeleton.bones[3], -10, 90, 20, 20);
		double start[16];
		memcpy(start, rig->clip->rotations, sizeof start);
		for (size_t b = 1; b <= 3; b++) {
			double angles[3];
			for (int a = 0; a < 3; a++) {
				const double *range = rig->skeleton.bones[b].limits[a];
				angles[a] = range[0] + (range[1] - range[0]) * test_random_bits(&random) / (1 << 24);
			}
			ossai_quat_store(ossai_euler_quat(angles, OSSAI_EULER_ZYX), rig->clip->rotations + 4 * b);
		}
		const ossai_vec3 p = tail_of(rig, 3);
		memcpy(rig->clip->rotations, start, sizeof start);
		const ossa_ik_goal goal = goal_at(3, p.x, p.y, p.z);
		missed += reach(context, rig, &goal).distance > 1e-3;
		assert_within_limits(rig);
		ossa_rig_free(context, rig);
	}
	/* what is smallest turns first may end in a corner of the limits */
	if (missed > 9) fail_msg("%zu of 300 goals are missed", missed);
	test_context_end(context);
}

static double largest_turn_between(const double *a, const double *b, size_t bones)
{
	double most = 0;
	for (size_t i = 0; i < bones; i++) {
		const ossai_quat d = ossai_quat_mul(ossai_quat_conjugate(ossai_quat_of(a + 4 * i)), ossai_quat_of(b + 4 * i));
		most = fmax(most, ossai_quat_angle(d));
	}
	return most;
}

/* dragged along a circle in steps of a hundredth of its length, out of reach for a part of it */
/* a chain whose middle bones are hinges about slanted axes, with limits or without; their pose is a
   little off the axis, which stays */
static void hinges_turn_about_their_axis(void **state)
{
	ossa_context *context = test_context(1);
	const ossai_vec3 axis = ossai_unit(ossai_v3(0.9, 0.1, 0.4), ossai_v3(1, 0, 0));
	const ossai_quat aside = ossai_quat_axis_angle(ossai_v3(0, 1, 0), 0.01);
	uint32_t random = 5;
	size_t met = 0;
	(void)state;
	for (int i = 0; i < 100; i++) {
		ossa_rig *rig = chain(context, 4, 0);
		for (size_t b = 2; b < 4; b++) {
			ossa_bone *bone = &rig->skeleton.bones[b];
			bone->kind = OSSA_JOINT_HINGE;
			ossai_v3_store(axis, bone->axis);
			if (i % 2) set_limits(bone, -10, 100, 90, 90);
			ossai_quat_store(ossai_quat_mul(ossai_quat_axis_angle(axis, 0.2), aside), rig->clip->rotations + 4 * b);
		}
		double p[3];
		for (int k = 0; k < 3; k++) p[k] = 3 * (2.0 * test_random_bits(&random) / (1 << 24) - 1);
		const ossa_ik_goal goal = goal_at(4, p[0], p[1], p[2]);
		met += reach(context, rig, &goal).is_reached;
		for (size_t b = 2; b < 4; b++) {
			const ossai_quat turn = ossai_quat_mul(ossai_quat_of(rig->clip->rotations + 4 * b), ossai_quat_conjugate(aside));
			const ossai_vec3 about = ossai_v3(turn.x, turn.y, turn.z);
			assert_near(ossai_length(ossai_cross(about, axis)), 0, 1e-9);
			double limits[2];
			ossai_hinge_limits(&rig->skeleton.bones[b], limits);
			const double angle = ossai_hinge_angle(turn, axis, 0.5 * (limits[0] + limits[1]));
			if (i % 2) assert_true(angle > limits[0] - 0.6 && angle < limits[1] + 0.6);
		}
		ossa_rig_free(context, rig);
	}
	/* of goals up to 5.2 away, of which bones of length 4 reach most */
	print_message("%zu of 100 goals are met\n", met);
	assert_true(met > 60);
	test_context_end(context);
}

static void dragging_is_smooth(void **state)
{
	ossa_context *context = test_context(1);
	ossa_rig *rig = chain(context, 3, 30);
	double last[16];
	(void)state;
	for (int i = 0; i <= 200; i++) {
		const double t = i * 2 * OSSAI_PI / 200;
		const ossa_ik_goal goal = goal_at(3, 0.8 * sin(t), 1.9 + 1.3 * cos(t) - 1.3, 1.2);
		memcpy(last, rig->clip->rotations, sizeof last);
		reach(context, rig, &goal);
		if (i == 0) continue;
		const double turned = largest_turn_between(last, rig->clip->rotations, 4);
		if (turned > 0.15) fail_msg("step %d turns a joint by %g degrees", i, turned * 180 / OSSAI_PI);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void what_is_there_already_stays(void **state)
{
	ossa_context *context = test_context(1);
	ossa_rig *rig = chain(context, 3, 25);
	double before[16];
	const ossai_vec3 p = tail_of(rig, 3);
	const ossa_ik_goal goal = goal_at(3, p.x, p.y, p.z);
	(void)state;
	memcpy(before, rig->clip->rotations, sizeof before);
	assert_int_equal(reach(context, rig, &goal).rounds, 0);
	assert_memory_equal(before, rig->clip->rotations, sizeof before);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* so many bones turn and no more; a joint is a goal too */
static void chains_are_as_long_as_asked_for(void **state)
{
	ossa_context *context = test_context(1);
	ossa_rig *rig = chain(context, 4, 20);
	double before[20];
	ossa_ik_goal goal = goal_at(4, 0, 2, 1);
	(void)state;
	memcpy(before, rig->clip->rotations, sizeof before);
	goal.chain = 2;
	assert_int_equal(reach(context, rig, &goal).bone_count, 2);
	assert_memory_equal(before, rig->clip->rotations, 12 * sizeof *before);
	goal.of_joint = true;
	const ossa_ik_facts facts = reach(context, rig, &goal);
	assert_int_equal(facts.bone_count, 2);
	assert_memory_equal(before, rig->clip->rotations, 8 * sizeof *before);
	double matrices[60];
	ossa_rig_joint_matrices(rig, rig->clip, 0, matrices);
	const ossai_rigid world = ossai_rigid_of(matrices + 48);
	assert_near(ossai_distance(world.t, ossai_v3_of(goal.position)), facts.distance, 1e-9);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void bad_goals_are_refused(void **state)
{
	ossa_context *context = test_context(1);
	ossa_rig *rig = chain(context, 2, 0);
	ossa_ik_goal goal = goal_at(9, 0, 0, 0);
	(void)state;
	assert_fails(context, ossa_rig_reach(context, rig, &goal, rig->clip, 0, NULL), OSSA_ERROR_ARGUMENT, "bone 9");
	goal = goal_at(1, NAN, 0, 0);
	assert_fails(context, ossa_rig_reach(context, rig, &goal, rig->clip, 0, NULL), OSSA_ERROR_ARGUMENT, "finite");
	goal = goal_at(1, 0, 1, 0);
	assert_fails(context, ossa_rig_reach(context, rig, &goal, rig->clip, 1, NULL), OSSA_ERROR_ARGUMENT, "frame 1");
	goal = goal_at(0, 0, 1, 0);
	assert_fails(context, ossa_rig_reach(context, rig, &goal, rig->clip, 0, NULL), OSSA_ERROR_ARGUMENT, "root");
	goal.chain = 1;
	assert_ok(context, ossa_rig_reach(context, rig, &goal, rig->clip, 0, NULL));
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static ossa_status sweep_body(ossa_context *context, void *arg)
{
	ossa_rig *rig = arg;
	ossa_clip *clip = NULL;
	const ossa_ik_goal goal = goal_at(3, 1, 1, 1);
	ossa_status status = ossa_clip_copy(context, rig->clip, &clip);
	if (status == OSSA_OK) status = ossa_rig_reach(context, rig, &goal, clip, 0, NULL);
	ossa_clip_free(context, clip);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	ossa_context *context = test_context(1);
	ossa_rig *rig = chain(context, 3, 10);
	(void)state;
	assert_true(test_allocation_sweep(sweep_body, rig, 100, 10) >= 8);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(goals_within_reach_are_met),
		cmocka_unit_test(goals_beyond_reach_are_missed_by_what_lies_beyond), cmocka_unit_test(straight_chains_fold),
		cmocka_unit_test(limits_are_kept), cmocka_unit_test(goals_that_limits_allow_are_met),
		cmocka_unit_test(hinges_turn_about_their_axis), cmocka_unit_test(dragging_is_smooth),
		cmocka_unit_test(what_is_there_already_stays), cmocka_unit_test(chains_are_as_long_as_asked_for),
		cmocka_unit_test(bad_goals_are_refused), cmocka_unit_test(every_allocation_may_fail)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
