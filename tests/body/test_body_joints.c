/* tests/body/test_body_joints.c: the joints of a figure of boxes, where a rigger would put them. */
#include "support/shapes.h"
#include "support/still.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>

static const double HEIGHT = 1.8;

/* a man of boxes, 1.8 high, who faces +Z: legs part at 0.85, a head of a given height (0: neither
   head nor neck), arms that are level */
static ossa_mesh *make_man(ossa_context *context, double head, double scale)
{
	test_shape *shape = test_shape_new();
	const double neck = HEIGHT - (head > 0 ? head : 0.25);
	test_shape_box(shape, ossai_v3(-0.17, 0.85, -0.1), ossai_v3(0.17, neck - 0.08, 0.1), true);
	if (head > 0) {
		test_shape_box(shape, ossai_v3(-0.05, neck - 0.1, -0.05), ossai_v3(0.05, neck + 0.02, 0.05), true);
		test_shape_box(shape, ossai_v3(-0.1, neck, -0.1), ossai_v3(0.1, HEIGHT, 0.1), true);
	}
	for (int side = -1; side <= 1; side += 2) {
		const double inner = side * 0.03, outer = side * 0.16, hand = side * 0.85, chest = side * 0.12;
		test_shape_box(shape, ossai_v3(fmin(inner, outer), 0, -0.07), ossai_v3(fmax(inner, outer), 0.9, 0.06), true);
		test_shape_box(shape, ossai_v3(fmin(inner, outer), 0, -0.07), ossai_v3(fmax(inner, outer), 0.08, 0.2), true);
		test_shape_box(
			shape, ossai_v3(fmin(chest, hand), neck - 0.2, -0.05), ossai_v3(fmax(chest, hand), neck - 0.1, 0.05), true);
	}
	for (size_t i = 0; i < 3 * shape->vertex_count; i++) shape->positions[i] *= (float)scale;
	return test_shape_mesh(context, shape);
}

static void joints_are_where_riggers_put_them(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		double at[3];
	} expected[] = {{"pelvis", {0, 0.92, 0}}, {"neck", {0, 1.48, 0}}, {"head", {0, 1.57, 0}}, {"thigh_L", {0.1, 0.9, 0}},
		{"calf_L", {0.1, 0.48, 0}}, {"foot_L", {0.095, 0.08, 0}}, {"toe_L", {0.095, 0.03, 0.13}},
		{"upperarm_L", {0.19, 1.4, 0}}, {"lowerarm_L", {0.42, 1.4, 0}}, {"hand_L", {0.65, 1.4, 0}}};
	ossa_context *context = test_context(0);
	ossa_rig *rig = test_human_rig(context, make_man(context, 0.25, 1));
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		const ossa_bone *bone = test_bone(rig, expected[i].name);
		const double off = ossai_distance(ossai_v3_of(bone->joint), ossai_v3_of(expected[i].at));
		if (off > 0.035 * HEIGHT) {
			fail_msg("%s is at %.3f %.3f %.3f, %.3f from where it should be", expected[i].name, bone->joint[0], bone->joint[1],
				bone->joint[2], off);
		}
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* the left ones are mirror images of the right ones, and so is how sure they are */
static void sides_are_mirror_images(void **state)
{
	(void)state;
	static const char *const names[] = {"clavicle", "upperarm", "lowerarm", "hand", "thigh", "calf", "foot", "toe"};
	ossa_context *context = test_context(0);
	ossa_rig *rig = test_human_rig(context, make_man(context, 0.25, 1));
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char name[64];
		snprintf(name, sizeof name, "%s_L", names[i]);
		const ossa_bone *left = test_bone(rig, name);
		snprintf(name, sizeof name, "%s_R", names[i]);
		const ossa_bone *right = test_bone(rig, name);
		const ossai_vec3 image = {-right->joint[0], right->joint[1], right->joint[2]};
		assert_near_vec3(ossai_v3_of(left->joint), image, 1e-3 * HEIGHT);
		assert_near(left->deviation, right->deviation, 0.1 * left->deviation);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* each joint of the body says how sure it is: between a hundredth of the height and a sixth */
static void every_joint_says_how_sure_it_is(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = test_human_rig(context, make_man(context, 0.25, 1));
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b];
		if (bone->role.part == OSSA_PART_NONE) continue;
		if (bone->deviation < 0.01 * HEIGHT || bone->deviation > HEIGHT / 6) {
			fail_msg("%s is sure to %.4f", bone->name, bone->deviation);
		}
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void scale_changes_nothing(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *small = test_human_rig(context, make_man(context, 0.25, 1)),
			 *large = test_human_rig(context, make_man(context, 0.25, 128));
	assert_int_equal(small->skeleton.bone_count, large->skeleton.bone_count);
	for (size_t b = 0; b < small->skeleton.bone_count; b++) {
		const ossa_bone *a = &small->skeleton.bones[b], *c = &large->skeleton.bones[b];
		assert_string_equal(a->name, c->name);
		assert_near_vec3(ossai_scale(ossai_v3_of(c->joint), 1.0 / 128), ossai_v3_of(a->joint), 1e-6);
		assert_near(c->deviation / 128, a->deviation, 1e-6);
	}
	ossa_rig_free(context, small);
	ossa_rig_free(context, large);
	test_context_end(context);
}

/* of two figures whose legs part at one height, that with the larger head has a lower neck */
static void the_neck_is_under_the_head(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	for (double head = 0.25; head < 0.51; head += 0.125) {
		ossa_rig *rig = test_human_rig(context, make_man(context, head, 1));
		const double neck = test_bone(rig, "neck")->joint[1], top = test_bone(rig, "head")->joint[1];
		assert_near((neck + top) / 2, HEIGHT - head - 0.03, 0.05);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

/* the head of a figure that shows none is below its highest point */
static void a_figure_without_a_head(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = test_human_rig(context, make_man(context, 0, 1));
	const ossa_bone *head = test_bone(rig, "head");
	assert_true(head->joint[1] > test_bone(rig, "spine_03")->joint[1]);
	assert_near(head->joint[0], 0, 0.02 * HEIGHT);
	assert_near(head->tail[1], HEIGHT - 0.33, 0.05 * HEIGHT);
	assert_near(test_bone(rig, "upperarm_L")->joint[1], 1.4, 0.05 * HEIGHT);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(joints_are_where_riggers_put_them),
		cmocka_unit_test(sides_are_mirror_images), cmocka_unit_test(every_joint_says_how_sure_it_is),
		cmocka_unit_test(scale_changes_nothing), cmocka_unit_test(the_neck_is_under_the_head),
		cmocka_unit_test(a_figure_without_a_head)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
