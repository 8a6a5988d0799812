/* tests/retarget/test_feet.c: feet at their places, on the ground. */
#include "retarget/feet.h"

#include "support/actors.h"

/* two people; the target's pose is that of the source's one frame */
typedef struct stage {
	ossa_context *context;
	person target, source;
	test_actor own, other;
	ossai_legs legs;
	ossai_moved moved;
	double worlds[12 * ACTOR_BONES];
} stage;

static void begin(stage *s, person_form form)
{
	s->context = test_context(1);
	s->source = person_make(s->context, (person_form){0});
	s->target = person_make(s->context, form);
	test_actor_make(&s->own, &s->target);
	test_actor_make(&s->other, &s->source);
	assert_ok(s->context, ossai_find_legs(&s->own.arena, &s->own.actor, &s->other.actor, &s->legs));
	s->moved = test_moved_at_rest(&s->own);
	ossa_rig_joint_matrices(s->source.rig, NULL, 0, s->worlds);
	/* they are one above the other where both stand at rest */
	ossai_add_step(&s->legs, &s->moved, s->worlds);
	ossai_find_stride(&s->legs);
}

static void end(stage *s)
{
	test_actor_end(&s->other);
	test_actor_end(&s->own);
	person_end(&s->target);
	person_end(&s->source);
	test_context_end(s->context);
}

/* moves all of the source */
static void shift_source(stage *s, double x, double y, double z)
{
	for (size_t b = 0; b < s->source.rig->skeleton.bone_count; b++) {
		s->worlds[12 * b + 3] += x;
		s->worlds[12 * b + 7] += y;
		s->worlds[12 * b + 11] += z;
	}
}

static void place(stage *s)
{
	ossai_vec3 turns[OSSAI_ACTOR_LEGS];
	ossai_moved_place(&s->moved, ossai_place_hips(&s->legs, &s->moved, s->worlds));
	ossai_level_feet(&s->legs, &s->moved, s->worlds, turns);
	ossai_moved_place(&s->moved, ossai_place_hips(&s->legs, &s->moved, s->worlds));
	ossai_place_feet(&s->legs, &s->moved, s->worlds, turns);
}

static double lowest(stage *s)
{
	ossa_clip *clip;
	assert_ok(s->context, ossa_clip_create(s->context, 1, s->target.rig->skeleton.bone_count, s->moved.has_slides, &clip));
	ossai_moved_store(&s->moved, 0, clip);
	const double low = person_lowest(&s->target, clip, ossai_v3(0, 1, 0)) - s->own.actor.ground;
	ossa_clip_free(s->context, clip);
	return low;
}

/* who stands at rest stands at rest, here and elsewhere */
static void standing_stays_standing(void **state)
{
	static const person_form forms[] = {{0}, {.thigh = 0.6}, {.calf = 1.5}, {.foot = 2}};
	(void)state;
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		stage s;
		begin(&s, forms[i]);
		place(&s);
		for (size_t b = 0; b < s.target.rig->skeleton.bone_count; b++)
			assert_near_vec3(s.moved.joint[b], ossai_v3_of(s.target.rig->skeleton.bones[b].joint), 1e-6);
		shift_source(&s, 2, 0, -1);
		place(&s);
		const ossai_vec3 offset = ossai_scale(ossai_v3(2, 0, -1), s.legs.stride);
		for (size_t b = 0; b < s.target.rig->skeleton.bone_count; b++) {
			const ossai_vec3 rest = ossai_v3_of(s.target.rig->skeleton.bones[b].joint);
			assert_near_vec3(s.moved.joint[b], ossai_add(rest, offset), 1e-6);
		}
		assert_near(lowest(&s), 0, 1e-6);
		end(&s);
	}
}

/* the deeper the source sinks the deeper the target, but never more than 0.5 % of its height: just
   above and just below that */
static void nobody_sinks(void **state)
{
	static const double depths[] = {0.001, 0.0087, 0.0088, 0.02, 0.1, 0.5};
	(void)state;
	for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
		stage s;
		begin(&s, (person_form){0});
		shift_source(&s, 0, -depths[i], 0);
		place(&s);
		assert_near(lowest(&s), -fmin(depths[i], 0.005 * s.own.actor.height), 1e-5);
		end(&s);
	}
}

