/* base/task.c: work beside the caller's, on a thread of its own.

   Place in the path: below everything; with parallel.c the only file that uses threads.
   A task has a context of its own, so that errors, warnings, stages and the count of memory need no
   locks; ossai_task_end adds them to the caller's. What it computes does not depend on when it
   runs. */
#define _GNU_SOURCE /* pthread_getcpuclockid */
#include "base/clock.h"
#include "base/context_state.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

struct ossai_task {
	ossa_context *context, *own; /* the caller's; the task's, NULL where it does not run beside */
	ossai_task_body body;
	void *arg;
	ossa_status status;
	pthread_t thread;
	atomic_bool stop;
	pthread_mutex_t mutex;
	bool has_ended; /* under the mutex, with the next */
	double cpu;
};

/* ---- the processor's time ---- */

static double running_seconds(const struct ossai_task *task)
{
	clockid_t clock;
	struct timespec now;
	if (pthread_getcpuclockid(task->thread, &clock) != 0 || clock_gettime(clock, &now) != 0) return 0;
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double task_seconds(struct ossai_task *task)
{
	pthread_mutex_lock(&task->mutex);
	const double seconds = task->has_ended ? task->cpu : running_seconds(task);
	pthread_mutex_unlock(&task->mutex);
	return seconds;
}

double ossai_context_cpu(const ossa_context *context)
{
	if (context->is_task) return ossai_thread_seconds();
	return ossai_cpu_seconds() - context->task_cpu - (context->task ? task_seconds(context->task) : 0);
}

/* ---- its thread ---- */

static bool goes_on(void *user, const char *stage, double fraction)
{
	struct ossai_task *task = user;
	(void)stage, (void)fraction;
	return !atomic_load_explicit(&task->stop, memory_order_relaxed);
}

static void *run(void *arg)
{
	struct ossai_task *task = arg;
	task->status = task->body(task->own, task->arg);
	pthread_mutex_lock(&task->mutex);
	task->cpu = ossai_thread_seconds();
	task->has_ended = true;
	pthread_mutex_unlock(&task->mutex);
	return NULL;
}

/* an allocator of the embedder's may know one thread only, and a limit is the caller's */
static bool may_run_beside(const ossa_context *context)
{
	const ossa_context_options usual = ossa_context_default();
	const ossa_context_options *own = &context->options;
	return context->threads > 1 && !context->task && !context->is_task && !own->parallel_for && own->memory_limit == 0 &&
		own->allocator.resize == usual.allocator.resize;
}

/* where there is no thread or memory for it, the task is done at its end */
static void start(struct ossai_task *task)
{
	ossa_context_options options = ossa_context_default();
	options.threads = 1;
	options.progress = goes_on;
	options.progress_user = task;
	if (ossa_context_create(&options, &task->own) != OSSA_OK) return;
	task->own->is_task = true;
	pthread_mutex_init(&task->mutex, NULL);
	if (pthread_create(&task->thread, NULL, run, task) == 0) {
		task->context->task = task;
		return;
	}
	pthread_mutex_destroy(&task->mutex);
	ossa_context_free(task->own);
	task->own = NULL;
}

ossai_task *ossai_task_begin(ossa_context *context, ossai_task_body body, void *arg)
{
	struct ossai_task *task = ossa_alloc(context, 1, sizeof *task);
	if (!task) return NULL;
	*task = (struct ossai_task){.context = context, .body = body, .arg = arg};
	if (may_run_beside(context)) start(task);
	return task;
}

/* ---- its end ---- */

/* blocks that are left are freed by the caller's context later; both were in use at once */
static void take_results(struct ossai_task *task, bool has_warnings)
{
	ossa_context *context = task->context, *own = task->own;
	pthread_join(task->thread, NULL);
	pthread_mutex_destroy(&task->mutex);
	context->task = NULL;
	context->task_cpu += task->cpu;
	context->bytes += own->bytes;
	context->peak_bytes += own->peak_bytes;
	context->stage_peak += own->peak_bytes;
	for (size_t i = 0; has_warnings && i < own->warning_count; i++)
		ossai_warn(context, own->warnings[i].code, own->warnings[i].count, "%s", own->warnings[i].message);
	ossai_stages_add(context, own);
	if (task->status != OSSA_OK) ossai_fail_again(context, &own->error);
	own->bytes = 0;
	ossa_context_free(own);
}

ossa_status ossai_task_end(ossai_task *task)
{
	ossa_context *context = task->context;
	if (task->own) take_results(task, true);
	else task->status = task->body(context, task->arg);
	const ossa_status status = task->status;
	ossa_free(context, task);
	return status;
}

bool ossai_task_drop(ossai_task *task)
{
	if (!task) return false;
	const bool has_begun = task->own != NULL;
	const ossa_error error = task->context->error;
	if (has_begun) {
		atomic_store_explicit(&task->stop, true, memory_order_relaxed);
		take_results(task, false);
		/* the caller's own error, for which the task is dropped */
		task->context->error = error;
	}
	ossa_free(task->context, task);
	return has_begun;
}
