/* tests/base/test_file.c: files come in whole, from disk or from a pipe, and go out whole or not at
   all. */
#include "base/file.h"
#include "support/support.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* files whose names begin with `prefix` in the test folder */
static int count_files(const char *prefix)
{
	int count = 0;
	DIR *folder = opendir(test_folder());
	for (struct dirent *entry; (entry = readdir(folder));) count += strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
	closedir(folder);
	return count;
}

static void files_are_read_whole(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_file file;
	test_assert_holds(test_file("some", "v 0 0 0\n", 0), "v 0 0 0\n");
	const char *empty = test_path("empty");
	fclose(fopen(empty, "wb"));
	test_assert_holds(empty, "");
	assert_fails(context, ossai_file_open(context, test_path("missing"), &file), OSSA_ERROR_READ, "missing: cannot be opened");
	assert_fails(context, ossai_file_open(context, test_folder(), &file), OSSA_ERROR_READ, "is a folder");
	ossai_file_close(context, &file);
	assert_string_equal(ossai_file_name("poses/lion-2.obj"), "lion-2.obj");
	assert_string_equal(ossai_file_name("lion.obj"), "lion.obj");
	test_context_end(context);
}

/* adds a path to a text, one a line */
static void note_opened(void *user, const char *path)
{
	strcat(user, ossai_file_name(path));
	strcat(user, "\n");
}

static void an_embedder_learns_what_is_read(void **state)
{
	(void)state;
	char opened[256] = "";
	ossa_context_options options = ossa_context_default();
	options.opened = note_opened;
	options.opened_user = opened;
	ossa_context *context;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	ossai_file file;
	assert_ok(context, ossai_file_open(context, test_file("some", "v 0 0 0\n", 0), &file));
	ossai_file_close(context, &file);
	assert_fails(context, ossai_file_open(context, test_path("missing"), &file), OSSA_ERROR_READ, "missing: cannot be opened");
	/* files in memory are the embedder's own */
	ossa_files *files;
	assert_ok(context, ossa_files_create(context, &files));
	assert_ok(context, ossa_files_add(files, "held", "x", 1));
	ossa_context_use_files(context, files);
	assert_ok(context, ossai_file_open(context, "held", &file));
	ossai_file_close(context, &file);
	ossa_files_free(files);
	assert_string_equal(opened, "some\nmissing\n");
	ossa_context_free(context);
}

static void an_embedder_learns_what_is_written(void **state)
{
	(void)state;
	char written[256] = "";
	ossa_context_options options = ossa_context_default();
	options.written = note_opened;
	options.written_user = written;
	ossa_context *context;
	ossai_batch batch;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	/* a file that is new, the same again, and through a link: by the name that was asked for */
	assert_ok(context, ossai_output_text(context, test_path("told"), "a"));
	assert_ok(context, ossai_output_text(context, test_path("told"), "b"));
	assert_int_equal(symlink("told", test_path("linked")), 0);
	assert_ok(context, ossai_output_text(context, test_path("linked"), "c"));
	assert_string_equal(written, "told\ntold\nlinked\n");
	test_assert_holds(test_path("told"), "c");
	/* those of a batch when they are there, or never */
	written[0] = 0;
	ossai_batch_begin(context, &batch);
	assert_ok(context, ossai_output_text(context, test_path("linked"), "d"));
	assert_true(ossai_batch_has(context, test_path("linked")));
	assert_false(ossai_batch_has(context, test_path("told")));
	assert_string_equal(written, "");
	assert_ok(context, ossai_batch_end(&batch, OSSA_OK));
	assert_string_equal(written, "linked\n");
	test_assert_holds(test_path("told"), "d");
	ossai_batch_begin(context, &batch);
	assert_ok(context, ossai_output_text(context, test_path("never"), "e"));
	assert_int_equal(ossai_batch_end(&batch, OSSA_ERROR_CANCELLED), OSSA_ERROR_CANCELLED);
	assert_string_equal(written, "linked\n");
	ossa_context_free(context);
}

