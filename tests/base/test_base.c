/* tests/base/test_base.c: the context: counted and limited memory, ranges that do not depend on
   the number of threads, options. */
#include "base/context.h"
#include "support/support.h"
#include <ossa/options.h>

#include <stdio.h>
#include <string.h>

static void memory_is_counted(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	int *block = ossa_alloc(context, 10, sizeof *block);
	assert_non_null(block);
	assert_int_equal(block[9], 0);
	assert_int_equal(ossa_context_bytes(context), 10 * sizeof *block);
	ossa_free(context, block);
	assert_int_equal(ossa_context_bytes(context), 0);
	assert_int_equal(ossa_context_peak_bytes(context), 10 * sizeof *block);
	assert_null(ossa_alloc(context, SIZE_MAX / 2, 8));
	assert_int_equal(ossa_context_error(context)->status, OSSA_ERROR_LIMIT);
	test_context_end(context);
}

static void memory_limit_holds(void **state)
{
	(void)state;
	ossa_context_options options = ossa_context_default();
	options.memory_limit = 1000;
	ossa_context *context;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	void *block = ossa_alloc(context, 900, 1);
	assert_non_null(block);
	assert_null(ossa_alloc(context, 200, 1));
	assert_fails(context, ossa_context_error(context)->status, OSSA_ERROR_LIMIT, "memory limit of 1000 bytes");
	ossa_free(context, block);
	test_context_end(context);
}

typedef struct sum_job {
	double parts[64];
} sum_job;

static void sum_range(void *arg, size_t begin, size_t end)
{
	sum_job *job = arg;
	double sum = 0;
	for (size_t i = begin; i < end; i++) sum += 1.0 / (double)(i + 1);
	job->parts[begin / 100] = sum;
}

static void ranges_do_not_depend_on_threads(void **state)
{
	(void)state;
	sum_job results[3];
	memset(results, 0, sizeof results);
	const int threads[] = {1, 2, 8};
	for (int i = 0; i < 3; i++) {
		ossa_context *context = test_context(threads[i]);
		ossai_parallel_for(context, 6350, 100, sum_range, &results[i]);
		test_context_end(context);
	}
	assert_memory_equal(&results[0], &results[1], sizeof results[0]);
	assert_memory_equal(&results[0], &results[2], sizeof results[0]);
	assert_true(results[0].parts[63] > 0);
}

typedef struct toy_options {
	int count;
	double size;
	bool on;
	int mode;
} toy_options;

static void options_are_set_and_checked(void **state)
{
	(void)state;
	const ossa_option fields[] = {
		{"count", OSSA_OPTION_INT, offsetof(toy_options, count), 1, 9, "", "", "", ""},
		{"size", OSSA_OPTION_DOUBLE, offsetof(toy_options, size), 0, 1, "m", "", "", ""},
		{"on", OSSA_OPTION_BOOL, offsetof(toy_options, on), 0, 1, "", "", "", ""},
		{"mode", OSSA_OPTION_CHOICE, offsetof(toy_options, mode), 0, 0, "", "slow|fast", "", ""},
	};
	toy_options options = {1, 0.5, false, 0};
	const ossa_option_table table = {"toy", fields, 4, &options, .size = sizeof options};
	ossa_context *context = test_context(1);
	assert_ok(context, ossa_option_set(context, &table, &options, "count", "7"));
	assert_ok(context, ossa_option_set(context, &table, &options, "on", ""));
	assert_ok(context, ossa_option_set(context, &table, &options, "mode", "fast"));
	assert_int_equal(options.count, 7);
	assert_true(options.on);
	assert_int_equal(options.mode, 1);
	assert_fails(context, ossa_option_set(context, &table, &options, "count", "7.5"), OSSA_ERROR_ARGUMENT, "from 1 to 9");
	assert_fails(context, ossa_option_set(context, &table, &options, "size", "nan"), OSSA_ERROR_ARGUMENT, "from 0 to 1 m");
	assert_fails(context, ossa_option_set(context, &table, &options, "mode", "fas"), OSSA_ERROR_ARGUMENT, "slow|fast");
	assert_ok(context, ossa_options_check(context, &table, &options));
	options.size = 2;
	assert_fails(context, ossa_options_check(context, &table, &options), OSSA_ERROR_ARGUMENT, "`size`");
	char text[32];
	ossa_option_print(&fields[3], &options, text, sizeof text);
	assert_string_equal(text, "fast");
	test_context_end(context);
}

static void warnings_are_counted(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_warn(context, "zero-area", 2, "first at face %d", 4);
	ossai_warn(context, "zero-area", 3, "first at face %d", 9);
	assert_int_equal(ossa_context_warning_count(context), 1);
	assert_int_equal(ossa_context_warning(context, 0)->count, 5);
	assert_string_equal(ossa_context_warning(context, 0)->message, "first at face 4");
	assert_string_equal(ossa_context_warning(context, 0)->counted, "");
	/* some say what is counted */
	ossai_warn(context, "loose-vertices", 1, "first at vertex 0");
	assert_string_equal(ossa_context_warning(context, 1)->counted, "vertex");
	ossai_warn(context, "loose-vertices", 1, "first at vertex 8");
	assert_string_equal(ossa_context_warning(context, 1)->counted, "vertices");
	test_context_end(context);
}

