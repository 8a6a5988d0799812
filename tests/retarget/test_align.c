/* tests/retarget/test_align.c: how one rest pose turns to another. */
#include "retarget/align.h"

#include "support/actors.h"

enum { MOST = ACTOR_BONES };

typedef struct pair {
	person person[2];
	test_actor a[2];
	ossai_quat there[MOST], back[MOST];
} pair;

static double degrees_of(ossai_quat q) { return 2 * atan2(ossai_length(ossai_v3(q.x, q.y, q.z)), fabs(q.w)) * 180 / OSSAI_PI; }

static void align(pair *p)
{
	for (int i = 0; i < 2; i++) test_actor_make(&p->a[i], &p->person[i]);
	ossai_align_rests(&p->a[0].actor, &p->a[1].actor, p->there);
	ossai_align_rests(&p->a[1].actor, &p->a[0].actor, p->back);
}

static void end(pair *p)
{
	for (int i = 0; i < 2; i++) {
		test_actor_end(&p->a[i]);
		person_end(&p->person[i]);
	}
}

static ossai_vec3 direction_of(const person *p, person_part from, person_part to, int side)
{
	const ossai_vec3 offset = ossai_sub(person_joint(p, NULL, 0, to, side), person_joint(p, NULL, 0, from, side));
	return ossai_unit(offset, offset);
}

/* limbs get the other's directions, whatever these are; and back is the inverse */
static void limbs_turn_to_the_other(void **state)
{
	static const person_part limbs[][2] = {{PERSON_UPPER_ARM, PERSON_LOWER_ARM}, {PERSON_LOWER_ARM, PERSON_HAND},
		{PERSON_THIGH, PERSON_CALF}, {PERSON_CALF, PERSON_FOOT}};
	(void)state;
	ossa_context *context = test_context(1);
	for (int i = 0; i < 12; i++) {
		pair p;
		for (int k = 0; k < 2; k++) p.person[k] = person_make(context, (person_form){.spines = 1 + k});
		person_bend(&p.person[i % 2], PERSON_UPPER_ARM, 0, ossai_v3(0, 0, 1), 15 * i - 60);
		person_bend(&p.person[i % 2], PERSON_LOWER_ARM, 1, ossai_v3(0, 1, 0), 10 * i);
		person_bend(&p.person[0], PERSON_THIGH, 1, ossai_v3(1, 0, 0), -5 * i);
		person_bend(&p.person[1], PERSON_CALF, 0, ossai_v3(1, 0, 0), 7 * i);
		align(&p);
		for (int k = 0; k < 8; k++) {
			const person_part from = limbs[k / 2][0], to = limbs[k / 2][1];
			const ossai_mat3 turn = ossai_quat_matrix(p.there[p.person[0].bone[from][k % 2]]);
			assert_near_vec3(ossai_mat3_mul_v(&turn, direction_of(&p.person[0], from, to, k % 2)),
				direction_of(&p.person[1], from, to, k % 2), 1e-9);
		}
		for (int part = 0; part < PERSON_PARTS; part++) {
			for (int side = 0; side < 2; side++) {
				const uint32_t own = p.person[0].bone[part][side], other = p.person[1].bone[part][side];
				if (own == OSSA_NONE || other == OSSA_NONE) continue;
				assert_near(degrees_of(ossai_quat_mul(p.there[own], p.back[other])), 0, 1e-6);
			}
		}
		end(&p);
	}
	test_context_end(context);
}

/* the smallest rotation does not twist: its axis is perpendicular to both directions */
static void limbs_do_not_twist(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	pair p;
	for (int k = 0; k < 2; k++) p.person[k] = person_make(context, (person_form){0});
	person_bend(&p.person[0], PERSON_UPPER_ARM, 0, ossai_v3(0, 0, 1), 46);
	align(&p);
	const ossai_quat turn = p.there[p.person[0].bone[PERSON_UPPER_ARM][0]];
	const ossai_vec3 axis = ossai_unit(ossai_v3(turn.x, turn.y, turn.z), ossai_v3(1, 0, 0));
	assert_near(ossai_dot(axis, direction_of(&p.person[0], PERSON_UPPER_ARM, PERSON_LOWER_ARM, 0)), 0, 1e-9);
	assert_near(ossai_dot(axis, direction_of(&p.person[1], PERSON_UPPER_ARM, PERSON_LOWER_ARM, 0)), 0, 1e-9);
	/* the other arm, which is alike, does not turn */
	assert_near(degrees_of(p.there[p.person[0].bone[PERSON_UPPER_ARM][1]]), 0, 1e-9);
	end(&p);
	test_context_end(context);
}

