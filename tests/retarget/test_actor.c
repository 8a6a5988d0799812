/* tests/retarget/test_actor.c: a rig as retargeting sees it. */
#include "retarget/actor.h"

#include "conventions/find_roles.h"
#include "support/actors.h"

#include <string.h>

static const double metre = 1;

static void where_it_looks_and_stands(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int i = 0; i < 6; i++) {
		const ossai_quat turn = ossai_quat_mul(
			ossai_quat_axis_angle(ossai_v3(1, 0, 0), i / 3 * OSSAI_PI / 2), ossai_quat_axis_angle(ossai_v3(0, 1, 0), 0.8 * i));
		const ossai_mat3 matrix = ossai_quat_matrix(turn);
		const double scale = i % 2 ? 100 : 1;
		person p = person_make(context, (person_form){0});
		test_actor a;
		person_move(&p, scale, turn);
		test_actor_make(&a, &p);
		assert_near_vec3(a.actor.frame.left, ossai_mat3_mul_v(&matrix, ossai_v3(1, 0, 0)), 1e-6);
		assert_near_vec3(a.actor.frame.up, ossai_mat3_mul_v(&matrix, ossai_v3(0, 1, 0)), 1e-6);
		assert_near_vec3(a.actor.frame.front, ossai_mat3_mul_v(&matrix, ossai_v3(0, 0, 1)), 1e-6);
		assert_true(a.actor.has_ground);
		assert_near(a.actor.ground, person_lowest(&p, NULL, a.actor.frame.up), 1e-6 * scale);
		assert_int_equal(a.actor.leg_count, 2);
		assert_int_equal(a.actor.arm_count, 2);
		assert_int_equal(a.actor.leg[0].limb.upper, p.bone[PERSON_THIGH][0]);
		assert_int_equal(a.actor.leg[1].limb.tip, p.bone[PERSON_TOES][1]);
		assert_int_equal(a.actor.arm[0].lower, p.bone[PERSON_LOWER_ARM][0]);
		const double leg = hypot(0.015, hypot(0.42, 0.015)) + hypot(0.005, hypot(0.41, 0.035));
		assert_near(a.actor.leg_length, scale * leg * metre, 1e-6 * scale);
		assert_near_vec3(a.actor.pelvis, ossai_scale(ossai_mat3_mul_v(&matrix, ossai_v3(0, 0.92, 0)), scale), 1e-6 * scale);
		test_actor_end(&a);
		person_end(&p);
	}
	test_context_end(context);
}

/* soles have the lowest vertex of the foot, however it is turned */
static void soles_touch_first(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	person p = person_make(context, (person_form){.foot = 1.3});
	test_actor a;
	test_actor_make(&a, &p);
	for (int leg = 0; leg < 2; leg++) {
		const ossai_actor_leg *own = &a.actor.leg[leg];
		const uint32_t bones[] = {own->limb.end, own->limb.tip};
		for (int i = 0; i < 200; i++) {
			const ossai_vec3 d = ossai_unit(ossai_v3(sin(i), cos(1.7 * i), sin(0.3 * i)), ossai_v3(1, 0, 0));
			double low[2] = {INFINITY, INFINITY}, sole[2] = {INFINITY, INFINITY};
			for (int k = 0; k < 2; k++) {
				for (size_t v = 8 * bones[k]; v < 8 * (bones[k] + 1); v++)
					low[k] = fmin(low[k], ossai_dot(d, ossai_v3_of_float(p.rig->mesh->positions + 3 * v)));
				for (size_t s = 0; s < own->sole_count; s++) {
					if (own->sole[s].bone == bones[k]) sole[k] = fmin(sole[k], ossai_dot(d, own->sole[s].position));
				}
				assert_near(sole[k], low[k], 1e-6);
			}
		}
		/* each is where it is in its bone's frame */
		for (size_t s = 0; s < own->sole_count; s++) {
			const ossa_bone *bone = &p.rig->skeleton.bones[own->sole[s].bone];
			const ossai_mat3 frame = ossai_quat_matrix(ossai_quat_of(bone->orientation));
			const ossai_vec3 place = ossai_add(ossai_v3_of(bone->joint), ossai_mat3_mul_v(&frame, own->sole[s].local));
			assert_near_vec3(place, own->sole[s].position, 1e-9);
		}
	}
	test_actor_end(&a);
	person_end(&p);
	test_context_end(context);
}

/* names from the viewer's side: the feet tell, and all sides are exchanged */
static void feet_tell_the_sides(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	person p = person_make(context, (person_form){0});
	test_actor a;
	for (size_t b = 0; b < p.rig->skeleton.bone_count; b++) {
		char *name = p.rig->skeleton.bones[b].name, *side = name + strlen(name) - 1;
		if (side > name && side[-1] == '_' && (*side == 'L' || *side == 'R')) *side = *side == 'L' ? 'R' : 'L';
	}
	test_actor_make(&a, &p);
	assert_int_equal(test_warned(context, "sides-exchanged"), 1);
	assert_near_vec3(a.actor.frame.left, ossai_v3(1, 0, 0), 1e-9);
	assert_near_vec3(a.actor.frame.front, ossai_v3(0, 0, 1), 1e-9);
	assert_int_equal(a.actor.leg[0].limb.upper, p.bone[PERSON_THIGH][0]);
	assert_int_equal(a.actor.role[p.bone[PERSON_HAND][0]].side, 1);
	assert_int_equal(a.role[p.bone[PERSON_HAND][0]].side, -1);
	test_actor_end(&a);
	person_end(&p);
	test_context_end(context);
}

static ossa_status find_without(ossa_context *context, person_part part, int side)
{
	person p = person_make(context, (person_form){0});
	ossa_role role[ACTOR_BONES];
	ossai_actor actor;
	ossai_arena arena = ossai_arena_begin(context);
	assert_ok(context, ossai_find_roles(context, &p.rig->skeleton, role, NULL));
	role[p.bone[part][side]].part = OSSA_PART_NONE;
	const ossa_status status = ossai_find_actor(&arena, "person.glb", p.rig, role, &actor);
	ossai_arena_end(&arena);
	person_end(&p);
	return status;
}

static void bodies_need_hips_and_legs(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	assert_fails(
		context, find_without(context, PERSON_HIPS, 0), OSSA_ERROR_INPUT, "person.glb: no bone is known to be the hips");
	assert_fails(context, find_without(context, PERSON_CALF, 1), OSSA_ERROR_INPUT, "thigh, shin and foot");
	assert_fails(context, find_without(context, PERSON_FOOT, 0), OSSA_ERROR_INPUT, "thigh, shin and foot");
	assert_ok(context, find_without(context, PERSON_TOES, 0));
	assert_ok(context, find_without(context, PERSON_HEAD, 0));
	assert_ok(context, find_without(context, PERSON_UPPER_ARM, 0));
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(where_it_looks_and_stands),
		cmocka_unit_test(soles_touch_first),
		cmocka_unit_test(feet_tell_the_sides),
		cmocka_unit_test(bodies_need_hips_and_legs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
