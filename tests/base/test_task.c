/* tests/base/test_task.c: work beside the caller's, and in its place where there is one thread. */
#include "base/context.h"
#include "support/support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

/* what a body is given, and what it leaves */
typedef struct job {
	int calls;
	bool fails;
	pthread_t thread;
	char *block;
} job;

static ossa_status work(ossa_context *context, void *arg)
{
	job *j = arg;
	j->calls++;
	j->thread = pthread_self();
	ossai_stage_begin(context, "dig");
	ossai_warn(context, "idle-bones", 2, "two of them");
	char *gone = ossai_new(context, 1000, 1);
	j->block = ossai_new(context, 500, 1);
	ossa_free(context, gone);
	ossai_stage_end(context);
	return j->fails ? ossai_fail(context, OSSA_ERROR_INPUT, NULL, "no ground") : OSSA_OK;
}

static void results_are_the_callers(void **state)
{
	(void)state;
	for (int threads = 1; threads <= 2; threads++) {
		ossa_context *context = test_context(threads);
		job j = {0};
		ossai_warn(context, "idle-bones", 1, "one before");
		ossai_task *task = ossai_task_begin(context, work, &j);
		assert_non_null(task);
		char *own = ossai_new(context, 100, 1);
		assert_ok(context, ossai_task_end(task));
		assert_int_equal(j.calls, 1);
		assert_int_equal(pthread_equal(j.thread, pthread_self()) != 0, threads == 1);
		assert_int_equal(ossa_context_bytes(context), 600);
		assert_true(ossa_context_peak_bytes(context) >= 1600);
		assert_int_equal(test_warned(context, "idle-bones"), 3);
		assert_string_equal(test_warning_text(context, "idle-bones"), "one before");
		assert_int_equal(ossa_context_stage_count(context), 1);
		assert_string_equal(ossa_context_stage(context, 0)->name, "dig");
		ossa_free(context, own);
		ossa_free(context, j.block);
		test_context_end(context);
	}
}

static void errors_are_the_callers(void **state)
{
	(void)state;
	for (int threads = 1; threads <= 2; threads++) {
		ossa_context *context = test_context(threads);
		job j = {.fails = true};
		ossai_task *task = ossai_task_begin(context, work, &j);
		assert_fails(context, ossai_task_end(task), OSSA_ERROR_INPUT, "no ground");
		ossa_free(context, j.block);
		test_context_end(context);
	}
}

/* ---- one that is not needed ---- */

static ossa_status wait_for_stop(ossa_context *context, void *arg)
{
	atomic_int *calls = arg;
	for (;;) {
		atomic_fetch_add(calls, 1);
		OSSAI_TRY(ossai_ask(context));
	}
}

static void tasks_stop_where_they_are_dropped(void **state)
{
	(void)state;
	for (int threads = 1; threads <= 2; threads++) {
		ossa_context *context = test_context(threads);
		atomic_int calls = 0;
		ossai_task *task = ossai_task_begin(context, wait_for_stop, &calls);
		/* the error for which it is dropped stays */
		ossai_fail(context, OSSA_ERROR_LIMIT, NULL, "the caller's own");
		assert_int_equal(ossai_task_drop(task), threads == 2);
		assert_int_equal(atomic_load(&calls) > 0, threads == 2);
		assert_string_equal(ossa_context_error(context)->message, "the caller's own");
		assert_false(ossai_task_drop(NULL));
		test_context_end(context);
	}
}

/* ---- where nothing runs beside ---- */

static void run_here(void *user, size_t count, void (*body)(void *arg, size_t index), void *arg)
{
	(void)user;
	for (size_t i = 0; i < count; i++) body(arg, i);
}

static void *resize(void *user, void *block, size_t size)
{
	const ossa_context_options usual = ossa_context_default();
	return usual.allocator.resize(user, block, size);
}

static void what_is_the_embedders_stays_on_its_thread(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		ossa_context_options options = ossa_context_default();
		ossa_context *context;
		options.threads = 4;
		if (i == 0) options.parallel_for = run_here;
		if (i == 1) options.memory_limit = 1 << 20;
		if (i == 2) options.allocator.resize = resize;
		assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
		job first = {0}, j = {0};
		/* one at a time: the second of two waits */
		ossai_task *other = i == 3 ? ossai_task_begin(context, work, &first) : NULL;
		ossai_task *task = ossai_task_begin(context, work, &j);
		assert_int_equal(j.calls, 0);
		assert_ok(context, ossai_task_end(task));
		assert_true(j.calls == 1 && pthread_equal(j.thread, pthread_self()));
		if (other) assert_ok(context, ossai_task_end(other));
		ossa_free(context, first.block);
		ossa_free(context, j.block);
		assert_int_equal(ossa_context_bytes(context), 0);
		ossa_context_free(context);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_the_callers), cmocka_unit_test(errors_are_the_callers),
		cmocka_unit_test(tasks_stop_where_they_are_dropped), cmocka_unit_test(what_is_the_embedders_stays_on_its_thread)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
