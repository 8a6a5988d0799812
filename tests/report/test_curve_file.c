/* tests/report/test_curve_file.c: a literal error curve as a table and as plots. */
#include "support/support.h"

#include <jansson.h>
#include <libxml/parser.h>
#include <ossa/error_curve.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ossa_error_level levels[] = {{1, 10.5, 0.8, 11}, {2, 4.25, 0.5, 5}, {3, 0.125, 0.25, 0.5}};
static const ossa_error_curve curve = {9, 3, levels};

/* the file, read from disk; the caller frees it */
static char *written(ossa_context *context, const char *ending)
{
	char path[256];
	snprintf(path, sizeof path, "%s%s", test_path("curve"), ending);
	assert_ok(context, ossa_error_curve_write(context, &curve, 2, path));
	FILE *stream = fopen(path, "rb");
	assert_non_null(stream);
	char *text = calloc(1, 1 << 16);
	assert_true(fread(text, 1, (1 << 16) - 1, stream) > 0);
	fclose(stream);
	return text;
}

static void a_table_has_a_row_a_level(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	char *text = written(context, ".csv");
	assert_string_equal(
		text, "bones,rms_percent,face_normal_rms,parts_rms_percent\n1,10.5,0.8,11\n2,4.25,0.5,5\n3,0.125,0.25,0.5\n");
	free(text);
	test_context_end(context);
}

static void json_has_the_same(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	char *text = written(context, ".json");
	json_t *value = json_loads(text, 0, NULL);
	assert_non_null(value);
	assert_int_equal(json_integer_value(json_object_get(value, "bones")), 2);
	assert_int_equal(json_integer_value(json_object_get(value, "poses")), 9);
	const json_t *level = json_array_get(json_object_get(value, "levels"), 2);
	assert_int_equal(json_integer_value(json_object_get(level, "bones")), 3);
	assert_near(json_number_value(json_object_get(level, "rms_percent")), 0.125, 1e-12);
	assert_near(json_number_value(json_object_get(level, "face_normal_rms")), 0.25, 1e-12);
	json_decref(value);
	free(text);
	test_context_end(context);
}

static void plots_are_whole_svg(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	char *text = written(context, ".svg");
	xmlDoc *document = xmlReadMemory(text, (int)strlen(text), "curve", NULL, XML_PARSE_NONET);
	assert_non_null(document);
	xmlFreeDoc(document);
	assert_non_null(strstr(text, "bones 2: skinned 4.25 %, rigid parts 5 %"));
	assert_non_null(strstr(text, "the rig"));
	free(text);
	test_context_end(context);
}

static void other_endings_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	static const char *const paths[] = {"curve.png", "curve", "", ".csv"};
	for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
		assert_int_equal(ossa_error_curve_write(context, &curve, 0, paths[i]), OSSA_ERROR_ARGUMENT);
	}
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_has_a_row_a_level),
		cmocka_unit_test(json_has_the_same),
		cmocka_unit_test(plots_are_whole_svg),
		cmocka_unit_test(other_endings_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
