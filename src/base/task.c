/* base/task.c: work beside the caller's, on one of the context's workers.

   Place in the path: below everything; with parallel.c the only file that uses threads.
   A task has a context of its own, so that errors, warnings, stages and the count of memory need no
   locks; ossai_task_end adds them to the caller's. Its loops are shared by all workers, as the
   caller's are. What it computes does not depend on when and where it runs. */
#include "base/clock.h"
#include "base/workers.h"

#include <time.h>

/* nanoseconds between two questions to a user whether to go on, while the caller waits */
enum { PATIENCE = 20000000 };

typedef enum task_state { WAITS, RUNS, HAS_ENDED } task_state;

struct ossai_task {
	ossa_context *context, *own; /* the caller's; the task's, NULL where it does not run beside */
	ossai_task_body body;
	void *arg;
	const char *stage; /* the caller's; "": none */
	ossa_status status;
	atomic_bool stop;
	task_state state; /* under the workers' mutex, with the next */
	struct ossai_task *next;
};

/* ---- the processor's time ---- */

double ossai_context_cpu(const ossa_context *context)
{
	/* of threads of an embedder's only the sum is known; there are no tasks then */
	if (context->options.parallel_for) return ossai_cpu_seconds();
	return ossai_thread_seconds() + context->helped_seconds;
}

/* ---- workers ---- */

void ossai_task_run_first(struct ossai_workers *workers)
{
	struct ossai_task *task = workers->tasks;
	workers->tasks = task->next;
	task->state = RUNS;
	pthread_mutex_unlock(&workers->mutex);
	if (task->stage[0]) ossai_stage_begin(task->own, task->stage);
	task->status = task->body(task->own, task->arg);
	if (task->stage[0]) ossai_stage_end(task->own);
	pthread_mutex_lock(&workers->mutex);
	task->state = HAS_ENDED;
	pthread_cond_broadcast(&workers->work);
}

/* ---- the caller ---- */

static bool goes_on(void *user, const char *stage, double fraction)
{
	struct ossai_task *task = user;
	(void)stage, (void)fraction;
	return !atomic_load_explicit(&task->stop, memory_order_relaxed);
}

/* an allocator of the embedder's may know one thread only, and a limit is the caller's */
static bool may_run_beside(const ossa_context *context)
{
	const ossa_context_options usual = ossa_context_default();
	const ossa_context_options *own = &context->options;
	return !own->parallel_for && own->memory_limit == 0 && own->allocator.resize == usual.allocator.resize;
}

static ossa_context *make_context(struct ossai_task *task, struct ossai_workers *workers)
{
	ossa_context *own;
	ossa_context_options options = ossa_context_default();
	options.threads = task->context->threads;
	options.progress = goes_on;
	options.progress_user = task;
	if (ossa_context_create(&options, &own) != OSSA_OK) return NULL;
	own->is_task = true;
	own->workers = workers;
	return own;
}

/* where there is no worker or memory for it, the task is done at its end */
static void start(struct ossai_task *task)
{
	struct ossai_workers *workers = may_run_beside(task->context) ? ossai_workers_of(task->context) : NULL;
	if (!workers || workers->count == 0) return;
	task->own = make_context(task, workers);
	if (!task->own) return;
	pthread_mutex_lock(&workers->mutex);
	struct ossai_task **last = &workers->tasks;
	while (*last) last = &(*last)->next;
	*last = task;
	pthread_cond_signal(&workers->work);
	pthread_mutex_unlock(&workers->mutex);
}

ossai_task *ossai_task_begin(ossa_context *context, ossai_task_body body, void *arg)
{
	struct ossai_task *task = ossa_alloc(context, 1, sizeof *task);
	if (!task) return NULL;
	*task = (struct ossai_task){.context = context, .body = body, .arg = arg, .stage = ossai_stage_running(context)};
	start(task);
	return task;
}

/* ---- its end ---- */

/* from the workers, if none has begun it */
static bool take_back(struct ossai_workers *workers, struct ossai_task *task)
{
	pthread_mutex_lock(&workers->mutex);
	const bool waits = task->state == WAITS;
	struct ossai_task **at = &workers->tasks;
	while (waits && *at != task) at = &(*at)->next;
	if (waits) *at = task->next;
	pthread_mutex_unlock(&workers->mutex);
	return waits;
}

static void wait_a_little(struct ossai_workers *workers)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += PATIENCE;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_cond_timedwait(&workers->work, &workers->mutex, &until);
}

/* Helps others meanwhile, as a worker does. A task waits for those that it began itself alone, so
   that none that is run here can wait for what is below it on the stack. Returns whether the user
   wants to stop. */
static bool wait_for(struct ossai_workers *workers, struct ossai_task *task)
{
	ossa_context *context = task->context;
	const double begin = ossai_thread_seconds();
	pthread_mutex_lock(&workers->mutex);
	bool stops = false;
	while (task->state != HAS_ENDED) {
		if (!ossai_workers_help(workers)) wait_a_little(workers);
		pthread_mutex_unlock(&workers->mutex);
		stops = stops || ossai_ask(context) != OSSA_OK;
		if (stops) atomic_store_explicit(&task->stop, true, memory_order_relaxed);
		pthread_mutex_lock(&workers->mutex);
	}
	pthread_mutex_unlock(&workers->mutex);
	/* what helped others is not of this one's stage */
	context->helped_seconds -= ossai_thread_seconds() - begin;
	return stops;
}

/* blocks that are left are freed by the caller's context later; both were in use at once */
static void take_results(struct ossai_task *task, bool has_warnings)
{
	ossa_context *context = task->context, *own = task->own;
	context->bytes += own->bytes;
	context->peak_bytes += own->peak_bytes;
	context->stage_peak += own->peak_bytes;
	for (size_t i = 0; has_warnings && i < own->warning_count; i++)
		ossai_warn(context, own->warnings[i].code, own->warnings[i].count, "%s", own->warnings[i].message);
	ossai_stages_add(context, own);
	own->bytes = 0;
}

/* false: nobody has begun it */
static bool has_run_beside(struct ossai_task *task, bool has_warnings)
{
	if (!task->own) return false;
	struct ossai_workers *workers = task->own->workers;
	const bool has_run = !take_back(workers, task);
	if (has_run) {
		/* what has ended before it could stop is as good as stopped */
		if (wait_for(workers, task) && task->status == OSSA_OK) task->status = OSSA_ERROR_CANCELLED;
		else if (task->status != OSSA_OK) ossai_fail_again(task->context, &task->own->error);
		take_results(task, has_warnings);
	}
	ossa_context_free(task->own);
	return has_run;
}

ossa_status ossai_task_end(ossai_task *task)
{
	ossa_context *context = task->context;
	if (!has_run_beside(task, true)) task->status = task->body(context, task->arg);
	const ossa_status status = task->status;
	ossa_free(context, task);
	return status;
}

bool ossai_task_drop(ossai_task *task)
{
	if (!task) return false;
	/* the caller's own, for which the task is dropped, is kept */
	const ossa_error error = task->context->error;
	atomic_store_explicit(&task->stop, true, memory_order_relaxed);
	const bool has_run = has_run_beside(task, false);
	task->context->error = error;
	ossa_free(task->context, task);
	return has_run;
}