/* density of Rayleigh's distribution */
static double rayleigh(double angle, double deviation)
{
	return angle / (deviation * deviation) * exp(-angle * angle / (2 * deviation * deviation));
}

/* Feet that point elsewhere are of another posture, or only built otherwise: they turn by the share
   of the first, 17 against 37 degrees. Just below the angle at which both are as likely less than
   half, just above it more. */
static void feet_turn_as_far_as_it_is_posture(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const double degree = OSSAI_PI / 180;
	double even = 0;
	while (rayleigh((even + 0.01) * degree, 17 * degree) > rayleigh((even + 0.01) * degree, 37 * degree)) even += 0.01;
	const double angles[] = {0.5, 5, 10, 15, even - 0.1, even + 0.1, 22, 30, 45, 80};
	for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++) {
		const double angle = angles[i], posture = rayleigh(angle * degree, 37 * degree);
		const double share = posture / (posture + rayleigh(angle * degree, 17 * degree));
		pair p;
		for (int k = 0; k < 2; k++) p.person[k] = person_make(context, (person_form){0});
		const ossai_vec3 foot = direction_of(&p.person[0], PERSON_FOOT, PERSON_TOES, 0);
		const ossai_vec3 axis = ossai_unit(ossai_cross(foot, ossai_v3(0, 1, 0)), foot);
		person_bend(&p.person[0], PERSON_FOOT, 0, axis, angle);
		align(&p);
		const double turned = degrees_of(p.there[p.person[0].bone[PERSON_FOOT][0]]);
		assert_near(turned, share * angle, 1e-4);
		if (angle == even - 0.1) assert_true(turned < 0.5 * angle);
		if (angle == even + 0.1) assert_true(turned > 0.5 * angle);
		end(&p);
	}
	test_context_end(context);
}

/* what is ahead for one is ahead for the other; turns are about the same of their own axes */
static void vectors_are_carried_from_frame_to_frame(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const ossai_quat moves[] = {ossai_quat_axis_angle(ossai_v3(1, 0, 0), OSSAI_PI / 2),
		ossai_quat_axis_angle(ossai_v3(0, 1, 0), 1), ossai_quat_axis_angle(ossai_v3(0, 0, 1), -OSSAI_PI / 2)};
	for (int i = 0; i < 3; i++) {
		pair p;
		for (int k = 0; k < 2; k++) p.person[k] = person_make(context, (person_form){0});
		person_move(&p.person[0], 2, moves[i]);
		align(&p);
		const ossai_mat3 turn = ossai_quat_matrix(moves[i]);
		const ossai_vec3 v = ossai_v3(0.1, 0.7, -0.4);
		assert_near_vec3(ossai_carry_vector(&p.a[0].actor, &p.a[1].actor, v), ossai_mat3_mul_v(&turn, v), 1e-9);
		const ossai_quat q = ossai_quat_exp(ossai_v3(0.3, -0.2, 0.9));
		const ossai_quat expected = ossai_quat_mul(moves[i], ossai_quat_mul(q, ossai_quat_conjugate(moves[i])));
		const ossai_quat carried = ossai_carry_turn(&p.a[0].actor, &p.a[1].actor, q);
		assert_near(fabs(ossai_quat_dot(carried, expected)), 1, 1e-9);
		for (size_t b = 0; b < p.person[0].rig->skeleton.bone_count; b++) assert_near(degrees_of(p.there[b]), 0, 1e-5);
		end(&p);
	}
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limbs_turn_to_the_other),
		cmocka_unit_test(limbs_do_not_twist),
		cmocka_unit_test(feet_turn_as_far_as_it_is_posture),
		cmocka_unit_test(vectors_are_carried_from_frame_to_frame),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
