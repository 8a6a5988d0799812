/* tests/support/support.c: see support.h. */
#include "support/support.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

ossa_context *test_context(int threads)
{
	ossa_context_options options = ossa_context_default();
	options.threads = threads;
	ossa_context *context = NULL;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	return context;
}

void test_context_end(ossa_context *context)
{
	const size_t left = ossa_context_bytes(context);
	ossa_context_free(context);
	if (left != 0) fail_msg("%zu bytes were not released", left);
}

void test_assert_ok(ossa_context *context, ossa_status status, const char *text, const char *file, int line)
{
	if (status == OSSA_OK) return;
	print_error("%s: %s: %s\n", text, ossa_status_name(status), ossa_context_error(context)->message);
	_fail(file, line);
}

void test_assert_fails(ossa_context *context, ossa_status status, ossa_status expected, const char *words, const char *text,
	const char *file, int line)
{
	const char *message = ossa_context_error(context)->message;
	if (status == expected && (!words || strstr(message, words))) return;
	print_error("%s: expected %s with \"%s\", got %s: %s\n", text, ossa_status_name(expected), words ? words : "",
		ossa_status_name(status), status == OSSA_OK ? "" : message);
	_fail(file, line);
}

static const ossa_warning *find_warning(const ossa_context *context, const char *code)
{
	for (size_t i = 0; i < ossa_context_warning_count(context); i++) {
		const ossa_warning *warning = ossa_context_warning(context, i);
		if (strcmp(warning->code, code) == 0) return warning;
	}
	return NULL;
}

int64_t test_warned(const ossa_context *context, const char *code)
{
	const ossa_warning *warning = find_warning(context, code);
	return warning ? warning->count : 0;
}

const char *test_warning_text(const ossa_context *context, const char *code)
{
	const ossa_warning *warning = find_warning(context, code);
	return warning ? warning->message : "";
}

void test_assert_no_warnings(const ossa_context *context, const char *file, int line)
{
	if (ossa_context_warning_count(context) == 0) return;
	print_error("%s\n", ossa_context_warning(context, 0)->message);
	_fail(file, line);
}

void test_assert_near(double value, double expected, double tolerance, const char *text, const char *file, int line)
{
	const double difference = fabs(value - expected);
	if (difference <= tolerance) return;
	print_error("%s: %.9g in place of %.9g: off by %g, more than %g\n", text, value, expected, difference, tolerance);
	_fail(file, line);
}

void test_assert_near_vec3(
	ossai_vec3 value, ossai_vec3 expected, double tolerance, const char *text, const char *file, int line)
{
	const double distance = ossai_distance(value, expected);
	if (distance <= tolerance) return;
	print_error("%s: (%.9g %.9g %.9g) in place of (%.9g %.9g %.9g): off by %g, more than %g\n", text, value.x, value.y, value.z,
		expected.x, expected.y, expected.z, distance, tolerance);
	_fail(file, line);
}

void test_assert_near_array(
	size_t count, const double *values, const double *expected, double tolerance, const char *text, const char *file, int line)
{
	for (size_t i = 0; i < count; i++) {
		char name[128];
		snprintf(name, sizeof name, "%s, number %zu", text, i);
		test_assert_near(values[i], expected[i], tolerance, name, file, line);
	}
}

void test_assert_point(const float *p, double x, double y, double z, double tolerance, const char *file, int line)
{
	const double found[3] = {p[0], p[1], p[2]}, expected[3] = {x, y, z};
	test_assert_near_array(3, found, expected, tolerance, "point", file, line);
}

static char folder[64];

static void remove_tree(const char *path)
{
	DIR *stream = opendir(path);
	if (!stream) return;
	for (struct dirent *entry; (entry = readdir(stream));) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
		char inner[4096];
		snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
		struct stat status;
		if (lstat(inner, &status) == 0 && S_ISDIR(status.st_mode)) remove_tree(inner);
		else unlink(inner);
	}
	closedir(stream);
	rmdir(path);
}

static void remove_folder(void) { remove_tree(folder); }

const char *test_folder(void)
{
	if (!folder[0]) {
		strcpy(folder, "/tmp/ossa-test-XXXXXX");
		assert_non_null(mkdtemp(folder));
		atexit(remove_folder);
	}
	return folder;
}

const char *test_path(const char *name)
{
	static char paths[8][512];
	static int next;
	char *path = paths[next++ % 8];
	snprintf(path, sizeof paths[0], "%s/%s", test_folder(), name);
	return path;
}

const char *test_file(const char *name, const void *bytes, size_t size)
{
	const char *path = test_path(name);
	FILE *stream = fopen(path, "wb");
	assert_non_null(stream);
	const size_t count = size ? size : strlen(bytes);
	assert_int_equal(fwrite(bytes, 1, count, stream), count);
	assert_int_equal(fclose(stream), 0);
	return path;
}

size_t test_read_bytes(const char *path, void *bytes, size_t capacity)
{
	FILE *stream = fopen(path, "rb");
	if (!stream) fail_msg("%s cannot be read", path);
	const size_t size = fread(bytes, 1, capacity, stream);
	fclose(stream);
	if (size >= capacity) fail_msg("%s has %zu bytes or more", path, capacity);
	return size;
}

void test_assert_holds(const char *path, const char *text)
{
	char bytes[256];
	bytes[test_read_bytes(path, bytes, sizeof bytes)] = 0;
	assert_string_equal(bytes, text);
}

uint32_t test_random_bits(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

bool test_is_long(void) { return getenv("OSSA_LONG_TESTS") != NULL; }

const char *test_corpus(const char *name)
{
	static char path[1024];
	snprintf(path, sizeof path, "%s/../shared/corpus/%s", OSSA_SOURCE_DIR, name);
	if (access(path, R_OK) == 0) return path;
	print_message("skipped: ../shared/corpus/%s is not here\n", name);
	return NULL;
}
