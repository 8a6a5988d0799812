/* tests/api/test_bad_values.c: what an embedder may get wrong besides NULL: options at and beyond
   their bounds, text that is no number, names that are empty or very long; and two contexts that
   work concurrently. */
#include "samples/samples.h"
#include "support/support.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- values of options ---- */

/* every table of the library, NULL past the last */
static const ossa_option_table *table_at(size_t index)
{
	const ossa_option_table *own[] = {ossa_rig_option_table(), ossa_read_option_table(), ossa_write_option_table(),
		ossa_picture_option_table(), ossa_motion_option_table(), ossa_fit_option_table(), ossa_bind_option_table(),
		ossa_shape_option_table()};
	const size_t count = sizeof own / sizeof own[0];
	if (index < count) return own[index];
	return index - count < ossa_method_count() ? ossa_method_at(index - count)->option_table() : NULL;
}

/* Sets the field to bad value number `trial`. Returns false past the last, and for types that have
   no bad values. */
static bool spoil(const ossa_option *option, size_t trial, void *field)
{
	const double below = nextafter(option->minimum, -INFINITY), above = nextafter(option->maximum, INFINITY);
	const double numbers[] = {NAN, INFINITY, -INFINITY, below, above};
	const int wholes[] = {(int)option->minimum - 1, INT32_MIN, (int)(option->maximum + 1), INT32_MAX};
	const int choices[] = {-1, INT32_MIN, 1000, INT32_MAX};
	ossa_choice_or_point *point = field;
	switch (option->type) {
	case OSSA_OPTION_DOUBLE: return trial < 5 ? *(double *)field = numbers[trial], true : false;
	case OSSA_OPTION_INT: return trial < 4 ? *(int *)field = wholes[trial], true : false;
	case OSSA_OPTION_CHOICE: return trial < 4 ? *(int *)field = choices[trial], true : false;
	case OSSA_OPTION_POINT:
		point->choice = trial < 4 ? choices[trial] : 2;
		point->point[trial % 3] = trial == 4 ? NAN : INFINITY;
		return trial < 6;
	case OSSA_OPTION_NAME:
		if (trial == 0) strcpy(field, option->choices);
		else if (trial == 1) *(char *)field = 0;
		else if (trial == 2) memset(field, 'a', OSSA_OPTION_TEXT_SIZE);
		return trial < 3;
	case OSSA_OPTION_TEXT: return trial < 1 ? memset(field, 'a', OSSA_OPTION_TEXT_SIZE), true : false;
	case OSSA_OPTION_RANGE: return trial < 1 ? *(ossa_range *)field = (ossa_range){5, 2, 1}, true : false;
	case OSSA_OPTION_BOOL: break;
	}
	return false;
}

static void values_beyond_the_bounds_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const ossa_option_table *table;
	size_t tried = 0;
	for (size_t t = 0; (table = table_at(t)) != NULL; t++) {
		void *options = malloc(table->size);
		for (size_t i = 0; i < table->count; i++) {
			const ossa_option *option = &table->options[i];
			void *field = (char *)options + option->offset;
			memcpy(options, table->defaults, table->size);
			for (size_t trial = 0; spoil(option, trial, field); trial++, tried++) {
				assert_fails(context, ossa_options_check(context, table, options), OSSA_ERROR_ARGUMENT, option->name);
				memcpy(options, table->defaults, table->size);
			}
			memcpy(options, table->defaults, table->size);
			/* both bounds are good */
			for (int end = 0; end < 2; end++) {
				const double bound = end ? option->maximum : option->minimum;
				if (option->type == OSSA_OPTION_DOUBLE) *(double *)field = bound;
				if (option->type == OSSA_OPTION_INT) *(int *)field = (int)bound;
				assert_ok(context, ossa_options_check(context, table, options));
			}
		}
		free(options);
	}
	assert_true(tried > 200);
	test_context_end(context);
}

static void texts_that_are_no_numbers_are_refused(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"", " ", "x", "nan", "inf", "-inf", "1e400", "0x1", "1,5", "1 ", " 1", "1.5.2", "--1", "1e"};
	ossa_context *context = test_context(1);
	ossa_volume_options options = ossa_volume_default();
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		for (int k = 0; k < 3; k++) {
			const char *name = (const char *const[]){"voxel-size", "bones", "root"}[k];
			assert_fails(context, ossa_option_set(context, ossa_volume_option_table(), &options, name, texts[i]),
				OSSA_ERROR_ARGUMENT, name);
		}
	}
	assert_memory_equal(&options, ossa_volume_option_table()->defaults, sizeof options);
	assert_ok(context, ossa_option_set(context, ossa_volume_option_table(), &options, "voxel-size", "1e-2"));
	assert_near(options.voxel_size, 0.01, 0);
	test_context_end(context);
}

