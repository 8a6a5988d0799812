/* tests/methods/test_motion_warnings.c: warnings about frames and about motion that is not
   reproduced, just below and just above each threshold. */
#include "methods/motion_warnings.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static bool warns_of_size(double ratio)
{
	ossa_context *context = test_context(1);
	ossai_warn_of_size(context, 2, NULL, ratio);
	const bool warns = test_warned(context, "pose-size") > 0;
	if (warns) assert_non_null(strstr(test_warning_text(context, "pose-size"), "pose 3 is"));
	test_context_end(context);
	return warns;
}

static void frames_of_another_size_are_named(void **state)
{
	(void)state;
	assert_false(warns_of_size(1));
	assert_false(warns_of_size(1.4999) || warns_of_size(1 / 1.4999));
	assert_true(warns_of_size(1.5001) && warns_of_size(1 / 1.5001));
}

/* how many of two bones do not explain their skin, by the warning */
static int64_t count_unexplained(double first, double second)
{
	ossa_context *context = test_context(1);
	ossa_bone bones[2] = {{.name = "one"}, {.name = "two"}};
	const ossa_rig rig = {.skeleton = {.bone_count = 2, .bones = bones}};
	const double rms[2] = {first, second};
	ossai_warn_of_unexplained(context, &rig, rms);
	const int64_t count = test_warned(context, "unexplained");
	if (count > 0) assert_non_null(strstr(test_warning_text(context, "unexplained"), first > second ? "at one" : "at two"));
	test_context_end(context);
	return count;
}

static void bones_with_large_errors_are_named(void **state)
{
	(void)state;
	assert_int_equal(count_unexplained(0.9999, 0.9999), 0);
	assert_int_equal(count_unexplained(1.0001, 0.9999), 1);
	assert_int_equal(count_unexplained(1.0001, 1.0002), 2);
	assert_int_equal(count_unexplained(NAN, 1.0001), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_of_another_size_are_named),
		cmocka_unit_test(bones_with_large_errors_are_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
