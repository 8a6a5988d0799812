/* tests/metrics/test_metric_tables.c: the tables of metrics: complete, with unique names,
   printed and rated as they specify. */
#include "support/support.h"

#include <math.h>
#include <string.h>

static const ossa_metric_field *field_of(const char *name)
{
	const ossa_metric_field *field = ossa_metric_find(ossa_metrics_table(), name);
	assert_non_null(field);
	return field;
}

static void check_field(const ossa_metric_table *table, const ossa_metric_field *field)
{
	assert_true(field->name[0] && field->title[0] && field->help[0]);
	assert_non_null(field->unit);
	assert_ptr_equal(ossa_metric_find(table, field->name), field);
	assert_true(field->better >= -1 && field->better <= 1);
	/* rated metrics have a better direction, and limits ordered along it */
	if (field->advice) assert_true(field->better != 0 && field->better * (field->good - field->fair) >= 0);
	if (!field->detail_of) return;
	const ossa_metric_field *whole = ossa_metric_find(table, field->detail_of);
	assert_non_null(whole);
	assert_null(whole->detail_of);
	assert_true(whole < field);
}

static void every_row_is_whole(void **state)
{
	(void)state;
	size_t tables = 0;
	for (const ossa_metric_table *table; (table = ossa_metric_table_at(tables)) != NULL; tables++) {
		assert_true(table->name[0] && table->title[0] && table->count > 0);
		for (size_t i = 0; i < table->count; i++) {
			check_field(table, &table->fields[i]);
			if (i > 0) assert_true(table->fields[i].offset > table->fields[i - 1].offset);
		}
	}
	assert_int_equal(tables, 4);
	assert_null(ossa_metric_find(ossa_metrics_table(), "rms"));
}

static void assert_printed(const char *name, const ossa_metrics *metrics, const char *expected)
{
	char text[32];
	ossa_metric_print(field_of(name), metrics, text, sizeof text);
	assert_string_equal(text, expected);
}

static void values_are_shown_as_people_read_them(void **state)
{
	(void)state;
	const ossa_metrics metrics = {.rms_percent = 0.123456,
		.max_percent = NAN,
		.max_vertex = 12,
		.max_frame = 4,
		.max_influences = 3,
		.joints_inside = 0.625,
		.compression = 12345.6};
	assert_printed("rms_percent", &metrics, "0.1235");
	assert_printed("max_percent", &metrics, "-");
	assert_printed("max_vertex", &metrics, "12");
	/* frames are counted from 1 */
	assert_printed("max_frame", &metrics, "5");
	assert_printed("max_influences", &metrics, "3");
	assert_printed("joints_inside", &metrics, "62.5");
	assert_printed("compression", &metrics, "12346");
	assert_printed("normal_rms", &metrics, "0");
	assert_true(ossa_metric_value(field_of("joints_inside"), &metrics) == 0.625);
	assert_true(ossa_metric_value(field_of("max_frame"), &metrics) == 4);
}

static void what_does_not_apply_has_no_value(void **state)
{
	(void)state;
	const ossa_metrics metrics = {.rms_percent = NAN, .max_vertex = -1, .max_frame = -1};
	assert_true(isnan(ossa_metric_value(field_of("rms_percent"), &metrics)));
	assert_true(isnan(ossa_metric_value(field_of("max_frame"), &metrics)));
	assert_printed("max_frame", &metrics, "-");
	assert_int_equal(ossa_metric_judge(field_of("rms_percent"), &metrics), OSSA_METRIC_NOT_JUDGED);
	const ossa_bend bend = {.volume_worst_joint = -1};
	assert_true(isnan(ossa_metric_value(ossa_metric_find(ossa_bend_table(), "volume_worst_joint"), &bend)));
}

static void verdicts_change_at_their_limits(void **state)
{
	(void)state;
	const double errors[] = {0.3, 0.301, 1, 1.001}, inside[] = {1, 0.999, 0.8, 0.799};
	const ossa_metric_verdict expected[] = {OSSA_METRIC_GOOD, OSSA_METRIC_FAIR, OSSA_METRIC_FAIR, OSSA_METRIC_POOR};
	for (int i = 0; i < 4; i++) {
		const ossa_metrics metrics = {.rms_percent = errors[i], .joints_inside = inside[i], .compression = 3};
		assert_int_equal(ossa_metric_judge(field_of("rms_percent"), &metrics), expected[i]);
		assert_int_equal(ossa_metric_judge(field_of("joints_inside"), &metrics), expected[i]);
		assert_int_equal(ossa_metric_judge(field_of("compression"), &metrics), OSSA_METRIC_NOT_JUDGED);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_is_whole),
		cmocka_unit_test(values_are_shown_as_people_read_them),
		cmocka_unit_test(what_does_not_apply_has_no_value),
		cmocka_unit_test(verdicts_change_at_their_limits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
