/* tests/conventions/test_find_roles.c: roles that are kept, of names, of the tree; bad input. */
#include "conventions/find_roles.h"
#include "support/named_bones.h"

#include <stdio.h>
#include <string.h>

static ossai_roles_source find(const named_bones *made, ossa_role *role)
{
	ossa_context *context = test_context(1);
	ossai_roles_source source;
	assert_ok(context, ossai_find_roles(context, &made->skeleton, role, &source));
	test_context_end(context);
	return source;
}

static void kept(void **state)
{
	(void)state;
	named_bones made;
	ossa_role role[NAMED_BONES_MAX];
	char text[64];
	named_bones_of(&made, "Hips(Head)");
	made.bones[1].role = (ossa_role){.part = OSSA_PART_TAIL, .number = 1};
	const ossai_roles_source source = find(&made, role);
	assert_int_equal(source.origin, OSSAI_ROLES_KEPT);
	assert_int_equal(source.matched, 1);
	assert_role_of(&made, role, "Hips", "");
	assert_role_of(&made, role, "Head", "tail 1");
	assert_string_equal(ossai_roles_source_print(&source, text, sizeof text), "the rig's own roles");
}

static void of_names(void **state)
{
	(void)state;
	named_bones made;
	ossa_role role[NAMED_BONES_MAX];
	char text[64];
	named_bones_of(&made,
		"Hips(Spine(LeftArm(LeftForeArm),RightArm(RightForeArm)),LeftUpLeg(LeftLeg(LeftFoot)),RightUpLeg(RightLeg(RightFoot))"
		")");
	const ossai_roles_source source = find(&made, role);
	assert_int_equal(source.origin, OSSAI_ROLES_NAMES);
	assert_string_equal(source.convention->name, "mixamo");
	assert_int_equal(source.matched, 12);
	assert_int_equal(source.kind, OSSA_BODY_HUMAN);
	assert_string_equal(ossai_roles_source_print(&source, text, sizeof text), "names of Mixamo, HumanIK and MotionBuilder");
}

/* a fox whose front legs are called arms */
static void arms_of_an_animal(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		double at[3];
	} joints[] = {{"Hips", {0, 1, -1}}, {"Spine", {0, 1, 0}}, {"LeftArm", {0.2, 0.9, 1}}, {"LeftForeArm", {0.2, 0.5, 1}},
		{"LeftHand", {0.2, 0.1, 1}}, {"RightArm", {-0.2, 0.9, 1}}, {"RightForeArm", {-0.2, 0.5, 1}},
		{"RightHand", {-0.2, 0.1, 1}}, {"LeftUpLeg", {0.2, 0.9, -1}}, {"LeftLeg", {0.2, 0.5, -1}}, {"LeftFoot", {0.2, 0.1, -1}},
		{"RightUpLeg", {-0.2, 0.9, -1}}, {"RightLeg", {-0.2, 0.5, -1}}, {"RightFoot", {-0.2, 0.1, -1}}};
	named_bones made;
	ossa_role role[NAMED_BONES_MAX];
	named_bones_of(&made,
		"Hips(Spine(LeftArm(LeftForeArm(LeftHand)),RightArm(RightForeArm(RightHand))),LeftUpLeg(LeftLeg(LeftFoot)),RightUpLeg("
		"RightLeg(RightFoot)))");
	for (size_t i = 0; i < sizeof joints / sizeof joints[0]; i++)
		place_bone(&made, joints[i].name, ossai_v3_of(joints[i].at), ossai_v3_of(joints[i].at));
	assert_int_equal(find(&made, role).kind, OSSA_BODY_QUADRUPED);
	assert_role_of(&made, role, "LeftArm", "left upperleg_front");
	assert_role_of(&made, role, "RightFoot", "right foot_back");
}

/* of 200 fingers those that have names of fingers are some */
static void two_hundred_fingers(void **state)
{
	(void)state;
	char tree[NAMED_BONES_MAX * 20] = "Hips(LeftHand(";
	named_bones made;
	ossa_role role[NAMED_BONES_MAX];
	for (int i = 1; i <= 200; i++) {
		char name[24];
		snprintf(name, sizeof name, "LeftHandIndex%d%s", i, i < 200 ? "," : "))");
		strcat(tree, name);
	}
	named_bones_of(&made, tree);
	assert_int_equal(find(&made, role).matched, 5);
	assert_role_of(&made, role, "LeftHandIndex3", "left index 3");
	assert_role_of(&made, role, "LeftHandIndex4", "");
}

static void nothing_to_find(void **state)
{
	(void)state;
	named_bones made;
	ossa_role role[NAMED_BONES_MAX];
	char text[64];
	named_bones_of(&made, "root(a,b)");
	const ossai_roles_source source = find(&made, role);
	assert_int_equal(source.origin, OSSAI_ROLES_NONE);
	assert_int_equal(source.matched, 0);
	assert_string_equal(ossai_roles_source_print(&source, text, sizeof text), "nothing");
	named_bones_of(&made, "Hips(Spine(Head))");
	assert_int_equal(find(&made, role).matched, 3);
}

static ossa_status find_once(ossa_context *context, void *made)
{
	ossa_role role[NAMED_BONES_MAX];
	return ossai_find_roles(context, &((named_bones *)made)->skeleton, role, NULL);
}

static void no_memory(void **state)
{
	(void)state;
	named_bones made;
	named_bones_of(&made, "Hips(Spine(Head))");
	assert_true(test_allocation_sweep(find_once, &made, 64, 1) > 4);
}

/* legs and a head or an arm are enough to follow, but not to be known as a human; wings are no
   arms */
static void parts_of_a_human(void **state)
{
	(void)state;
	static const char legs[] = "LeftUpLeg(LeftLeg(LeftFoot)),RightUpLeg(RightLeg(RightFoot))";
	static const struct {
		const char *trunk, *legs;
		ossa_body_kind partial;
	} cases[] = {{"Spine(Head)", legs, OSSA_BODY_HUMAN}, {"Spine(LeftArm(LeftForeArm(LeftHand)))", legs, OSSA_BODY_HUMAN},
		{"Spine", legs, OSSA_BODY_NONE}, {"Spine(Head)", "LeftUpLeg(LeftLeg),RightUpLeg(RightLeg)", OSSA_BODY_NONE},
		{"Spine(Head)", "LeftUpLeg(LeftLeg(LeftFoot))", OSSA_BODY_NONE}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		named_bones made;
		ossa_role role[NAMED_BONES_MAX];
		char tree[256];
		snprintf(tree, sizeof tree, "Hips(%s,%s)", cases[i].trunk, cases[i].legs);
		named_bones_of(&made, tree);
		assert_int_equal(find(&made, role).kind, OSSA_BODY_NONE);
		assert_int_equal(ossai_partial_kind_of_roles(role, made.skeleton.bone_count), cases[i].partial);
		if (cases[i].partial == OSSA_BODY_NONE) continue;
		/* the spine */
		role[1].part = OSSA_PART_WING;
		assert_int_equal(ossai_partial_kind_of_roles(role, made.skeleton.bone_count), OSSA_BODY_NONE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kept),
		cmocka_unit_test(of_names),
		cmocka_unit_test(arms_of_an_animal),
		cmocka_unit_test(parts_of_a_human),
		cmocka_unit_test(two_hundred_fingers),
		cmocka_unit_test(nothing_to_find),
		cmocka_unit_test(no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
