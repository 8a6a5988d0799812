/* tests/skeleton/naming/test_names.c: names by roles and by numbers. */
#include "skeleton/naming/names.h"
#include "support/support.h"

#include <string.h>

enum { MOST = 8 };

typedef struct named_bones {
	ossa_bone bones[MOST];
	ossa_skeleton skeleton;
} named_bones;

static void take_roles(named_bones *n, size_t count, const ossa_role *roles)
{
	memset(n->bones, 0, sizeof n->bones);
	for (size_t b = 0; b < count; b++) n->bones[b].role = roles[b];
	n->skeleton = (ossa_skeleton){count, n->bones};
}

static void check(const named_bones *n, const char *const *names)
{
	for (size_t b = 0; b < n->skeleton.bone_count; b++) assert_string_equal(n->bones[b].name, names[b]);
}

static void bones_without_roles_have_their_numbers(void **state)
{
	(void)state;
	static const ossa_role roles[] = {{OSSA_PART_HIPS, 0, 0, 0}, {OSSA_PART_NONE, 0, 0, 0}, {OSSA_PART_SPINE, 0, 1, 0}};
	named_bones n;
	take_roles(&n, 3, roles);
	ossai_names_by_roles(&n.skeleton);
	check(&n, (const char *const[]){"pelvis", "bone_01", "spine_01"});
	ossai_names_number(&n.skeleton);
	check(&n, (const char *const[]){"root", "bone_01", "bone_02"});
}

/* a spider's legs differ in nothing else */
static void limbs_of_one_side_have_names_of_their_own(void **state)
{
	(void)state;
	static const ossa_role roles[] = {
		{OSSA_PART_BODY, 0, 0, 0}, {OSSA_PART_LEG, 1, 1, 1}, {OSSA_PART_LEG, 1, 1, 2}, {OSSA_PART_LEG, -1, 1, 2}};
	named_bones n;
	take_roles(&n, 4, roles);
	ossai_names_by_roles(&n.skeleton);
	check(&n, (const char *const[]){"body", "leg_1_01_L", "leg_2_01_L", "leg_2_01_R"});
}

static void the_second_bone_of_a_role_has_a_number(void **state)
{
	(void)state;
	static const ossa_role roles[] = {{OSSA_PART_HIPS, 0, 0, 0}, {OSSA_PART_HEAD, 0, 0, 0}, {OSSA_PART_HEAD, 0, 0, 0}};
	named_bones n;
	take_roles(&n, 3, roles);
	ossai_names_by_roles(&n.skeleton);
	check(&n, (const char *const[]){"pelvis", "head", "bone_02"});
}

static void numbers_follow_a_new_order(void **state)
{
	(void)state;
	static const ossa_role none[3];
	named_bones n;
	take_roles(&n, 3, none);
	strcpy(n.bones[0].name, "bone_07");
	strcpy(n.bones[1].name, "head");
	strcpy(n.bones[2].name, "root");
	ossai_names_renumber(&n.skeleton);
	check(&n, (const char *const[]){"root", "head", "bone_02"});
	assert_true(ossai_name_is_number("bone_02") && ossai_name_is_number("root") && !ossai_name_is_number("head"));
}

static void sides_are_at_the_end_of_names(void **state)
{
	(void)state;
	static const ossa_role none[2];
	named_bones n;
	take_roles(&n, 2, none);
	strcpy(n.bones[0].name, "_Left");
	strcpy(n.bones[1].name, "R");
	assert_false(ossai_names_have_sides(&n.skeleton));
	strcpy(n.bones[1].name, "hand_R");
	assert_true(ossai_names_have_sides(&n.skeleton));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bones_without_roles_have_their_numbers),
		cmocka_unit_test(limbs_of_one_side_have_names_of_their_own),
		cmocka_unit_test(the_second_bone_of_a_role_has_a_number),
		cmocka_unit_test(numbers_follow_a_new_order),
		cmocka_unit_test(sides_are_at_the_end_of_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
