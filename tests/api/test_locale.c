/* tests/api/test_locale.c: a program with a decimal comma gets the same files, reports, messages
   and texts of values as one without. */
#include "support/comma.h"
#include "support/rich_rig.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 1 << 24, TEXTS = 1 << 16 };

/* writes the rig and reads its file; 0 where the format does not hold this rig */
static size_t written(ossa_context *context, const ossa_rig *rig, const ossa_write_format *format, char *bytes)
{
	char name[64];
	snprintf(name, sizeof name, "rig%.*s", (int)strcspn(format->endings, "|"), format->endings);
	if (!format->writes_rig || ossa_write_rig(context, rig, test_path(name), NULL) != OSSA_OK) return 0;
	return test_read_bytes(test_path(name), bytes, CAPACITY);
}

static void the_same_files(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_rig *rig;
	char *point = malloc(CAPACITY), *comma = malloc(CAPACITY);
	assert_true(point && comma);
	assert_ok(context, test_rich_rig(context, 1000, 6, 4, &rig));
	size_t compared = 0;
	for (size_t i = 0; i < ossa_write_format_count(); i++) {
		const ossa_write_format *format = ossa_write_format_at(i);
		const size_t size = written(context, rig, format, point);
		if (size == 0 || !test_comma_begin()) continue;
		const size_t again = written(context, rig, format, comma);
		test_comma_end();
		if (again != size || memcmp(point, comma, size) != 0) fail_msg("%s differs", format->title);
		compared++;
	}
	assert_true(compared == 0 || compared > 6);
	free(point);
	free(comma);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void add(char *texts, const char *text)
{
	assert_true(strlen(texts) + strlen(text) + 2 < TEXTS);
	strcat(strcat(texts, text), "\n");
}

/* texts of options, edits, metrics, errors and warnings, with fractions in each */
static void list_texts(ossa_context *context, const ossa_rig *rig, const ossa_frames *frames, char *texts)
{
	char text[64];
	texts[0] = 0;
	ossa_sequence_options options = ossa_sequence_default();
	assert_ok(context, ossa_option_set(context, ossa_sequence_option_table(), &options, "alpha", "0.125"));
	ossa_option_print(ossa_option_find(ossa_sequence_option_table(), "alpha"), &options, text, sizeof text);
	add(texts, text);
	options.alpha = 1000.5;
	assert_int_equal(ossa_options_check(context, ossa_sequence_option_table(), &options), OSSA_ERROR_ARGUMENT);
	add(texts, ossa_context_error(context)->message);
	ossa_edit edit;
	char *line;
	assert_ok(context, ossa_edit_parse(context, "move root 0.5 -1.25 1e-7", &edit));
	assert_ok(context, ossa_edit_print(context, &edit, &line));
	add(texts, line);
	ossa_free(context, line);
	ossa_edit_clear(context, &edit);
	ossa_metrics metrics;
	assert_ok(context, ossa_rig_measure(context, rig, NULL, NULL, frames, &metrics));
	for (size_t i = 0; i < ossa_metrics_table()->count; i++) {
		ossa_metric_print(&ossa_metrics_table()->fields[i], &metrics, text, sizeof text);
		add(texts, text);
	}
	ossa_context_reset(context);
	ossa_frames *again;
	assert_int_equal(ossa_frames_create(context, 2, 3, -1.5, &again), OSSA_ERROR_ARGUMENT);
	add(texts, ossa_context_error(context)->message);
}

static void the_same_texts(void **state)
{
	(void)state;
	static char point[TEXTS], comma[TEXTS];
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	ossa_frames *frames;
	assert_ok(context, test_rich_rig(context, 1000, 3, 4, &rig));
	assert_ok(context, ossa_rig_frames(context, rig, NULL, &frames));
	for (size_t i = 0; i < 90; i++) frames->positions[i] += 0.01F * (float)i;
	list_texts(context, rig, frames, point);
	assert_non_null(strstr(point, "0.125"));
	assert_non_null(strstr(point, "-1.5 "));
	if (test_comma_begin()) {
		list_texts(context, rig, frames, comma);
		test_comma_end();
		assert_string_equal(comma, point);
	}
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* both forms of one report, which says how long it took */
static void the_same_reports(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	ossa_frames *frames;
	assert_ok(context, test_rich_rig(context, 1000, 3, 4, &rig));
	assert_ok(context, ossa_rig_frames(context, rig, NULL, &frames));
	for (size_t i = 0; i < 90; i++) frames->positions[i] += 0.01F * (float)i;
	ossa_report report;
	assert_ok(context, ossa_report_make(context, rig, frames, &report));
	char *texts[2][2] = {{NULL}};
	for (int comma = 0; comma < 2; comma++) {
		if (comma && !test_comma_begin()) break;
		/* the stages of a report are those since then, and their seconds differ */
		ossa_context_reset(context);
		assert_ok(context, ossa_report_json(context, &report, &texts[comma][0]));
		ossa_context_reset(context);
		assert_ok(context, ossa_report_html(context, &report, &texts[comma][1]));
		test_comma_end();
	}
	for (int i = 0; i < 2; i++) {
		size_t same = 0;
		while (texts[1][i] && texts[0][i][same] && texts[0][i][same] == texts[1][i][same]) same++;
		const size_t from = same > 40 ? same - 40 : 0;
		if (texts[1][i] && (texts[0][i][same] || texts[1][i][same])) {
			fail_msg("%.80s\nbecomes\n%.80s", texts[0][i] + from, texts[1][i] + from);
		}
		ossa_free(context, texts[0][i]);
		ossa_free(context, texts[1][i]);
	}
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_files), cmocka_unit_test(the_same_texts), cmocka_unit_test(the_same_reports)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