/* the left leg of both kicks ahead */
static ossai_mat3 kick_left(stage *s)
{
	const ossai_quat kick = ossai_quat_axis_angle(ossai_v3(1, 0, 0), -80 * OSSAI_PI / 180);
	const ossai_mat3 turn = ossai_quat_matrix(kick);
	const ossai_vec3 hip = person_joint(&s->source, NULL, 0, PERSON_THIGH, 0);
	for (int part = PERSON_THIGH; part < PERSON_PARTS; part++) {
		const uint32_t bone = s->source.bone[part][0];
		const ossai_vec3 at = ossai_sub(ossai_v3_of(s->source.rig->skeleton.bones[bone].joint), hip);
		ossai_rigid world = {.r = turn, .t = ossai_add(hip, ossai_mat3_mul_v(&turn, at))};
		const ossai_mat3 rest = ossai_quat_matrix(ossai_quat_of(s->source.rig->skeleton.bones[bone].orientation));
		world.r = ossai_mat3_mul(&turn, &rest);
		ossai_rigid_store(&world, s->worlds + 12 * bone);
		s->moved.turn[s->target.bone[part][0]] = kick;
	}
	return turn;
}

/* thigh and calf of the left leg as at rest, turned */
static void assert_left_leg(const stage *s, const ossai_mat3 *turn)
{
	static const person_part parts[] = {PERSON_THIGH, PERSON_CALF, PERSON_FOOT};
	for (int i = 0; i < 2; i++) {
		const ossai_vec3 own = ossai_sub(
			s->moved.joint[s->target.bone[parts[i + 1]][0]], s->moved.joint[s->target.bone[parts[i]][0]]);
		const ossai_vec3 rest = ossai_sub(
			person_joint(&s->target, NULL, 0, parts[i + 1], 0), person_joint(&s->target, NULL, 0, parts[i], 0));
		assert_near_vec3(own, ossai_mat3_mul_v(turn, rest), 1e-3);
	}
}

/* a foot that is high keeps its direction from the hip, whatever the proportions */
static void feet_in_the_air_are_free(void **state)
{
	(void)state;
	stage s;
	begin(&s, (person_form){.calf = 1.3});
	const ossai_mat3 turn = kick_left(&s);
	place(&s);
	assert_left_leg(&s, &turn);
	/* the other foot stands */
	assert_near(s.moved.joint[s.target.bone[PERSON_FOOT][1]].y, person_joint(&s.target, NULL, 0, PERSON_FOOT, 1).y, 1e-4);
	end(&s);
}

/* the other foot stands far away, so that the body has to come down: what is in the air comes with
   it */
static void feet_in_the_air_go_with_the_body(void **state)
{
	(void)state;
	stage s;
	begin(&s, (person_form){0});
	const ossai_mat3 turn = kick_left(&s);
	for (int part = PERSON_FOOT; part <= PERSON_TOES; part++) s.worlds[12 * s.source.bone[part][1] + 11] -= 0.4;
	place(&s);
	const double fallen = s.moved.joint[s.moved.hips].y - person_joint(&s.target, NULL, 0, PERSON_HIPS, 0).y;
	assert_true(fallen < -0.05);
	assert_near(s.moved.joint[s.target.bone[PERSON_FOOT][1]].z, person_joint(&s.target, NULL, 0, PERSON_FOOT, 1).z - 0.4, 1e-3);
	assert_left_leg(&s, &turn);
	end(&s);
}

/* toes that point into the ground are lifted out of it */
static void toes_come_out_of_the_ground(void **state)
{
	(void)state;
	stage s;
	begin(&s, (person_form){.foot = 1.5});
	const ossai_quat point = ossai_quat_axis_angle(ossai_v3(1, 0, 0), 30 * OSSAI_PI / 180);
	for (int side = 0; side < 2; side++) {
		s.moved.turn[s.target.bone[PERSON_FOOT][side]] = point;
		s.moved.turn[s.target.bone[PERSON_TOES][side]] = point;
	}
	place(&s);
	assert_true(lowest(&s) > -1e-5);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(standing_stays_standing),
		cmocka_unit_test(nobody_sinks),
		cmocka_unit_test(feet_in_the_air_are_free),
		cmocka_unit_test(feet_in_the_air_go_with_the_body),
		cmocka_unit_test(toes_come_out_of_the_ground),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