/* each file has its own sentence, until there are too many of them */
static void warnings_name_their_files(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int i = 0; i < 9; i++) {
		char file[16];
		snprintf(file, sizeof file, "%d.obj", i);
		ossai_warn(context, "zero-area", 2, "%s: face %d", file, i);
		ossai_warn(context, "zero-area", 1, "%s, line %d: another", file, i);
	}
	assert_int_equal(ossa_context_warning_count(context), 4);
	for (size_t i = 0; i < 3; i++) assert_int_equal(ossa_context_warning(context, i)->count, 3);
	assert_string_equal(ossa_context_warning(context, 2)->message, "2.obj: face 2");
	assert_int_equal(ossa_context_warning(context, 3)->count, 18);
	assert_string_equal(ossa_context_warning(context, 3)->message, "several more files, first 3.obj: face 3");
	ossai_warn(context, "other", INT64_MAX, "%s: much", "0.obj");
	ossai_warn(context, "other", 1, "%s: much", "0.obj");
	assert_true(ossa_context_warning(context, 4)->count == INT64_MAX);
	test_context_end(context);
}

/* of several things alike the first is named, and how many others have the same */
static void warnings_say_what_they_are_about(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int i = 1; i <= 3; i++) {
		ossai_warn_about(context, "piece_%d", i);
		ossai_warn(context, "odd", 2, "%d edges", 5 + i);
		ossai_warn(context, "odd", 1, "again");
		if (i == 2) ossai_warn(context, "rare", 1, "once");
		if (i == 1) assert_string_equal(test_warning_text(context, "odd"), "piece_1: 6 edges");
	}
	ossai_warn_about(context, NULL);
	ossai_warn(context, "odd", 1, "of the whole");
	ossai_warn(context, "plain", 1, "of the whole");
	assert_string_equal(test_warning_text(context, "odd"), "piece_1 and 2 more: 6 edges");
	assert_int_equal(test_warned(context, "odd"), 10);
	assert_string_equal(test_warning_text(context, "rare"), "piece_2: once");
	assert_string_equal(test_warning_text(context, "plain"), "of the whole");
	test_context_end(context);
}

static void what_is_read_again_is_counted_once(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int i = 0; i < 3; i++) {
		ossai_reading_begin(context);
		ossai_warn(context, "zero-area", 2, "%s, line %d: bad", "a.dae", 4);
		ossai_warn(context, "zero-area", 3, "%s, line %d: bad", "a.dae", 9);
		for (int k = 0; k < 6; k++) ossai_warn(context, "odd", 1, "%s: odd", (const char *[]){"1", "2", "3", "4", "5", "6"}[k]);
		ossai_warn(context, "crossed", 7, "polygon %d", 4);
	}
	assert_int_equal(ossa_context_warning(context, 0)->count, 5);
	assert_int_equal(ossa_context_warning(context, 3)->count, 1);
	assert_int_equal(ossa_context_warning(context, 4)->count, 3);
	assert_int_equal(ossa_context_warning(context, 5)->count, 7);
	/* another mesh */
	ossai_reading_begin(context);
	ossai_warn(context, "crossed", 2, "polygon %d", 5);
	assert_int_equal(ossa_context_warning(context, 5)->count, 9);
	test_context_end(context);
}

/* of work that is tried the warnings since then go, but for those that are asked for */
static void warnings_of_some_codes_are_kept(void **state)
{
	(void)state;
	static const char *const kept[] = {"late", "never", "early"};
	ossa_context *context = test_context(0);
	ossai_warn(context, "early", 1, "before");
	ossai_warnings *saved = ossai_warnings_save(context);
	assert_non_null(saved);
	ossai_warn(context, "early", 1, "again");
	ossai_warn(context, "noise", 1, "while it was tried");
	ossai_warn(context, "late", 3, "this matters");
	ossai_warn(context, "noise-2", 1, "and that does not");
	ossai_warnings_restore_but(context, saved, sizeof kept / sizeof kept[0], kept);
	assert_int_equal(ossa_context_warning_count(context), 2);
	assert_string_equal(ossa_context_warning(context, 0)->message, "before");
	assert_int_equal(ossa_context_warning(context, 0)->count, 1);
	assert_string_equal(ossa_context_warning(context, 1)->message, "this matters");
	/* it counts on */
	ossai_warn(context, "late", 2, "more");
	assert_int_equal(ossa_context_warning(context, 1)->count, 5);
	ossai_warnings_restore(context, saved);
	assert_int_equal(ossa_context_warning_count(context), 1);
	/* the other way round */
	ossai_warn(context, "noise", 1, "of the work");
	ossai_warn(context, "early", 1, "again");
	ossai_warn(context, "late", 1, "more");
	ossai_warnings_restore_these(context, saved, sizeof kept / sizeof kept[0], kept);
	assert_int_equal(ossa_context_warning_count(context), 2);
	assert_int_equal(ossa_context_warning(context, 0)->count, 1);
	assert_string_equal(ossa_context_warning(context, 1)->message, "of the work");
	ossa_free(context, saved);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_counted),
		cmocka_unit_test(memory_limit_holds),
		cmocka_unit_test(ranges_do_not_depend_on_threads),
		cmocka_unit_test(options_are_set_and_checked),
		cmocka_unit_test(warnings_are_counted),
		cmocka_unit_test(warnings_name_their_files),
		cmocka_unit_test(warnings_say_what_they_are_about),
		cmocka_unit_test(what_is_read_again_is_counted_once),
		cmocka_unit_test(warnings_of_some_codes_are_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
