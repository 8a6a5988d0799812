/* tests/retarget/test_name_pairs.c: bones of the same name. */
#include "retarget/name_pairs.h"

#include "support/named_bones.h"

/* expected: the counterpart of each bone by index, -1: none */
static void check(const char *tree, const char *source_tree, const int *expected)
{
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	named_bones own, other;
	uint32_t counterpart[NAMED_BONES_MAX];
	size_t count = 0, expected_count = 0;
	named_bones_of(&own, tree);
	named_bones_of(&other, source_tree);
	assert_ok(context, ossai_pair_names(&arena, &own.skeleton, &other.skeleton, counterpart, &count));
	for (size_t b = 0; b < own.skeleton.bone_count; b++) {
		assert_int_equal(counterpart[b], expected[b] < 0 ? OSSA_NONE : (uint32_t)expected[b]);
		expected_count += expected[b] >= 0;
	}
	assert_int_equal(count, expected_count);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void equal_names_pair(void **state)
{
	(void)state;
	check("a(b(c),d)", "a(d,c(b))", (int[]){0, 3, 2, 1});
	check("a(b)", "c(d)", (int[]){-1, -1});
}

static void letters_marks_and_zeros_do_not_count(void **state)
{
	(void)state;
	check("Left_Arm(arm_01(bone10))", "leftarm(Arm1(bone.010))", (int[]){0, 1, 2});
	/* but zeros behind another digit do */
	check("a10(a1)", "a1(a100)", (int[]){-1, 0});
}

static void a_prefix_of_all_does_not_count(void **state)
{
	(void)state;
	check("Hips(Spine)", "mixamorig:Hips(mixamorig:Spine)", (int[]){0, 1});
	check("Hips(Spine)", "mixamorig:Hips(other:Spine)", (int[]){-1, -1});
	/* a name must be left */
	check("x_(x_a)", "a(b)", (int[]){-1, -1});
}

/* exact names first; one that several bones have in one of the files pairs none */
static void names_are_taken_once(void **state)
{
	(void)state;
	check("arm(Arm)", "Arm(ARM)", (int[]){-1, 0});
	check("arm(Arm)", "ARM(spine)", (int[]){-1, -1});
	check("arm(spine)", "ARM(Arm)", (int[]){-1, -1});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_names_pair),
		cmocka_unit_test(letters_marks_and_zeros_do_not_count),
		cmocka_unit_test(a_prefix_of_all_does_not_count),
		cmocka_unit_test(names_are_taken_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
