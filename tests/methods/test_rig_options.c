/* tests/methods/test_rig_options.c: the options of all methods in one value, set by name or as
   structs. */
#include "base/options.h"
#include "methods/rig_options.h"
#include "support/support.h"

#include <ossa/ossa.h>

#include <math.h>
#include <string.h>

static void a_name_is_set_wherever_it_is_known(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig_options options = ossa_rig_default();
	assert_ok(context, ossa_method_options_create(context, &options.methods));
	assert_ok(context, ossa_rig_option_set(context, &options, "bones", "24"));
	assert_ok(context, ossa_rig_option_set(context, &options, "bones", "12"));
	assert_ok(context, ossa_rig_option_set(context, &options, "levels", "3"));
	assert_ok(context, ossa_rig_option_set(context, &options, "segments", "9"));
	assert_int_equal(((ossa_examples_options *)ossa_method_options_of(options.methods, "examples"))->bones, 12);
	assert_int_equal(((ossa_sequence_options *)ossa_method_options_of(options.methods, "sequence"))->bones, 12);
	assert_int_equal(((ossa_contraction_options *)ossa_method_options_of(options.methods, "contraction"))->bones, 12);
	const ossa_volume_options *volume = ossa_method_options_of(options.methods, "volume");
	assert_true(volume->bones == 12 && volume->levels == 3 && volume->segments == 9 && options.levels == 3);
	/* each name once, and none that every method has */
	assert_ok(context, ossa_rig_option_set(context, &options, "method", "volume"));
	assert_ok(context, ossa_rig_option_set(context, &options, "names", "numbers"));
	assert_string_equal(options.method, "volume");
	assert_int_equal(options.names, OSSA_NAMES_NUMBERS);
	assert_int_equal(ossai_given_count(&options), 2);
	assert_string_equal(ossai_given_at(&options, 0), "bones");
	assert_string_equal(ossai_given_at(&options, 1), "segments");
	assert_null(ossa_method_options_of(options.methods, "magic"));
	ossa_method_options_free(context, options.methods);
	ossa_method_options_free(context, NULL);
	test_context_end(context);
}

static void wrong_names_and_values_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig_options options = ossa_rig_default();
	assert_fails(
		context, ossa_rig_option_set(context, &options, "bones", "3"), OSSA_ERROR_ARGUMENT, "ossa_method_options_create");
	assert_ok(context, ossa_method_options_create(context, &options.methods));
	assert_fails(context, ossa_rig_option_set(context, &options, "bone", "3"), OSSA_ERROR_ARGUMENT, "`bone`");
	assert_fails(context, ossa_rig_option_set(context, &options, "bones", "many"), OSSA_ERROR_ARGUMENT, "whole number");
	assert_fails(context, ossa_rig_option_set(context, &options, "method", "magic"), OSSA_ERROR_ARGUMENT, "auto|examples");
	assert_int_equal(ossai_given_count(&options), 0);
	assert_string_equal(ossa_rig_option_find("bones")->name, "bones");
	assert_string_equal(ossa_rig_option_find("reference")->name, "reference");
	assert_null(ossa_rig_option_find("bone"));
	ossa_method_options_free(context, options.methods);
	/* a name that no method has, and one without an end */
	options = ossa_rig_default();
	strcpy(options.method, "magic");
	assert_fails(context, ossa_rig_options_check(context, &options), OSSA_ERROR_ARGUMENT, "`method`");
	memset(options.method, 'm', sizeof options.method);
	assert_fails(context, ossa_rig_options_check(context, &options), OSSA_ERROR_ARGUMENT, "`method`");
	test_context_end(context);
}

