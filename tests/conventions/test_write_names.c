/* tests/conventions/test_write_names.c: the names that other programs give the bones of a body. */
#include "conventions/find_roles.h"
#include "conventions/write_names.h"
#include "support/named_bones.h"

#include <stdio.h>
#include <string.h>

static const char *const human =
	"pelvis(spine_01(spine_02(spine_03(neck(head),clavicle_L(upperarm_L(upperarm_twist_01_L,lowerarm_L(hand_L(thumb_01_L("
	"thumb_02_L(thumb_03_L)),index_01_L(index_02_L)))))))),thigh_L(calf_L(foot_L(toe_L))),tail_01)";

/* what the bones of a tree are called by a style: "old new" pairs */
static void check(ossa_bone_names style, const char *tree, int64_t unnamed, const char *const (*pairs)[2])
{
	ossa_context *context = test_context(1);
	named_bones made, before;
	named_bones_of(&made, tree);
	named_bones_of(&before, tree);
	assert_ok(context, ossai_write_names(context, &made.skeleton, ossai_convention_of_style(style)));
	for (size_t i = 0; pairs[i][0]; i++) assert_string_equal(made.bones[named_bone(&before, pairs[i][0])].name, pairs[i][1]);
	assert_int_equal(test_warned(context, "unnamed-bones"), unnamed);
	test_context_end(context);
}

static void every_style(void **state)
{
	(void)state;
	check(OSSA_NAMES_MIXAMO, human, 2,
		(const char *const[][2]){{"pelvis", "mixamorig_Hips"}, {"spine_01", "mixamorig_Spine"},
			{"spine_03", "mixamorig_Spine2"}, {"neck", "mixamorig_Neck"}, {"clavicle_L", "mixamorig_LeftShoulder"},
			{"lowerarm_L", "mixamorig_LeftForeArm"}, {"thumb_02_L", "mixamorig_LeftHandThumb2"},
			{"calf_L", "mixamorig_LeftLeg"}, {"toe_L", "mixamorig_LeftToeBase"}, {"tail_01", "tail_01"},
			{"upperarm_twist_01_L", "upperarm_twist_01_L"}, {NULL, NULL}});
	check(OSSA_NAMES_UNREAL, human, 1,
		(const char *const[][2]){{"pelvis", "pelvis"}, {"spine_03", "spine_03"}, {"neck", "neck_01"}, {"head", "head"},
			{"clavicle_L", "clavicle_l"}, {"toe_L", "ball_l"}, {"index_02_L", "index_02_l"},
			{"upperarm_twist_01_L", "upperarm_twist_01_l"}, {NULL, NULL}});
	check(OSSA_NAMES_VRM, human, 2,
		(const char *const[][2]){{"pelvis", "hips"}, {"spine_01", "spine"}, {"spine_02", "chest"}, {"spine_03", "upperChest"},
			{"thumb_01_L", "leftThumbMetacarpal"}, {"thumb_02_L", "leftThumbProximal"}, {"index_01_L", "leftIndexProximal"},
			{"thigh_L", "leftUpperLeg"}, {"toe_L", "leftToes"}, {NULL, NULL}});
	check(OSSA_NAMES_UNITY, human, 2,
		(const char *const[][2]){{"spine_03", "UpperChest"}, {"thumb_01_L", "LeftThumbProximal"},
			{"thumb_02_L", "LeftThumbIntermediate"}, {"index_02_L", "LeftIndexIntermediate"}, {NULL, NULL}});
	check(OSSA_NAMES_GODOT, human, 2,
		(const char *const[][2]){{"thumb_01_L", "LeftThumbMetacarpal"}, {"thumb_03_L", "LeftThumbDistal"},
			{"lowerarm_L", "LeftLowerArm"}, {NULL, NULL}});
	check(OSSA_NAMES_RIGIFY, human, 2,
		(const char *const[][2]){{"pelvis", "DEF-spine"}, {"spine_01", "DEF-spine_001"}, {"spine_03", "DEF-spine_003"},
			{"neck", "DEF-spine_004"}, {"head", "DEF-spine_006"}, {"upperarm_L", "DEF-upper_arm_L"},
			{"thumb_01_L", "DEF-thumb_01_L"}, {"index_02_L", "DEF-f_index_02_L"}, {"calf_L", "DEF-shin_L"}, {NULL, NULL}});
}

static const char *spines(int count, char *tree, size_t size)
{
	size_t used = (size_t)snprintf(tree, size, "pelvis(");
	for (int i = 1; i <= count; i++) used += (size_t)snprintf(tree + used, size - used, "spine_%02d(", i);
	used += (size_t)snprintf(tree + used, size - used, "neck_01(neck_02(head))");
	for (int i = 0; i <= count; i++) used += (size_t)snprintf(tree + used, size - used, ")");
	return tree;
}