/* ---- names ---- */

static void names_may_be_empty_or_long(void **state)
{
	(void)state;
	enum { LONG = 100000 };
	ossa_context *context = test_context(1);
	ossa_files *files;
	ossa_mesh *mesh;
	ossa_rig_options options = ossa_rig_default();
	char *name = malloc(LONG + 1);
	memset(name, 'x', LONG);
	name[LONG] = 0;
	assert_null(ossa_nearest_name(name, (const char *const[]){"a", "xxxxxxxx", NULL}, 3));
	assert_string_equal(ossa_nearest_name("", (const char *const[]){"a", NULL}, 2), "a");
	assert_fails(context, ossa_rig_option_set(context, &options, name, "1"), OSSA_ERROR_ARGUMENT, "no option");
	assert_fails(context, ossa_rig_option_set(context, &options, "", "1"), OSSA_ERROR_ARGUMENT, "no option");
	assert_fails(context, ossa_rig_option_set(context, &options, "reference", name), OSSA_ERROR_ARGUMENT, "whole number");
	assert_null(ossa_method_find(""));
	assert_fails(context, ossa_rig_option_set(context, &options, "method", name), OSSA_ERROR_ARGUMENT, "takes one of auto");
	for (int in_memory = 0; in_memory < 2; in_memory++) {
		assert_ok(context, ossa_files_create(context, &files));
		if (in_memory) ossa_context_use_files(context, files);
		assert_fails(context, ossa_read_mesh(context, "", NULL, &mesh), OSSA_ERROR_READ, "name of the file to read is empty");
		assert_fails(context, ossa_read_mesh(context, name, NULL, &mesh), OSSA_ERROR_READ, NULL);
		assert_fails(context, ossa_write_check(context, ""), OSSA_ERROR_ARGUMENT, ".glb");
		assert_fails(context, ossa_files_add(files, "", "a", 1), OSSA_ERROR_ARGUMENT, "name");
		ossa_files_free(files);
	}
	free(name);
	test_context_end(context);
}

/* ---- two at once ---- */

typedef struct worker {
	uint8_t *bytes;
	size_t size;
	bool is_done;
} worker;

/* no assertions: cmocka's jump out of the thread that runs the tests */
static void *make_rig(void *arg)
{
	worker *own = arg;
	ossa_context *context;
	ossa_sample *sample = NULL;
	ossa_files *files = NULL;
	ossa_rig_result made = {NULL};
	uint8_t *bytes = NULL;
	ossa_sample_options options = ossa_sample_default();
	options.kind = OSSA_SAMPLE_QUADRUPED;
	options.faces = 1500;
	options.frames = 2;
	if (ossa_context_create(NULL, &context) != OSSA_OK) return NULL;
	ossa_status status = ossa_sample_create(context, &options, &sample);
	if (status == OSSA_OK) status = ossa_rig_make(context, &(ossa_rig_input){sample->rig->mesh, NULL}, NULL, &made);
	if (status == OSSA_OK) status = ossa_files_create(context, &files);
	ossa_context_use_files(context, files);
	if (status == OSSA_OK) status = ossa_write_rig(context, made.rig, "a.glb", NULL);
	if (status == OSSA_OK) status = ossa_files_take(files, "a.glb", &bytes, &own->size);
	if (status == OSSA_OK) own->bytes = malloc(own->size);
	if (own->bytes) memcpy(own->bytes, bytes, own->size);
	own->is_done = status == OSSA_OK;
	ossa_free(context, bytes);
	ossa_files_free(files);
	ossa_rig_result_free(context, &made);
	ossa_sample_free(context, sample);
	ossa_context_free(context);
	return NULL;
}

static void contexts_work_side_by_side(void **state)
{
	(void)state;
	worker workers[2] = {{NULL}};
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&threads[i], NULL, make_rig, &workers[i]), 0);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert_true(workers[0].is_done && workers[1].is_done);
	assert_int_equal(workers[0].size, workers[1].size);
	assert_memory_equal(workers[0].bytes, workers[1].bytes, workers[0].size);
	for (int i = 0; i < 2; i++) free(workers[i].bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(values_beyond_the_bounds_are_refused),
		cmocka_unit_test(texts_that_are_no_numbers_are_refused), cmocka_unit_test(names_may_be_empty_or_long),
		cmocka_unit_test(contexts_work_side_by_side)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