/* method_options can point to any struct; the cookie identifies it */
static void the_struct_of_another_method_is_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const ossa_contraction_options other = ossa_contraction_default();
	ossa_volume_options own = ossa_volume_default();
	ossa_rig_options options = ossa_rig_default();
	strcpy(options.method, "volume");
	options.method_options = &own;
	assert_ok(context, ossa_rig_options_check(context, &options));
	options.method_options = &other;
	assert_fails(context, ossa_rig_options_check(context, &options), OSSA_ERROR_ARGUMENT,
		"an ossa_contraction_options, and the method is volume: give an ossa_volume_options");
	/* of another version of the headers */
	own.cookie += 8;
	options.method_options = &own;
	assert_fails(context, ossa_rig_options_check(context, &options), OSSA_ERROR_ARGUMENT, "bytes, and in this version");
	own.cookie = 0;
	assert_fails(context, ossa_rig_options_check(context, &options), OSSA_ERROR_ARGUMENT, "ossa_volume_default()");
	/* values are checked too, of all methods where none is named */
	own = ossa_volume_default();
	own.closeness = NAN;
	assert_fails(context, ossa_rig_options_check(context, &options), OSSA_ERROR_ARGUMENT, "`closeness`");
	options = ossa_rig_default();
	assert_ok(context, ossa_method_options_create(context, &options.methods));
	((ossa_volume_options *)ossa_method_options_of(options.methods, "volume"))->influences = -1;
	assert_fails(context, ossa_rig_options_check(context, &options), OSSA_ERROR_ARGUMENT, "`influences`");
	ossa_method_options_free(context, options.methods);
	test_context_end(context);
}

static void no_two_structs_have_a_cookie(void **state)
{
	(void)state;
	const uint32_t cookies[] = {ossa_context_default().cookie, ossa_rig_default().cookie, ossa_examples_default().cookie,
		ossa_sequence_default().cookie, ossa_contraction_default().cookie, ossa_volume_default().cookie,
		ossa_motion_default().cookie, ossa_picture_default().cookie, ossa_read_default().cookie, ossa_write_default().cookie,
		ossa_motion_edit_default(OSSA_MOTION_TURN, 0).cookie};
	for (size_t i = 0; i < sizeof cookies / sizeof cookies[0]; i++) {
		for (size_t k = 0; k < i; k++) assert_false(ossai_cookies_alike(cookies[i], cookies[k]));
	}
}

/* the struct of the method named, else that of the value, else the defaults */
static void a_method_works_by_the_nearest_struct(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const size_t volume = ossai_method_index("volume");
	ossa_rig_options options = ossa_rig_default();
	ossa_volume_options own = ossa_volume_default();
	assert_ptr_equal(ossai_options_of(&options, volume), ossa_volume_option_table()->defaults);
	assert_ok(context, ossa_method_options_create(context, &options.methods));
	void *held = ossa_method_options_of(options.methods, "volume");
	assert_memory_equal(held, ossa_volume_option_table()->defaults, sizeof(ossa_volume_options));
	assert_ptr_equal(ossai_options_of(&options, volume), held);
	options.method_options = &own;
	assert_ptr_equal(ossai_options_of(&options, volume), held);
	strcpy(options.method, "volume");
	assert_ptr_equal(ossai_options_of(&options, volume), &own);
	ossa_method_options_free(context, options.methods);
	test_context_end(context);
}

static ossa_status sweep_create(ossa_context *context, void *unused)
{
	(void)unused;
	ossa_method_options *options;
	const ossa_status status = ossa_method_options_create(context, &options);
	if (status != OSSA_OK) assert_null(options);
	ossa_method_options_free(context, options);
	return status;
}

static void memory_may_fail_anywhere(void **state)
{
	(void)state;
	assert_true(test_allocation_sweep(sweep_create, NULL, 1000, 1) >= 3 + ossa_method_count());
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_name_is_set_wherever_it_is_known),
		cmocka_unit_test(wrong_names_and_values_are_refused), cmocka_unit_test(a_method_works_by_the_nearest_struct),
		cmocka_unit_test(the_struct_of_another_method_is_refused), cmocka_unit_test(no_two_structs_have_a_cookie),
		cmocka_unit_test(memory_may_fail_anywhere)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
