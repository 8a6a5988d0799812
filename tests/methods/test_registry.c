/* tests/methods/test_registry.c: every method of the registry: its description, found by name,
   with options that can be stored and set. */
#include "methods/registry.h"
#include "support/support.h"

#include <ossa/ossa.h>
#include <ossa/contraction_stages.h>
#include <ossa/volume_stages.h>

#include <ctype.h>
#include <string.h>

/* the names, and that the choices of --method are them */
static void methods_are_found(void **state)
{
	(void)state;
	char choices[256] = "auto";
	assert_true(ossa_method_count() >= 4);
	for (size_t m = 0; m < ossa_method_count(); m++) {
		const ossa_method *method = ossa_method_at(m);
		assert_ptr_equal(ossa_method_find(method->name), method);
		assert_int_equal(ossai_method_index(method->name), m);
		assert_true(strlen(method->name) < OSSA_OPTION_TEXT_SIZE);
		assert_true(strlen(method->name) < sizeof((ossa_rig *)0)->method);
		strcat(strcat(choices, "|"), method->name);
	}
	assert_string_equal(ossa_option_find(ossa_rig_option_table(), "method")->choices, choices);
	assert_null(ossa_method_at(ossa_method_count()));
	assert_null(ossai_method_row_at(ossa_method_count()));
	assert_null(ossa_method_find("auto"));
	assert_null(ossa_method_find("magic"));
	assert_int_equal(ossai_method_index("magic"), ossa_method_count());
	assert_null(ossa_method_find(NULL));
}

static void methods_are_reported(void **state)
{
	(void)state;
	for (size_t m = 0; m < ossa_method_count(); m++) {
		const ossai_method_row *row = ossai_method_row_at(m);
		const ossa_method *method = &row->method;
		assert_true(method->title[0] && method->source[0] && row->make != NULL);
		assert_true(islower((unsigned char)method->help[0]) && method->help[strlen(method->help) - 1] != '.');
		assert_true(method->takes_still || method->takes_motion);
		assert_string_equal(method->option_table()->name, method->name);
	}
}

static size_t size_of(const ossa_option *option)
{
	switch (option->type) {
	case OSSA_OPTION_BOOL: return sizeof(bool);
	case OSSA_OPTION_INT:
	case OSSA_OPTION_CHOICE: return sizeof(int);
	case OSSA_OPTION_DOUBLE: return sizeof(double);
	case OSSA_OPTION_NAME:
	case OSSA_OPTION_TEXT: return OSSA_OPTION_TEXT_SIZE;
	case OSSA_OPTION_RANGE: return sizeof(ossa_range);
	case OSSA_OPTION_POINT: return sizeof(ossa_choice_or_point);
	}
	return SIZE_MAX;
}

/* a struct of a table's size holds all of its fields, and the defaults are in range */
static void tables_tell_their_size(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const ossa_option_table *tables[16] = {ossa_rig_option_table(), ossa_read_option_table(), ossa_write_option_table(),
		ossa_picture_option_table(), ossa_motion_option_table(), ossa_volume_stage_option_table(),
		ossa_contraction_stage_option_table()};
	size_t count = 7;
	for (size_t m = 0; m < ossa_method_count() && count < 16; m++) tables[count++] = ossa_method_at(m)->option_table();
	for (size_t t = 0; t < count; t++) {
		for (size_t i = 0; i < tables[t]->count; i++) {
			const ossa_option *option = &tables[t]->options[i];
			assert_true(option->offset + size_of(option) <= tables[t]->size);
		}
		assert_ok(context, ossa_options_check(context, tables[t], tables[t]->defaults));
	}
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(methods_are_found), cmocka_unit_test(methods_are_reported), cmocka_unit_test(tables_tell_their_size)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
