/* tests/conventions/test_bone_words.c: names as files have them, and patterns that they follow. */
#include "conventions/bone_words.h"
#include "support/named_bones.h"

#include <string.h>

static const char *const left_right[2] = {"Left", "Right"};

static void assert_word(const char *tree, const char *bone, const char *text)
{
	named_bones made;
	ossai_bone_word words[NAMED_BONES_MAX];
	named_bones_of(&made, tree);
	ossai_bone_words_of(&made.skeleton, words);
	assert_string_equal(words[named_bone(&made, bone)].text, text);
}

static void what_all_names_have(void **state)
{
	(void)state;
	/* more than half; what is not prefixed stays */
	assert_word("root(rig_Hips(rig_Spine(rig_Head)))", "rig_Spine", "Spine");
	assert_word("root(rig_Hips(rig_Spine(rig_Head)))", "root", "root");
	/* half is not enough */
	assert_word("a(b(rig_Hips(rig_Spine)))", "rig_Spine", "rig_Spine");
	/* several words are one prefix */
	assert_word("A_b_Hips(A_b_Spine(A_c_Hair))", "A_b_Spine", "Spine");
	/* what is left would be a number, or a side would be lost */
	assert_word("tail_01(tail_02(tail_03))", "tail_02", "tail");
	assert_word("l_arm(l_hand(l_foot))", "l_hand", "l_hand");
	assert_word("x_left_arm(x_left_hand)", "x_left_hand", "left_hand");
}

static void numbers_that_count(void **state)
{
	(void)state;
	assert_word("Hips_01(Spine_02(Head_03))", "Spine_02", "Spine");
	/* the same number twice is a part of the name */
	assert_word("spine_01(index_01(head))", "spine_01", "spine_01");
	/* so it is where few have one */
	assert_word("hips(spine_01(spine_02(neck(head))))", "spine_02", "spine_02");
}

static void medial_bones(void **state)
{
	(void)state;
	assert_word("C_Hips(L_Arm,R_Arm)", "C_Hips", "Hips");
	assert_word("Chest(Mouth)", "Chest", "Chest");
}

static void assert_match(const char *name, const char *pattern, ossai_match expected, int side)
{
	int found = 9;
	const ossai_bone_word word = ossai_bone_word_of(name);
	assert_int_equal(ossai_bone_word_match(&word, pattern, left_right, &found), expected);
	if (expected != OSSAI_MATCH_NONE) assert_int_equal(found, side);
}

static void patterns(void **state)
{
	(void)state;
	assert_match("LeftArm", "*Arm", OSSAI_MATCH_EXACT, 1);
	assert_match("rightArm", "*Arm", OSSAI_MATCH_LIKE, -1);
	assert_match("R_arm", "*Arm", OSSAI_MATCH_LIKE, -1);
	assert_match("LeftForeArm", "*Arm", OSSAI_MATCH_NONE, 0);
	assert_match("Arm", "*Arm", OSSAI_MATCH_NONE, 0);
	assert_match("Spine", "Spine#", OSSAI_MATCH_EXACT, 0);
	assert_match("Spine12", "Spine#", OSSAI_MATCH_EXACT, 0);
	assert_match("Spine1a", "Spine#", OSSAI_MATCH_NONE, 0);
	assert_match("upper_arm_Left", "upper_arm.*", OSSAI_MATCH_EXACT, 1);
	assert_match("upperarm_Left", "upper_arm.*", OSSAI_MATCH_LIKE, 1);
	assert_match("", "Spine#", OSSAI_MATCH_NONE, 0);
}

static void prefixes(void **state)
{
	(void)state;
	const ossai_bone_word mixamo = ossai_bone_word_of("mixamorig12_Hips"), bare = ossai_bone_word_of("mixamorigHips");
	const ossai_bone_word none = ossai_bone_word_of("Hips"), alone = ossai_bone_word_of("mixamorig");
	assert_string_equal(ossai_bone_word_without(&mixamo, "mixamorig#_").text, "Hips");
	assert_string_equal(ossai_bone_word_without(&bare, "mixamorig#_").text, "Hips");
	assert_string_equal(ossai_bone_word_without(&none, "mixamorig#_").text, "Hips");
	assert_string_equal(ossai_bone_word_without(&alone, "mixamorig#_").text, "mixamorig");
	assert_string_equal(ossai_bone_word_without(&mixamo, "").text, "mixamorig12_Hips");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_all_names_have),
		cmocka_unit_test(numbers_that_count),
		cmocka_unit_test(medial_bones),
		cmocka_unit_test(patterns),
		cmocka_unit_test(prefixes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
