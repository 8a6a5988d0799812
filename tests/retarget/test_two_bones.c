/* tests/retarget/test_two_bones.c: inverse kinematics of arms and legs. */
#include "retarget/two_bones.h"

#include "support/actors.h"

/* of the limb's length; with it a straight limb reaches its whole length but for a millionth */
static const double most_reach = 1 - 1e-6;

typedef struct stage {
	ossa_context *context;
	person person;
	test_actor a;
	ossai_moved moved;
	ossai_actor_limb leg;
	ossai_vec3 hip, knee, ankle;
	double upper, lower;
} stage;

static void begin(stage *s)
{
	s->context = test_context(1);
	s->person = person_make(s->context, (person_form){0});
	test_actor_make(&s->a, &s->person);
	s->moved = test_moved_at_rest(&s->a);
	s->leg = s->a.actor.leg[0].limb;
	s->hip = s->moved.joint[s->leg.upper];
	s->knee = s->moved.joint[s->leg.lower];
	s->ankle = s->moved.joint[s->leg.end];
	s->upper = ossai_distance(s->hip, s->knee);
	s->lower = ossai_distance(s->knee, s->ankle);
}

static void end(stage *s)
{
	test_actor_end(&s->a);
	person_end(&s->person);
	test_context_end(s->context);
}

static void reach(stage *s, ossai_vec3 goal)
{
	ossai_reach(&s->moved, &s->leg, goal, most_reach, s->a.actor.frame.front, false);
	ossai_moved_place(&s->moved, s->moved.joint[s->moved.hips]);
}

static ossai_vec3 normal_of(ossai_vec3 hip, ossai_vec3 knee, ossai_vec3 ankle)
{
	const ossai_vec3 cross = ossai_cross(ossai_sub(knee, hip), ossai_sub(ankle, hip));
	return ossai_unit(cross, cross);
}

/* the end is at the goal; the plane in which the limb bends turns as the line to the goal does, by
   the smallest rotation, and the knee stays on its side */
static void the_end_gets_to_the_goal(void **state)
{
	(void)state;
	stage s;
	begin(&s);
	for (int i = 0; i < 60; i++) {
		const double far = (s.upper + s.lower) * (0.3 + 0.01 * i), angle = 0.7 * i;
		const ossai_vec3 direction = ossai_unit(ossai_v3(0.6 * cos(angle), -1, 0.8 * sin(angle)), s.hip);
		const ossai_vec3 goal = ossai_madd(s.hip, far, direction), before = ossai_unit(ossai_sub(s.ankle, s.hip), s.hip);
		s.moved = test_moved_at_rest(&s.a);
		reach(&s, goal);
		const ossai_vec3 knee = s.moved.joint[s.leg.lower], ankle = s.moved.joint[s.leg.end];
		const ossai_mat3 aim = ossai_quat_matrix(ossai_quat_between(before, direction));
		assert_near_vec3(ankle, goal, 1e-9);
		assert_near_vec3(s.moved.joint[s.leg.upper], s.hip, 1e-12);
		assert_near(ossai_distance(knee, s.hip), s.upper, 1e-9);
		assert_near(ossai_distance(knee, ankle), s.lower, 1e-9);
		assert_near_vec3(normal_of(s.hip, knee, ankle), ossai_mat3_mul_v(&aim, normal_of(s.hip, s.knee, s.ankle)), 1e-4);
	}
	end(&s);
}

/* where the end is already nothing turns */
static void what_is_reached_stays(void **state)
{
	(void)state;
	stage s;
	begin(&s);
	reach(&s, s.ankle);
	assert_near_vec3(s.moved.joint[s.leg.lower], s.knee, 1e-9);
	assert_near(fabs(s.moved.turn[s.leg.upper].w), 1, 1e-12);
	/* and where there is no direction to the goal */
	reach(&s, s.hip);
	assert_near_vec3(s.moved.joint[s.leg.lower], s.knee, 1e-9);
	end(&s);
}

/* a straight leg has no plane: its knee goes to where `ahead` is when turned as the thigh */
static void straight_limbs_bend_ahead(void **state)
{
	(void)state;
	stage s;
	begin(&s);
	for (int i = 0; i < 8; i++) {
		const ossai_quat heading = ossai_quat_axis_angle(ossai_v3(0, 1, 0), OSSAI_PI / 4 * i);
		const ossai_vec3 upper = ossai_sub(s.knee, s.hip), lower = ossai_sub(s.ankle, s.knee);
		const ossai_quat straight = ossai_quat_between(ossai_unit(lower, lower), ossai_unit(upper, upper));
		s.moved = test_moved_at_rest(&s.a);
		s.moved.turn[s.leg.upper] = heading;
		s.moved.turn[s.leg.lower] = ossai_quat_mul(heading, straight);
		ossai_moved_place(&s.moved, s.moved.joint[s.moved.hips]);
		const ossai_vec3 end = s.moved.joint[s.leg.end];
		reach(&s, ossai_lerp(s.hip, end, 0.9));
		const ossai_mat3 turn = ossai_quat_matrix(heading);
		const ossai_vec3 ahead = ossai_mat3_mul_v(&turn, ossai_v3(0, 0, 1));
		const ossai_vec3 out = ossai_sub(s.moved.joint[s.leg.lower], ossai_lerp(s.hip, end, 0.45));
		assert_near_vec3(s.moved.joint[s.leg.end], ossai_lerp(s.hip, end, 0.9), 1e-7);
		const ossai_vec3 along = ossai_unit(ossai_sub(end, s.hip), end);
		const ossai_vec3 wanted = ossai_madd(ahead, -ossai_dot(ahead, along), along),
						 bend = ossai_madd(out, -ossai_dot(out, along), along);
		assert_true(ossai_length(bend) > 0.1);
		assert_near_vec3(ossai_unit(bend, out), ossai_unit(wanted, out), 1e-6);
	}
	end(&s);
}