/* `size` bytes 'x' written to a pipe by a child */
static void assert_pipe_is_read(size_t size)
{
	const char *path = test_path("pipe");
	assert_int_equal(mkfifo(path, 0600), 0);
	const pid_t child = fork();
	if (child == 0) {
		FILE *stream = fopen(path, "wb");
		for (size_t i = 0; i < size; i++) fputc('x', stream);
		fclose(stream);
		_exit(0);
	}
	ossa_context *context = test_context(1);
	ossai_file file;
	assert_ok(context, ossai_file_open(context, path, &file));
	assert_int_equal(file.size, size);
	for (size_t i = 0; i < size; i++) assert_int_equal(file.bytes[i], 'x');
	ossai_file_close(context, &file);
	test_context_end(context);
	waitpid(child, NULL, 0);
	unlink(path);
}

static void pipes_are_read_to_their_end(void **state)
{
	(void)state;
	assert_pipe_is_read(300000);
	assert_pipe_is_read(0);
}

static void output_appears_at_commit(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const char *path = test_file("output", "old", 0);
	ossai_output output;
	assert_ok(context, ossai_output_begin(context, path, &output));
	fputs("new", output.stream);
	fflush(output.stream);
	test_assert_holds(path, "old");
	assert_ok(context, ossai_output_commit(&output));
	test_assert_holds(path, "new");
	ossai_output_abort(&output);
	test_assert_holds(path, "new");
	assert_ok(context, ossai_output_begin(context, path, &output));
	fputs("other", output.stream);
	ossai_output_abort(&output);
	test_assert_holds(path, "new");
	assert_int_equal(count_files("output"), 1);
	test_context_end(context);
}

static void places_that_cannot_be_written_are_reported_at_once(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_output output;
	assert_fails(context, ossai_output_begin(context, test_path("none/x"), &output), OSSA_ERROR_WRITE, "No such file");
	assert_fails(context, ossai_output_begin(context, test_folder(), &output), OSSA_ERROR_WRITE, "directory");
	assert_fails(context, ossai_output_begin(context, "", &output), OSSA_ERROR_WRITE, NULL);
	char path[6000];
	memset(path, 'a', sizeof path);
	path[sizeof path - 1] = 0;
	assert_fails(context, ossai_output_begin(context, path, &output), OSSA_ERROR_WRITE, "too long");
	ossai_output_abort(&output);
	test_context_end(context);
}

/* `size` bytes, one by one or all at once, on a full disk */
static void assert_disk_is_full(ossa_context *context, const char *path, size_t size, bool at_once)
{
	static const char bytes[100000];
	ossai_output output;
	assert_ok(context, ossai_output_begin(context, path, &output));
	if (at_once) fwrite(bytes, 1, size, output.stream);
	for (size_t i = 0; i < size && !at_once; i++) fputc('x', output.stream);
	const ossa_status status = ossai_output_commit(&output);
	assert_fails(context, status, OSSA_ERROR_WRITE, "full: cannot be written: File too large");
}

/* a limit on the size of files simulates a full disk; the reason is reported wherever the stream
   met it */
static void a_full_disk_leaves_the_old_file(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const char *path = test_file("full", "old", 0);
	struct rlimit before, limit;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = (struct rlimit){20000, before.rlim_max};
	void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (size_t size = 20001; size < 60000; size += 379) {
		assert_disk_is_full(context, path, size, false);
		assert_disk_is_full(context, path, size, true);
	}
	setrlimit(RLIMIT_FSIZE, &before);
	signal(SIGXFSZ, handler);
	test_assert_holds(path, "old");
	assert_int_equal(count_files("full"), 1);
	test_context_end(context);
}

