/* tests/methods/test_option_groups.c: the headings of option tables: each option has one, and
   none names an unknown option. */
#include "support/support.h"

#include <string.h>

/* how often a name is among names joined by '|' */
static int times_in(const char *names, const char *name)
{
	int times = 0;
	for (const char *at = names; *at; at += strcspn(at, "|"), at += *at == '|') {
		const size_t length = strcspn(at, "|");
		times += length == strlen(name) && strncmp(at, name, length) == 0;
	}
	return times;
}

static size_t count_of(const char *names)
{
	size_t count = names[0] != 0;
	for (; *names; names++) count += *names == '|';
	return count;
}

static void check_table(const ossa_option_table *table)
{
	size_t named = 0;
	assert_non_null(table->groups);
	for (const ossa_option_group *group = table->groups; group->title; group++) {
		named += count_of(group->common) + count_of(group->other);
	}
	for (size_t i = 0; i < table->count; i++) {
		const char *name = table->options[i].name;
		int times = 0;
		for (const ossa_option_group *group = table->groups; group->title; group++) {
			times += times_in(group->common, name) + times_in(group->other, name);
		}
		if (times != 1) fail_msg("%s: --%s stands under %d headings", table->name, name, times);
	}
	/* each option once, and as many names as options: none of them is of a removed option */
	if (named != table->count) fail_msg("%s: %zu names for %zu options", table->name, named, table->count);
}

static void every_option_stands_under_one_heading(void **state)
{
	(void)state;
	check_table(ossa_rig_option_table());
	check_table(ossa_examples_option_table());
	check_table(ossa_sequence_option_table());
	check_table(ossa_contraction_option_table());
	check_table(ossa_volume_option_table());
	check_table(ossa_read_option_table());
	check_table(ossa_write_option_table());
	check_table(ossa_picture_option_table());
}

static void groups_are_found_by_options(void **state)
{
	(void)state;
	const ossa_option_group *groups = ossa_contraction_option_table()->groups;
	bool is_common = false;
	assert_string_equal(ossa_option_group_find(groups, "bones", &is_common)->title, "Skeleton");
	assert_true(is_common);
	assert_string_equal(ossa_option_group_find(groups, "pull", &is_common)->title, "Method");
	assert_false(is_common);
	assert_string_equal(ossa_option_group_find(groups, "power", NULL)->title, "Weights");
	/* neither a part of a name nor an empty one is one */
	assert_null(ossa_option_group_find(groups, "bone", NULL));
	assert_null(ossa_option_group_find(groups, "", NULL));
	assert_null(ossa_option_group_find(NULL, "bones", NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_option_stands_under_one_heading),
		cmocka_unit_test(groups_are_found_by_options),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