/* a knee that bends back goes ahead, as far as the goal asks for; one that bends
   ahead stays, also where the leg is folded */
static void wrong_bends_are_turned_over(void **state)
{
	(void)state;
	static const double bends[] = {-40, -10, -0.5, 0.5, 10, 90, 140};
	stage s;
	begin(&s);
	for (size_t i = 0; i < sizeof bends / sizeof bends[0]; i++) {
		for (int k = 0; k < 2; k++) {
			const ossai_quat lift = ossai_quat_axis_angle(ossai_v3(1, 0, 0), -0.5 * (double)i);
			const ossai_vec3 upper = ossai_sub(s.knee, s.hip), lower = ossai_sub(s.ankle, s.knee);
			const ossai_quat straight = ossai_quat_between(ossai_unit(lower, lower), ossai_unit(upper, upper));
			const ossai_quat bend = ossai_quat_axis_angle(ossai_v3(1, 0, 0), bends[i] * OSSAI_PI / 180);
			s.moved = test_moved_at_rest(&s.a);
			s.moved.turn[s.leg.upper] = lift;
			s.moved.turn[s.leg.lower] = ossai_quat_mul(lift, ossai_quat_mul(bend, straight));
			ossai_moved_place(&s.moved, s.moved.joint[s.moved.hips]);
			const ossai_vec3 goal = ossai_lerp(s.hip, s.moved.joint[s.leg.end], k ? 0.9 : 1);
			ossai_reach(&s.moved, &s.leg, goal, most_reach, s.a.actor.frame.front, true);
			ossai_moved_place(&s.moved, s.moved.joint[s.moved.hips]);
			const ossai_vec3 knee = s.moved.joint[s.leg.lower];
			assert_near_vec3(s.moved.joint[s.leg.end], goal, 1e-9);
			assert_true(ossai_cross(ossai_sub(knee, s.hip), ossai_sub(goal, knee)).x > 0);
		}
	}
	end(&s);
}

static void goals_out_of_reach_are_approached(void **state)
{
	(void)state;
	stage s;
	begin(&s);
	const ossai_vec3 direction = ossai_unit(ossai_v3(0.3, -1, 0.4), s.hip);
	const double most = most_reach * (s.upper + s.lower);
	/* just near enough, just too far, far too far */
	const double far[] = {most - 1e-6, most + 1e-6, 3};
	for (int i = 0; i < 3; i++) {
		s.moved = test_moved_at_rest(&s.a);
		reach(&s, ossai_madd(s.hip, far[i], direction));
		assert_near_vec3(s.moved.joint[s.leg.end], ossai_madd(s.hip, fmin(far[i], most), direction), 1e-9);
	}
	/* nearer than the difference of its segments */
	s.moved = test_moved_at_rest(&s.a);
	reach(&s, ossai_madd(s.hip, 1e-4, direction));
	assert_near(ossai_distance(s.moved.joint[s.leg.end], s.hip), fabs(s.upper - s.lower), 1e-6);
	assert_near_vec3(ossai_unit(ossai_sub(s.moved.joint[s.leg.end], s.hip), s.hip), direction, 1e-3);
	end(&s);
}

/* all bones of a segment turn together */
static void split_segments_stay_straight(void **state)
{
	(void)state;
	stage s;
	s.context = test_context(1);
	s.person = person_make(s.context, (person_form){.split_calves = true});
	test_actor_make(&s.a, &s.person);
	s.moved = test_moved_at_rest(&s.a);
	s.leg = s.a.actor.leg[0].limb;
	s.hip = s.moved.joint[s.leg.upper];
	const uint32_t second = (uint32_t)ossa_rig_bone(s.person.rig, "calf_02_L");
	const ossai_vec3 goal = ossai_madd(s.hip, 0.6, ossai_unit(ossai_v3(0, -1, 0.2), s.hip));
	reach(&s, goal);
	assert_near_vec3(s.moved.joint[s.leg.end], goal, 1e-9);
	assert_near_vec3(s.moved.joint[second], ossai_lerp(s.moved.joint[s.leg.lower], goal, 0.5), 1e-9);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_end_gets_to_the_goal),
		cmocka_unit_test(what_is_reached_stays),
		cmocka_unit_test(straight_limbs_bend_ahead),
		cmocka_unit_test(wrong_bends_are_turned_over),
		cmocka_unit_test(goals_out_of_reach_are_approached),
		cmocka_unit_test(split_segments_stay_straight),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
