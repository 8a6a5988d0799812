/* tests/import/test_limits_table.c: joint limits from a table: written by ossa, written by
   people, and invalid. */
#include "support/rich_rig.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#define HEAD "name,limit_x_min,limit_x_max,limit_y_min,limit_y_max,limit_z_min,limit_z_max\n"

typedef struct rigged {
	ossa_context *context;
	ossa_rig *rig;
} rigged;

static rigged begin(void)
{
	rigged r = {.context = test_context(1)};
	assert_ok(r.context, test_rich_rig(r.context, 1000, 4, 4, &r.rig));
	for (size_t b = 0; b < r.rig->skeleton.bone_count; b++) {
		r.rig->skeleton.bones[b].has_limits = false;
		memset(r.rig->skeleton.bones[b].limits, 0, sizeof r.rig->skeleton.bones[b].limits);
	}
	return r;
}

static void end(rigged *r)
{
	ossa_rig_free(r->context, r->rig);
	test_context_end(r->context);
}

/* read and set */
static ossa_status take(rigged *r, const char *path)
{
	ossa_limits *limits;
	ossa_status status = ossa_read_limits(r->context, path, &limits);
	if (status == OSSA_OK) status = ossa_rig_set_limits(r->context, r->rig, limits);
	else assert_null(limits);
	ossa_limits_free(r->context, limits);
	return status;
}

static void what_ossa_wrote_comes_back(void **state)
{
	(void)state;
	rigged r = begin(), other = begin();
	assert_ok(r.context, ossa_rig_find_limits(r.context, r.rig, 3.5));
	const char *path = test_path("a.skeleton.csv");
	const ossa_write_options options = ossa_write_default();
	assert_ok(r.context, ossa_write_rig(r.context, r.rig, path, &options));
	assert_ok(other.context, take(&other, path));
	assert_no_warnings(other.context);
	for (size_t b = 0; b < r.rig->skeleton.bone_count; b++) {
		assert_true(other.rig->skeleton.bones[b].has_limits);
		assert_memory_equal(
			r.rig->skeleton.bones[b].limits, other.rig->skeleton.bones[b].limits, sizeof r.rig->skeleton.bones[b].limits);
	}
	assert_ok(other.context, ossa_rig_validate(other.context, other.rig));
	end(&r);
	end(&other);
}

static void people_write_a_few_rows_in_any_order_of_columns(void **state)
{
	(void)state;
	rigged r = begin();
	char text[1024];
	snprintf(text, sizeof text,
		"limit_z_max, limit_z_min ,limit_y_max,limit_y_min,limit_x_max,limit_x_min,note,\"name\"\r\n"
		"6,-5,4,-3,2,-1,mine,%s\r\n\r\n,,,,,,none,%s\r\n1,0,1,0,1,0,who,nobody\r\n",
		r.rig->skeleton.bones[1].name, r.rig->skeleton.bones[2].name);
	assert_ok(r.context, take(&r, test_file("own.csv", text, 0)));
	const double expected[3][2] = {{-1, 2}, {-3, 4}, {-5, 6}};
	assert_true(r.rig->skeleton.bones[1].has_limits);
	assert_memory_equal(r.rig->skeleton.bones[1].limits, expected, sizeof expected);
	assert_false(r.rig->skeleton.bones[0].has_limits);
	assert_false(r.rig->skeleton.bones[2].has_limits);
	assert_int_equal(test_warned(r.context, "limits-unmatched"), 1);
	assert_non_null(strstr(test_warning_text(r.context, "limits-unmatched"), "nobody"));
	end(&r);
}

static void what_is_wrong_is_reported_with_its_line(void **state)
{
	(void)state;
	rigged r = begin();
	const char *name = r.rig->skeleton.bones[1].name;
	const struct {
		const char *row, *words;
	} wrong[] = {
		{"-1,1,-1,1,-1,far", "wrong.csv:2: a limit is not a number"},
		{"-1,1,-1,1,-1,nan", "wrong.csv:2: a limit is not a number"},
		{"-1,1,-1,1,-1", "wrong.csv:2: a limit is not a number"},
		{"5,9,-1,1,-1,1", "the least at most 0"},
		{"-1,1,-1,1,-1,361", "from -360 to 360"},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		char text[512];
		snprintf(text, sizeof text, HEAD "%s,%s\n", name, wrong[i].row);
		assert_fails(r.context, take(&r, test_file("wrong.csv", text, 0)), OSSA_ERROR_INPUT, wrong[i].words);
	}
	const char *texts[] = {"", "name\n", "a,b\x00,c\n", HEAD};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		const char *path = test_file("none.csv", texts[i][0] ? texts[i] : "\n", 0);
		assert_fails(r.context, take(&r, path), OSSA_ERROR_INPUT, "none.csv");
	}
	assert_fails(r.context, take(&r, test_file("nobody.csv", HEAD "nobody,0,1,0,1,0,1\n", 0)), OSSA_ERROR_INPUT,
		"nobody.csv:2: the rig has no bone nobody");
	assert_fails(r.context, take(&r, test_path("absent.csv")), OSSA_ERROR_READ, "absent.csv");
	static const char zero[] = HEAD "b,0,1,0,1,0,1\n\0z,0,1,0,1,0,1\n";
	assert_fails(
		r.context, take(&r, test_file("zero.csv", zero, sizeof zero - 1)), OSSA_ERROR_INPUT, "line 3: holds a zero byte");
	end(&r);
}

/* which was meant is unknown; the error names the first repeated one, not the first by name. Rows
   without limits are ignored */
static void a_bone_has_one_row(void **state)
{
	(void)state;
	rigged r = begin();
	const char *path = test_file(
		"twice.csv", HEAD "b,0,1,0,1,0,1\nz,0,1,0,1,0,1\nz,,,,,,\n\nz,0,1,0,1,0,1\nb,0,1,0,1,0,1\n", 0);
	assert_fails(r.context, take(&r, path), OSSA_ERROR_INPUT, "twice.csv:6: the limits of z are on line 3, too");
	end(&r);
}

/* the table of a rig whose joints nothing is known of: all names are there, and no limit is */
static void a_table_without_limits_says_so(void **state)
{
	(void)state;
	rigged r = begin();
	const char *path = test_path("still.skeleton.csv");
	ossa_clip_free(r.context, r.rig->clip);
	r.rig->clip = NULL;
	assert_ok(r.context, ossa_write_rig(r.context, r.rig, path, NULL));
	assert_fails(r.context, take(&r, path), OSSA_ERROR_INPUT, "no row holds limits");
	end(&r);
}

static ossa_status sweep_body(ossa_context *context, void *path)
{
	ossa_limits *limits;
	const ossa_status status = ossa_read_limits(context, path, &limits);
	ossa_limits_free(context, limits);
	return status;
}

static void memory_may_fail_anywhere(void **state)
{
	(void)state;
	char text[4096] = HEAD;
	for (int i = 0; i < 40; i++) snprintf(text + strlen(text), sizeof text - strlen(text), "bone_%d,0,1,0,1,0,1\n", i);
	char path[512];
	snprintf(path, sizeof path, "%s", test_file("many.csv", text, 0));
	assert_true(test_allocation_sweep(sweep_body, path, SIZE_MAX, 1) > 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_ossa_wrote_comes_back),
		cmocka_unit_test(people_write_a_few_rows_in_any_order_of_columns),
		cmocka_unit_test(what_is_wrong_is_reported_with_its_line), cmocka_unit_test(a_bone_has_one_row),
		cmocka_unit_test(a_table_without_limits_says_so), cmocka_unit_test(memory_may_fail_anywhere)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