/* one to five bones: the first, the middle one and the last have names */
static void spines_of_other_lengths(void **state)
{
	(void)state;
	char tree[256];
	check(OSSA_NAMES_VRM, spines(1, tree, sizeof tree), 1, (const char *const[][2]){{"spine_01", "spine"}, {NULL, NULL}});
	check(OSSA_NAMES_VRM, spines(2, tree, sizeof tree), 1,
		(const char *const[][2]){{"spine_01", "spine"}, {"spine_02", "chest"}, {NULL, NULL}});
	check(OSSA_NAMES_VRM, spines(4, tree, sizeof tree), 2,
		(const char *const[][2]){{"spine_01", "spine"}, {"spine_02", "spine_02"}, {"spine_03", "chest"},
			{"spine_04", "upperChest"}, {"neck_01", "neck"}, {"neck_02", "neck_02"}, {NULL, NULL}});
	check(OSSA_NAMES_UNREAL, spines(5, tree, sizeof tree), 0,
		(const char *const[][2]){{"spine_05", "spine_05"}, {"neck_02", "neck_02"}, {NULL, NULL}});
	check(OSSA_NAMES_RIGIFY, spines(5, tree, sizeof tree), 0,
		(const char *const[][2]){
			{"spine_05", "DEF-spine_005"}, {"neck_01", "DEF-spine_006"}, {"head", "DEF-spine_008"}, {NULL, NULL}});
	check(OSSA_NAMES_MIXAMO, spines(1, tree, sizeof tree), 0,
		(const char *const[][2]){{"spine_01", "mixamorig_Spine"}, {"neck_02", "mixamorig_Neck1"}, {NULL, NULL}});
}

/* segments that are split have names in Rigify alone */
static void split_segments(void **state)
{
	(void)state;
	check(OSSA_NAMES_RIGIFY, "pelvis(thigh_01_L(thigh_02_L(calf_L)))", 0,
		(const char *const[][2]){{"thigh_01_L", "DEF-thigh_L"}, {"thigh_02_L", "DEF-thigh_L_001"}, {NULL, NULL}});
	check(OSSA_NAMES_VRM, "pelvis(thigh_01_L(thigh_02_L(calf_L)))", 1,
		(const char *const[][2]){{"thigh_01_L", "leftUpperLeg"}, {"thigh_02_L", "thigh_02_L"}, {NULL, NULL}});
}

/* from one program's names to another's */
static void names_of_others(void **state)
{
	(void)state;
	check(OSSA_NAMES_UNREAL,
		"mixamorig:Hips(mixamorig:Spine(mixamorig:LeftArm(mixamorig:LeftForeArm)),mixamorig:LeftUpLeg(mixamorig:LeftLeg))", 0,
		(const char *const[][2]){
			{"mixamorig_Hips", "pelvis"}, {"mixamorig_LeftArm", "upperarm_l"}, {"mixamorig_LeftLeg", "calf_l"}, {NULL, NULL}});
}

/* a bone of no part that is called like one gets a number */
static void names_that_are_taken(void **state)
{
	(void)state;
	check(OSSA_NAMES_UNITY, "Hips(pelvis(spine_01(upperarm_L(lowerarm_L)),thigh_L(calf_L)))", 1,
		(const char *const[][2]){{"Hips", "Hips_2"}, {"pelvis", "Hips"}, {NULL, NULL}});
}

/* bones of animals have no names in conventions of humans */
static void a_dog(void **state)
{
	(void)state;
	check(OSSA_NAMES_VRM, "pelvis(spine_01(upperleg_front_L(lowerleg_front_L)),upperleg_back_L(lowerleg_back_L),tail_01)", 5,
		(const char *const[][2]){{"pelvis", "hips"}, {"upperleg_front_L", "upperleg_front_L"}, {NULL, NULL}});
}

static void what_is_no_convention(void **state)
{
	(void)state;
	assert_null(ossai_convention_of_style(OSSA_NAMES_BODY));
	assert_null(ossai_convention_of_style(OSSA_NAMES_NUMBERS));
	assert_null(ossai_convention_of_style((ossa_bone_names)99));
	assert_null(ossai_convention_of_name("klingon"));
}

static void missing_parts(void **state)
{
	(void)state;
	ossa_role role[2] = {{.part = OSSA_PART_HIPS}, {.part = OSSA_PART_SPINE, .number = 1}};
	int side;
	assert_int_equal(ossai_missing_part(role, 2, &side), OSSA_PART_HEAD);
	assert_int_equal(ossai_missing_part(role, 1, &side), OSSA_PART_SPINE);
	assert_int_equal(side, 0);
}

static ossa_status write_once(ossa_context *context, void *unused)
{
	named_bones made;
	(void)unused;
	named_bones_of(&made, human);
	const ossa_status status = ossai_write_names(context, &made.skeleton, ossai_convention_of_name("vrm"));
	assert_string_equal(made.bones[0].name, status == OSSA_OK ? "hips" : "pelvis");
	return status;
}

static void no_memory(void **state)
{
	(void)state;
	assert_true(test_allocation_sweep(write_once, NULL, 64, 1) > 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_style),
		cmocka_unit_test(spines_of_other_lengths),
		cmocka_unit_test(split_segments),
		cmocka_unit_test(names_of_others),
		cmocka_unit_test(names_that_are_taken),
		cmocka_unit_test(a_dog),
		cmocka_unit_test(what_is_no_convention),
		cmocka_unit_test(missing_parts),
		cmocka_unit_test(no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
