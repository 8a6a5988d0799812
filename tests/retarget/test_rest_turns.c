/* tests/retarget/test_rest_turns.c: exact T and A of a body that stands bent, facing anywhere. */
#include <ossa/rest_pose.h>

#include "support/bent_body.h"
#include "support/still.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

static double lowest(const ossa_rig *rig, ossai_vec3 up)
{
	double least = INFINITY;
	for (size_t v = 0; v < rig->mesh->vertex_count; v++)
		least = fmin(least, ossai_dot(ossai_v3_of_float(rig->mesh->positions + 3 * v), up));
	return least;
}

static void limbs_are_exact_facing_anywhere(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int i = 0; i < 32; i++) {
		const test_body_axes axes = test_body_facing(45.0 * (i % 8) + 3, i % 16 >= 8);
		const int pose = i < 16 ? OSSA_REST_T : OSSA_REST_A;
		ossa_rig *rig = test_bent_body(context, &axes);
		const double ground = lowest(rig, axes.up);
		assert_ok(context, ossa_rig_set_rest_pose(context, rig, pose));
		assert_ok(context, ossa_rig_validate(context, rig));
		test_assert_limbs(rig, &axes, pose);
		assert_near(lowest(rig, axes.up), ground, 1e-6);
		ossa_rig_free(context, rig);
	}
	assert_no_warnings(context);
	test_context_end(context);
}

/* half a degree off an axis, as joints found from a shape are; two are meant */
static void arms_are_on_an_axis_that_the_body_faces(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int i = 0; i < 8; i++) {
		const test_body_axes axes = test_body_facing(90.0 * i, i >= 4), near = test_body_facing(90.0 * i + 0.5, i >= 4);
		const test_body_axes far = test_body_facing(90.0 * i + 2, i >= 4);
		ossa_rig *rig = test_bent_body(context, &near), *other = test_bent_body(context, &far);
		assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_T));
		assert_ok(context, ossa_rig_set_rest_pose(context, other, OSSA_REST_T));
		test_assert_limbs(rig, &axes, OSSA_REST_T);
		test_assert_limbs(other, &far, OSSA_REST_T);
		ossa_rig_free(context, rig);
		ossa_rig_free(context, other);
	}
	test_context_end(context);
}

/* what has no goal turns with its parent: thumbs with hands; trunk and feet as the hips, so not */
static void other_bones_turn_with_their_parents(void **state)
{
	(void)state;
	static const char *const still[] = {
		"hips", "spine", "neck", "head", "clavicle_L", "clavicle_R", "foot_L", "foot_R", "toes_L"};
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(90, false);
	ossa_rig *before = test_bent_body(context, &axes), *rig = test_bent_body(context, &axes);
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_T));
	for (size_t i = 0; i < sizeof still / sizeof still[0]; i++)
		assert_near(ossai_quat_angle(test_turn_since(rig, before, still[i])), 0, 1e-9);
	const ossai_quat hand = test_turn_since(rig, before, "hand_L"), thumb = test_turn_since(rig, before, "thumb_01_L");
	assert_near(fabs(ossai_quat_dot(hand, thumb)), 1, 1e-12);
	assert_true(ossai_quat_angle(hand) > 0.5);
	ossa_rig_free(context, before);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a bone of the trunk that is the child of a thigh, as trees from motion may have it */
static void the_trunk_does_not_turn_with_a_leg(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	ossa_rig *rigs[2];
	for (int i = 0; i < 2; i++) {
		rigs[i] = test_bent_body(context, &axes);
		ossa_bone *bone = &rigs[i]->skeleton.bones[ossa_rig_bone(rigs[i], "toes_L")];
		bone->parent = ossa_rig_bone(rigs[i], "thigh_L");
		bone->role = (ossa_role){OSSA_PART_SPINE, 0, 2, 0};
	}
	assert_ok(context, ossa_rig_set_rest_pose(context, rigs[1], OSSA_REST_T));
	assert_near(ossai_quat_angle(test_turn_since(rigs[1], rigs[0], "toes_L")), 0, 1e-12);
	const ossai_vec3 lift = ossai_sub(test_joint(rigs[1], "hips"), test_joint(rigs[0], "hips"));
	const ossai_vec3 moved = ossai_sub(test_joint(rigs[1], "toes_L"), test_joint(rigs[0], "toes_L"));
	assert_near_vec3(moved, lift, 1e-12);
	for (int i = 0; i < 2; i++) ossa_rig_free(context, rigs[i]);
	test_context_end(context);
}

/* each turn is the smallest beyond that of the parent */
static void bones_do_not_twist(void **state)
{
	(void)state;
	static const char *const chain[] = {"clavicle_L", "upperarm_L", "lowerarm_L", "hand_L", "middle_01_L", "middle_02_L"};
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	ossa_rig *before = test_bent_body(context, &axes), *rig = test_bent_body(context, &axes);
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_A));
	for (size_t i = 1; i + 1 < 6; i++) {
		const ossai_quat above = test_turn_since(rig, before, chain[i - 1]), own = test_turn_since(rig, before, chain[i]);
		const ossai_mat3 r = ossai_quat_matrix(above);
		const ossai_vec3 carried = ossai_mat3_mul_v(&r, test_bone_direction(before, chain[i], chain[i + 1]));
		const double bend = acos(fmin(1, ossai_dot(carried, test_bone_direction(rig, chain[i], chain[i + 1]))));
		assert_near(ossai_quat_angle(ossai_quat_mul(own, ossai_quat_conjugate(above))), bend, 1e-7);
	}
	ossa_rig_free(context, before);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void without_legs_the_arms_are_posed(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(180, false);
	ossa_rig *rig = test_bent_body_without(context, &axes, OSSA_PART_UPPER_LEG, OSSA_PART_TOES);
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_T));
	assert_near_vec3(test_bone_direction(rig, "upperarm_R", "hand_R"), ossai_scale(axes.left, -1), 1e-9);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* arms whose names say the other side than the legs' */
static void arms_stay_on_their_side(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	ossa_rig *rig = test_bent_body(context, &axes);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		ossa_role *role = &rig->skeleton.bones[b].role;
		if (role->part >= OSSA_PART_CLAVICLE && role->part <= OSSA_PART_LITTLE) role->side = -role->side;
	}
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_A));
	test_assert_limbs(rig, &axes, OSSA_REST_A);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* an arm of one bone points with its tail; one that has a forearm on the other side lacks it */
static void limbs_of_one_bone_are_posed(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	ossa_rig *rig = test_bent_body_without(context, &axes, OSSA_PART_LOWER_ARM, OSSA_PART_LITTLE);
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_T));
	const ossa_bone *arm = test_bone(rig, "upperarm_R");
	const ossai_vec3 along = ossai_sub(ossai_v3_of(arm->tail), ossai_v3_of(arm->joint));
	assert_near_vec3(ossai_unit(along, axes.up), ossai_v3(-1, 0, 0), 1e-9);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(limbs_are_exact_facing_anywhere),
		cmocka_unit_test(arms_are_on_an_axis_that_the_body_faces), cmocka_unit_test(other_bones_turn_with_their_parents),
		cmocka_unit_test(the_trunk_does_not_turn_with_a_leg), cmocka_unit_test(bones_do_not_twist),
		cmocka_unit_test(without_legs_the_arms_are_posed), cmocka_unit_test(arms_stay_on_their_side),
		cmocka_unit_test(limbs_of_one_bone_are_posed)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
