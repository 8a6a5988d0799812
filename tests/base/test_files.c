/* tests/base/test_files.c: files in memory: the set itself, and files that appear together or not
   at all. */
#include "base/file.h"
#include "base/folder.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

static ossa_files *begin(ossa_context *context)
{
	ossa_files *files;
	assert_ok(context, ossa_files_create(context, &files));
	ossa_context_use_files(context, files);
	return files;
}

static void end(ossa_context *context, ossa_files *files)
{
	ossa_files_free(files);
	test_context_end(context);
}

static void files_are_added_and_found(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_files *files = begin(context);
	uint8_t *taken;
	assert_int_equal(ossa_files_count(files), 0);
	assert_null(ossa_files_find(files, "a.obj"));
	assert_ok(context, ossa_files_add(files, "a.obj", "one", 3));
	assert_ok(context, ossa_files_add(files, "b.obj", NULL, 0));
	assert_ok(context, ossa_files_add(files, "a.obj", "two!", 4));
	assert_int_equal(ossa_files_count(files), 2);
	assert_int_equal(ossa_files_find(files, "a.obj")->size, 4);
	assert_memory_equal(ossa_files_find(files, "a.obj")->bytes, "two!", 4);
	assert_string_equal(ossa_files_at(files, 1)->name, "b.obj");
	assert_non_null(ossa_files_at(files, 1)->bytes);
	assert_null(ossa_files_at(files, 2));
	assert_fails(context, ossa_files_add(files, "", "one", 3), OSSA_ERROR_ARGUMENT, "needs a name");
	assert_fails(context, ossa_files_add(files, NULL, "one", 3), OSSA_ERROR_ARGUMENT, "needs a name");
	assert_fails(context, ossa_files_add(files, "c.obj", NULL, 3), OSSA_ERROR_ARGUMENT, "3 bytes");
	assert_fails(context, ossa_files_take(files, "a.obj", &taken, NULL), OSSA_ERROR_ARGUMENT, "the caller's already");
	assert_fails(context, ossa_files_take(files, "c.obj", &taken, NULL), OSSA_ERROR_ARGUMENT, "no file \"c.obj\"");
	assert_null(taken);
	end(context, files);
}

static ossa_status write_text(ossa_context *context, const char *path, const char *text)
{
	ossai_output output;
	OSSAI_TRY(ossai_output_begin(context, path, &output));
	fputs(text, output.stream);
	return ossai_output_commit(&output);
}

static void what_is_written_is_there_at_once_and_may_be_taken(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_files *files = begin(context);
	ossai_output output;
	uint8_t *bytes;
	size_t size;
	assert_ok(context, write_text(context, "a.txt", "first"));
	assert_ok(context, ossa_files_add(files, "b.txt", "added", 5));
	assert_ok(context, write_text(context, "b.txt", "written"));
	assert_ok(context, ossai_output_begin(context, "a.txt", &output));
	fputs("never", output.stream);
	ossai_output_abort(&output);
	ossai_output_abort(&output);
	assert_fails(context, ossai_output_begin(context, "", &output), OSSA_ERROR_WRITE, "cannot be written");
	assert_int_equal(ossa_files_count(files), 2);
	assert_ok(context, ossa_files_take(files, "a.txt", &bytes, &size));
	assert_int_equal(size, 5);
	assert_string_equal((const char *)bytes, "first");
	ossa_free(context, bytes);
	assert_string_equal((const char *)ossa_files_find(files, "b.txt")->bytes, "written");
	assert_int_equal(ossa_files_count(files), 1);
	/* the disk has none of it */
	ossa_context_use_files(context, NULL);
	assert_false(ossai_file_exists(context, "b.txt"));
	end(context, files);
}

static void a_batch_appears_whole_or_not_at_all(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_files *files = begin(context);
	for (int good = 0; good < 2; good++) {
		ossai_batch batch;
		ossai_batch_begin(context, &batch);
		assert_ok(context, write_text(context, "a.txt", "1"));
		assert_ok(context, write_text(context, "b.txt", "2"));
		assert_null(ossa_files_find(files, "a.txt"));
		const ossa_status status = good ? OSSA_OK : OSSA_ERROR_INPUT;
		assert_int_equal(ossai_batch_end(&batch, status), status);
		assert_int_equal(ossa_files_count(files), good ? 2 : 0);
	}
	assert_string_equal((const char *)ossa_files_find(files, "b.txt")->bytes, "2");
	end(context, files);
}

static bool is_any(const void *arg, const char *name)
{
	(void)arg;
	return name[0] != 'z';
}

static void folders_are_beginnings_of_names(void **state)
{
	(void)state;
	static const char *const names[] = {"1.obj", "poses/2.obj", "poses/3.obj", "poses/more/4.obj", "poses/z", "pose/5.obj"};
	static const struct {
		const char *folder;
		size_t count;
	} folders[] = {{"", 1}, {"poses/", 2}, {"poses/more/", 1}, {"nowhere/", 0}};
	ossa_context *context = test_context(1);
	ossa_files *files = begin(context);
	ossai_arena arena = ossai_arena_begin(context);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) assert_ok(context, ossa_files_add(files, names[i], "x", 1));
	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		const char **found;
		size_t count;
		assert_ok(context, ossai_folder_list(&arena, folders[i].folder, is_any, NULL, &count, &found));
		assert_int_equal(count, folders[i].count);
	}
	ossai_arena_end(&arena);
	end(context, files);
}

static ossa_status use(ossa_context *context, void *arg)
{
	ossa_files *files;
	ossai_batch batch;
	(void)arg;
	OSSAI_TRY(ossa_files_create(context, &files));
	ossa_context_use_files(context, files);
	ossa_status status = ossa_files_add(files, "a.txt", "one", 3);
	ossai_batch_begin(context, &batch);
	for (int i = 0; i < 2 && status == OSSA_OK; i++) status = write_text(context, i ? "b.txt" : "a.txt", "two");
	status = ossai_batch_end(&batch, status);
	/* as it was, or both */
	const bool is_new = ossa_files_find(files, "b.txt") != NULL;
	if (status == OSSA_OK) assert_true(is_new && ossa_files_count(files) == 2);
	ossa_files_free(files);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	assert_true(test_allocation_sweep(use, NULL, SIZE_MAX, 1) >= 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_added_and_found),
		cmocka_unit_test(what_is_written_is_there_at_once_and_may_be_taken),
		cmocka_unit_test(a_batch_appears_whole_or_not_at_all),
		cmocka_unit_test(folders_are_beginnings_of_names),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