static void a_killed_run_leaves_the_old_file(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const char *path = test_file("killed", "old", 0);
	const pid_t child = fork();
	if (child == 0) {
		ossai_output output;
		if (ossai_output_begin(context, path, &output) != OSSA_OK) _exit(1);
		for (int i = 0; i < 100000; i++) fputc('x', output.stream);
		kill(getpid(), SIGKILL);
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	test_assert_holds(path, "old");
	test_context_end(context);
}

static void rights_and_links_stay(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const char *path = test_file("secret", "old", 0), *link = test_path("link");
	assert_int_equal(chmod(path, 0600), 0);
	assert_int_equal(symlink(path, link), 0);
	ossai_output output;
	assert_ok(context, ossai_output_begin(context, link, &output));
	fputs("new", output.stream);
	assert_ok(context, ossai_output_commit(&output));
	struct stat status;
	assert_int_equal(lstat(link, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	test_assert_holds(path, "new");
	assert_int_equal(chmod(path, 0400), 0);
	if (geteuid() != 0) {
		assert_fails(context, ossai_output_begin(context, path, &output), OSSA_ERROR_WRITE, "Permission denied");
	}
	test_context_end(context);
}

static void devices_are_written_and_never_replaced(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_output output;
	assert_ok(context, ossai_output_begin(context, "/dev/null", &output));
	fputs("text", output.stream);
	assert_ok(context, ossai_output_commit(&output));
	struct stat status;
	assert_int_equal(stat("/dev/null", &status), 0);
	assert_true(S_ISCHR(status.st_mode));
	if (access("/dev/full", W_OK) == 0) {
		assert_ok(context, ossai_output_begin(context, "/dev/full", &output));
		for (int i = 0; i < 100000; i++) fputc('x', output.stream);
		assert_fails(context, ossai_output_commit(&output), OSSA_ERROR_WRITE, "No space left on device");
		assert_ok(context, ossai_output_begin(context, "/dev/full", &output));
		ossai_output_abort(&output);
		assert_int_equal(stat("/dev/full", &status), 0);
	}
	test_context_end(context);
}

static ossa_status write_text(ossa_context *context, const char *path, const char *text)
{
	ossai_output output;
	OSSAI_TRY(ossai_output_begin(context, path, &output));
	fputs(text, output.stream);
	return ossai_output_commit(&output);
}

static void batches_appear_whole_or_not_at_all(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const char *first = test_file("batch-1", "old", 0), *second = test_path("batch-2");
	ossai_batch batch, inner;
	ossai_batch_begin(context, &batch);
	assert_ok(context, write_text(context, first, "new"));
	ossai_batch_begin(context, &inner);
	assert_ok(context, write_text(context, second, "too"));
	assert_ok(context, ossai_batch_end(&inner, OSSA_OK));
	test_assert_holds(first, "old");
	assert_int_not_equal(access(second, F_OK), 0);
	assert_ok(context, ossai_batch_end(&batch, OSSA_OK));
	test_assert_holds(first, "new");
	test_assert_holds(second, "too");
	/* what fails between, and what cannot be renamed */
	ossai_batch_begin(context, &batch);
	assert_ok(context, write_text(context, first, "other"));
	assert_int_equal(ossai_batch_end(&batch, OSSA_ERROR_INPUT), OSSA_ERROR_INPUT);
	test_assert_holds(first, "new");
	ossai_batch_begin(context, &batch);
	const char *third = test_path("batch-3"), *fourth = test_path("batch-4");
	assert_ok(context, write_text(context, third, "a"));
	assert_ok(context, write_text(context, fourth, "b"));
	assert_int_equal(mkdir(fourth, 0700), 0);
	assert_fails(context, ossai_batch_end(&batch, OSSA_OK), OSSA_ERROR_WRITE, "batch-4: cannot be written");
	assert_int_not_equal(access(third, F_OK), 0);
	rmdir(fourth);
	assert_int_equal(count_files("batch"), 2);
	/* and files are renamed at once again */
	assert_ok(context, write_text(context, first, "last"));
	test_assert_holds(first, "last");
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_read_whole),
		cmocka_unit_test(an_embedder_learns_what_is_read),
		cmocka_unit_test(an_embedder_learns_what_is_written),
		cmocka_unit_test(pipes_are_read_to_their_end),
		cmocka_unit_test(output_appears_at_commit),
		cmocka_unit_test(places_that_cannot_be_written_are_reported_at_once),
		cmocka_unit_test(a_full_disk_leaves_the_old_file),
		cmocka_unit_test(a_killed_run_leaves_the_old_file),
		cmocka_unit_test(rights_and_links_stay),
		cmocka_unit_test(devices_are_written_and_never_replaced),
		cmocka_unit_test(batches_appear_whole_or_not_at_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
