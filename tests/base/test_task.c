/* tests/base/test_task.c: work beside the caller's, and in its place where there is one thread. */
#include "base/clock.h"
#include "base/context.h"
#include "support/support.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* what a body is given, and what it leaves */
typedef struct job {
	atomic_int calls;
	bool fails;
	pthread_t thread;
	char *block;
} job;

static ossa_status work(ossa_context *context, void *arg)
{
	job *j = arg;
	j->thread = pthread_self();
	atomic_fetch_add(&j->calls, 1);
	ossai_stage_begin(context, "dig");
	ossai_warn(context, "idle-bones", 2, "two of them");
	char *gone = ossai_new(context, 1000, 1);
	j->block = ossai_new(context, 500, 1);
	ossa_free(context, gone);
	ossai_stage_end(context);
	return j->fails ? ossai_fail(context, OSSA_ERROR_INPUT, NULL, "no ground") : OSSA_OK;
}

static void wait_for_calls(const atomic_int *calls)
{
	while (atomic_load(calls) == 0) sched_yield();
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
		if (threads > 1) wait_for_calls(&j.calls);
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

/* a body without stages, whose blocks are in an arena of its own */
static ossa_status fill(ossa_context *context, void *arg)
{
	ossai_arena *arena = arg;
	*arena = ossai_arena_begin(context);
	for (int i = 0; i < 3; i++) {
		char *block = ossai_arena_new(arena, 100, 1);
		if (!block) return ossa_context_error(context)->status;
		memset(block, i, 100);
	}
	const double begin = ossai_thread_seconds();
	while (ossai_thread_seconds() - begin < 0.002) continue;
	return OSSA_OK;
}

static void what_is_in_no_stage_counts_to_the_callers(void **state)
{
	(void)state;
	for (int threads = 1; threads <= 2; threads++) {
		ossa_context *context = test_context(threads);
		ossai_arena own = ossai_arena_begin(context), of_task = {0};
		assert_non_null(ossai_arena_new(&own, 10, 1));
		const size_t before = ossa_context_bytes(context);
		ossai_stage_begin(context, "sow");
		assert_string_equal(ossai_stage_running(context), "sow");
		assert_ok(context, ossai_task_end(ossai_task_begin(context, fill, &of_task)));
		ossai_stage_end(context);
		assert_string_equal(ossai_stage_running(context), "");
		assert_int_equal(ossa_context_stage_count(context), 1);
		assert_true(ossa_context_stage(context, 0)->cpu_seconds >= 0.002);
		assert_true(ossa_context_bytes(context) >= before + 300);
		of_task.context = context;
		ossai_arena_take(&own, &of_task);
		ossai_arena_end(&of_task);
		assert_true(ossa_context_bytes(context) >= before + 300);
		ossai_arena_end(&own);
		assert_int_equal(ossa_context_bytes(context), 0);
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
		if (threads > 1) wait_for_calls(&calls);
		/* the error for which it is dropped stays */
		ossai_fail(context, OSSA_ERROR_LIMIT, NULL, "the caller's own");
		assert_int_equal(ossai_task_drop(task), threads == 2);
		assert_int_equal(atomic_load(&calls) > 0, threads == 2);
		assert_string_equal(ossa_context_error(context)->message, "the caller's own");
		assert_false(ossai_task_drop(NULL));
		test_context_end(context);
	}
}

/* a user may stop what the caller waits for */
static bool stops_later(void *user, const char *stage, double fraction)
{
	(void)stage, (void)fraction;
	return ++*(int *)user < 3;
}

static void tasks_stop_where_the_user_stops(void **state)
{
	(void)state;
	int asked = 0;
	ossa_context_options options = ossa_context_default();
	ossa_context *context;
	options.threads = 2;
	options.progress = stops_later;
	options.progress_user = &asked;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	atomic_int calls = 0;
	ossai_task *task = ossai_task_begin(context, wait_for_stop, &calls);
	wait_for_calls(&calls);
	assert_int_equal(ossai_task_end(task), OSSA_ERROR_CANCELLED);
	assert_int_equal(asked, 3);
	test_context_end(context);
}

/* ---- several, with loops ---- */

enum { TASKS = 5, LOOPS = 40, ITEMS = 1000 };

typedef struct sums {
	uint64_t item[ITEMS];
	uint64_t all;
} sums;

static void square_items(void *arg, size_t begin, size_t end)
{
	sums *s = arg;
	for (size_t i = begin; i < end; i++) s->item[i] += i * i;
}

static ossa_status run_loops(ossa_context *context, void *arg)
{
	sums *s = arg;
	ossai_stage_begin(context, "loops");
	for (size_t i = 0; i < LOOPS; i++) ossai_parallel_for(context, ITEMS, 1 + i, square_items, s);
	for (size_t i = 0; i < ITEMS; i++) s->all += s->item[i];
	ossai_stage_end(context);
	return OSSA_OK;
}

static void tasks_and_the_caller_share_threads(void **state)
{
	(void)state;
	for (int threads = 1; threads <= 8; threads++) {
		ossa_context *context = test_context(threads);
		sums *s = calloc(TASKS + 1, sizeof *s);
		ossai_task *task[TASKS];
		assert_non_null(s);
		for (size_t i = 0; i < TASKS; i++) task[i] = ossai_task_begin(context, run_loops, &s[i]);
		assert_ok(context, run_loops(context, &s[TASKS]));
		/* in another order than they began */
		for (size_t i = 0; i < TASKS; i++) assert_ok(context, ossai_task_end(task[i * 3 % TASKS]));
		for (size_t i = 0; i <= TASKS; i++)
			assert_true(s[i].all == (uint64_t)LOOPS * (ITEMS - 1) * ITEMS * (2 * ITEMS - 1) / 6);
		assert_int_equal(ossa_context_stage_count(context), 1);
		assert_true(ossa_context_stage(context, 0)->cpu_seconds >= 0);
		free(s);
		test_context_end(context);
	}
}

/* seconds on the processor, of one thread */
static void spin(double seconds)
{
	const double begin = ossai_thread_seconds();
	while (ossai_thread_seconds() - begin < seconds) continue;
}

static void spin_items(void *arg, size_t begin, size_t end) { spin(*(const double *)arg * (double)(end - begin)); }

static ossa_status spin_stage(ossa_context *context, void *arg)
{
	ossai_stage_begin(context, arg);
	double each = 1e-3;
	for (size_t i = 0; i < 5; i++) ossai_parallel_for(context, 8, 1, spin_items, &each);
	ossai_stage_end(context);
	return OSSA_OK;
}

/* each stage has the time of its own loops, on whatever thread they ran */
static void stages_cost_what_their_loops_do(void **state)
{
	(void)state;
	static char names[][8] = {"one", "two", "three"};
	for (int threads = 1; threads <= 4; threads++) {
		ossa_context *context = test_context(threads);
		ossai_task *one = ossai_task_begin(context, spin_stage, names[0]);
		ossai_task *two = ossai_task_begin(context, spin_stage, names[1]);
		assert_ok(context, spin_stage(context, names[2]));
		assert_ok(context, ossai_task_end(one));
		assert_ok(context, ossai_task_end(two));
		assert_int_equal(ossa_context_stage_count(context), 3);
		for (size_t i = 0; i < 3; i++) {
			const double seconds = ossa_context_stage(context, i)->cpu_seconds;
			assert_true(seconds >= 0.04 && seconds < 0.06);
		}
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
	for (int i = 0; i < 3; i++) {
		ossa_context_options options = ossa_context_default();
		ossa_context *context;
		options.threads = 4;
		if (i == 0) options.parallel_for = run_here;
		if (i == 1) options.memory_limit = 1 << 20;
		if (i == 2) options.allocator.resize = resize;
		assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
		job j = {0};
		ossai_task *task = ossai_task_begin(context, work, &j);
		assert_int_equal(j.calls, 0);
		assert_ok(context, ossai_task_end(task));
		assert_true(j.calls == 1 && pthread_equal(j.thread, pthread_self()));
		ossa_free(context, j.block);
		assert_int_equal(ossa_context_bytes(context), 0);
		ossa_context_free(context);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_the_callers),
		cmocka_unit_test(what_is_in_no_stage_counts_to_the_callers), cmocka_unit_test(errors_are_the_callers),
		cmocka_unit_test(tasks_stop_where_they_are_dropped), cmocka_unit_test(tasks_stop_where_the_user_stops),
		cmocka_unit_test(tasks_and_the_caller_share_threads), cmocka_unit_test(stages_cost_what_their_loops_do),
		cmocka_unit_test(what_is_the_embedders_stays_on_its_thread)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
