/* tests/support/support.h: shared by every test file: cmocka, a context that detects leaks,
   temporary folders, and faults (faults.h). */
#ifndef OSSA_TEST_SUPPORT_H
#define OSSA_TEST_SUPPORT_H

#include <ossa/ossa.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "math/vec.h"
#include "support/faults.h"

/* A context for a test, with `threads` workers (0: all). */
ossa_context *test_context(int threads);

/* Frees the context; fails the test where bytes of it are still alive. */
void test_context_end(ossa_context *context);

/* Asserts that `status` is OSSA_OK and shows the context's error where it is not. */
#define assert_ok(context, status) test_assert_ok((context), (status), #status, __FILE__, __LINE__)
void test_assert_ok(ossa_context *context, ossa_status status, const char *text, const char *file, int line);

/* Asserts that a call failed with `expected` and that the message holds `words` (NULL: any). */
#define assert_fails(context, status, expected, words)                                                                         \
	test_assert_fails((context), (status), (expected), (words), #status, __FILE__, __LINE__)
void test_assert_fails(ossa_context *context, ossa_status status, ossa_status expected, const char *words, const char *text,
	const char *file, int line);

/* The count of the context's warning `code` (0: none), and its message (""). */
int64_t test_warned(const ossa_context *context, const char *code);
const char *test_warning_text(const ossa_context *context, const char *code);

/* Asserts that there is no warning and shows the first where there is one. */
#define assert_no_warnings(context) test_assert_no_warnings((context), __FILE__, __LINE__)
void test_assert_no_warnings(const ossa_context *context, const char *file, int line);

/* Asserts |value - expected| <= tolerance; shows both, their difference and the tolerance where
   that is not so. */
#define assert_near(value, expected, tolerance) test_assert_near((value), (expected), (tolerance), #value, __FILE__, __LINE__)
void test_assert_near(double value, double expected, double tolerance, const char *text, const char *file, int line);

/* The same of two points and the distance between them. */
#define assert_near_vec3(value, expected, tolerance)                                                                           \
	test_assert_near_vec3((value), (expected), (tolerance), #value, __FILE__, __LINE__)
void test_assert_near_vec3(
	ossai_vec3 value, ossai_vec3 expected, double tolerance, const char *text, const char *file, int line);

/* The same of `count` numbers one by one. */
#define assert_near_array(count, values, expected, tolerance)                                                                  \
	test_assert_near_array((count), (values), (expected), (tolerance), #values, __FILE__, __LINE__)
void test_assert_near_array(
	size_t count, const double *values, const double *expected, double tolerance, const char *text, const char *file, int line);

/* Asserts that the three numbers at `p` are within `tolerance` of the point, each by itself. */
#define assert_point(p, x, y, z, tolerance) test_assert_point((p), (x), (y), (z), (tolerance), __FILE__, __LINE__)
void test_assert_point(const float *p, double x, double y, double z, double tolerance, const char *file, int line);

/* A fresh empty folder under the system's temporary folder, removed at exit; and a path in it
   (static buffers, 8 alive). */
const char *test_folder(void);
const char *test_path(const char *name);

/* Writes `size` bytes (0: strlen) to a file in the test folder and gives its path. */
const char *test_file(const char *name, const void *bytes, size_t size);

/* Reads a file of fewer than `room` bytes and gives its size; and asserts that a file holds this
   text and no more. */
size_t test_read_bytes(const char *path, void *bytes, size_t capacity);
void test_assert_holds(const char *path, const char *text);

/* 24 random bits from a small generator: the same numbers in every run. */
uint32_t test_random_bits(uint32_t *state);

/* Whether this is a long run (OSSA_LONG_TESTS is set, as scripts/test_long does): every variant is
   tried, where a usual run tries some of each kind. */
bool test_is_long(void);

/* The path of something in ../shared/corpus, or NULL (and a line saying that the test is skipped)
   where that is absent. */
const char *test_corpus(const char *name);

#endif
