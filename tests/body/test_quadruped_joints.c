/* tests/body/test_quadruped_joints.c: the joints of an animal of boxes, where a rigger would put
   them. */
#include "support/shapes.h"
#include "support/still.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>

/* an animal of boxes with a back 1 high, which faces +Z, its belly at half of that; has_neck: it
   has a neck, a head and a tail */
static ossa_mesh *make_animal(ossa_context *context, double length, bool has_neck, double scale)
{
	test_shape *shape = test_shape_new();
	const double front = length / 2, rear = -front;
	test_shape_box(shape, ossai_v3(-0.16, 0.5, rear), ossai_v3(0.16, 1, front), true);
	if (has_neck) {
		test_shape_box(shape, ossai_v3(-0.07, 0.85, front - 0.1), ossai_v3(0.07, 1.4, front + 0.12), true);
		test_shape_box(shape, ossai_v3(-0.08, 1.25, front - 0.05), ossai_v3(0.08, 1.45, front + 0.45), true);
	}
	if (has_neck) test_shape_box(shape, ossai_v3(-0.02, 0.85, rear - 0.6), ossai_v3(0.02, 0.9, rear + 0.05), true);
	for (int side = -1; side <= 1; side += 2) {
		const double inner = side * 0.05, outer = side * 0.15;
		for (int pair = 0; pair < 2; pair++) {
			const double at = pair == 0 ? rear + 0.02 : front - 0.14;
			test_shape_box(shape, ossai_v3(fmin(inner, outer), 0, at), ossai_v3(fmax(inner, outer), 0.6, at + 0.12), true);
			test_shape_box(shape, ossai_v3(fmin(inner, outer), 0, at), ossai_v3(fmax(inner, outer), 0.07, at + 0.18), true);
		}
	}
	for (size_t i = 0; i < 3 * shape->vertex_count; i++) shape->positions[i] *= (float)scale;
	return test_shape_mesh(context, shape);
}

static ossa_rig *make_rig(ossa_context *context, ossa_mesh *mesh) { return test_body_rig(context, mesh, OSSA_BODY_QUADRUPED); }

static void joints_are_where_riggers_put_them(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		double at[3];
	} expected[] = {{"pelvis", {0, 0.78, -0.42}}, {"spine_01", {0, 0.8, -0.15}}, {"spine_02", {0, 0.85, 0.12}},
		{"neck_01", {0, 0.9, 0.5}}, {"head", {0, 1.35, 0.6}}, {"clavicle_L", {0.1, 0.82, 0.42}},
		{"upperleg_front_L", {0.1, 0.7, 0.45}}, {"lowerleg_front_L", {0.1, 0.5, 0.42}}, {"foot_front_L", {0.1, 0.23, 0.42}},
		{"toe_front_L", {0.1, 0.08, 0.45}}, {"upperleg_back_L", {0.1, 0.75, -0.42}}, {"lowerleg_back_L", {0.1, 0.45, -0.42}},
		{"foot_back_L", {0.1, 0.24, -0.42}}, {"toe_back_L", {0.1, 0.08, -0.4}}, {"tail_01", {0, 0.86, -0.5}}};
	ossa_context *context = test_context(0);
	ossa_rig *rig = make_rig(context, make_animal(context, 1, true, 1));
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
		test_check_joint(rig, expected[i].name, expected[i].at, 0.12);
	/* the head ends 0.95 ahead, the trunk 0.5 behind */
	assert_near(test_bone(rig, "head")->joint[2], 0.6, 0.06);
	assert_near(test_bone(rig, "tail_01")->joint[2], -0.475, 0.018);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* bones in their order from the root: the scapula is a child of the spine, also where the limbs of
   a short trunk meet in one node of the curve */
static void a_short_trunk_has_a_spine(void **state)
{
	(void)state;
	static const char *const parents[][2] = {{"spine_01", "pelvis"}, {"spine_02", "spine_01"}, {"clavicle_L", "spine_02"},
		{"upperleg_front_L", "clavicle_L"}, {"toe_front_R", "foot_front_R"}, {"upperleg_back_R", "pelvis"},
		{"tail_01", "pelvis"}};
	ossa_context *context = test_context(0);
	for (double length = 0.5; length < 1.3; length += 0.35) {
		ossa_rig *rig = make_rig(context, make_animal(context, length, true, 1));
		for (size_t i = 0; i < sizeof parents / sizeof *parents; i++) {
			const ossa_bone *bone = test_bone(rig, parents[i][0]);
			assert_string_equal(rig->skeleton.bones[bone->parent].name, parents[i][1]);
		}
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

static void sides_are_mirror_images(void **state)
{
	(void)state;
	static const char *const names[] = {
		"clavicle", "upperleg_front", "foot_front", "upperleg_back", "lowerleg_back", "toe_back"};
	ossa_context *context = test_context(0);
	ossa_rig *rig = make_rig(context, make_animal(context, 1, true, 1));
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char name[64];
		snprintf(name, sizeof name, "%s_L", names[i]);
		const ossa_bone *left = test_bone(rig, name);
		snprintf(name, sizeof name, "%s_R", names[i]);
		const ossa_bone *right = test_bone(rig, name);
		const ossai_vec3 image = {-right->joint[0], right->joint[1], right->joint[2]};
		assert_near_vec3(ossai_v3_of(left->joint), image, 1e-3);
		assert_near(left->deviation, right->deviation, 0.1 * left->deviation);
		assert_true(left->deviation > 0.02 && left->deviation < 0.25);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void scale_changes_nothing(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *small = make_rig(context, make_animal(context, 1, true, 1)),
			 *large = make_rig(context, make_animal(context, 1, true, 128));
	assert_int_equal(small->skeleton.bone_count, large->skeleton.bone_count);
	for (size_t b = 0; b < small->skeleton.bone_count; b++) {
		const ossa_bone *a = &small->skeleton.bones[b], *c = &large->skeleton.bones[b];
		assert_string_equal(a->name, c->name);
		assert_near_vec3(ossai_scale(ossai_v3_of(c->joint), 1.0 / 128), ossai_v3_of(a->joint), 1e-6);
	}
	ossa_rig_free(context, small);
	ossa_rig_free(context, large);
	test_context_end(context);
}

/* of an animal that shows no head the bones of neck and head lead to what is farthest ahead: which
   end that is its feet say */
static void a_body_without_a_head(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = make_rig(context, make_animal(context, 1, false, 1));
	const ossa_bone *head = test_bone(rig, "head"), *spine = test_bone(rig, "spine_02");
	assert_true(spine->joint[2] > test_bone(rig, "pelvis")->joint[2]);
	assert_true(head->joint[2] > spine->joint[2]);
	assert_near(head->tail[2], 0.5, 0.08);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(joints_are_where_riggers_put_them),
		cmocka_unit_test(a_short_trunk_has_a_spine), cmocka_unit_test(sides_are_mirror_images),
		cmocka_unit_test(scale_changes_nothing), cmocka_unit_test(a_body_without_a_head)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
