/* base/parallel.c: loops on several threads; with task.c the only file that uses threads.

   Place in the path: below everything. Ranges are cut by the grain alone, never by the number of
   threads, so that what a range computes, and the order in which ranges are combined, is the same
   for any number.
   Plain POSIX threads rather than OpenMP: its runtime lets idle threads spin between loops, which
   the library cannot turn off from inside; with another busy program on the machine that took six
   times the processor time of these waits. */
#include "base/clock.h"
#include "base/workers.h"

#include <stdlib.h>
#include <unistd.h>

enum { THREADS_MAX = 256 };

int ossai_processor_count(void)
{
	const long count = sysconf(_SC_NPROCESSORS_ONLN);
	return count < 1 ? 1 : count > THREADS_MAX ? THREADS_MAX : (int)count;
}

/* ---- loops ---- */

static void run_range(const ossai_loop *loop, size_t index)
{
	const size_t begin = index * loop->grain;
	const size_t left = loop->count - begin;
	loop->body(loop->arg, begin, begin + (left < loop->grain ? left : loop->grain));
}

static void run_ranges(ossai_loop *loop)
{
	for (;;) {
		const size_t index = atomic_fetch_add_explicit(&loop->next, 1, memory_order_relaxed);
		if (index >= loop->ranges) return;
		run_range(loop, index);
	}
}

static ossai_loop *loop_to_help(struct ossai_workers *workers)
{
	for (ossai_loop *loop = workers->loops; loop; loop = loop->next_loop) {
		if (atomic_load_explicit(&loop->next, memory_order_relaxed) < loop->ranges) return loop;
	}
	return NULL;
}

static void help_loop(struct ossai_workers *workers, ossai_loop *loop)
{
	loop->helpers++;
	pthread_mutex_unlock(&workers->mutex);
	const double begin = ossai_thread_seconds();
	run_ranges(loop);
	const double seconds = ossai_thread_seconds() - begin;
	pthread_mutex_lock(&workers->mutex);
	loop->helped_seconds += seconds;
	if (--loop->helpers == 0) pthread_cond_broadcast(&workers->left);
}

/* ---- workers ---- */

bool ossai_workers_help(struct ossai_workers *workers)
{
	ossai_loop *loop = workers->tasks ? NULL : loop_to_help(workers);
	/* tasks are long, and loops go on without help */
	if (workers->tasks) ossai_task_run_first(workers);
	else if (loop) help_loop(workers, loop);
	else return false;
	return true;
}

static void *worker_main(void *arg)
{
	struct ossai_workers *workers = arg;
	pthread_mutex_lock(&workers->mutex);
	while (!workers->quit) {
		if (!ossai_workers_help(workers)) pthread_cond_wait(&workers->work, &workers->mutex);
	}
	pthread_mutex_unlock(&workers->mutex);
	return NULL;
}

struct ossai_workers *ossai_workers_of(ossa_context *context)
{
	if (context->workers || context->threads < 2) return context->workers;
	const int wanted = (context->threads < THREADS_MAX ? context->threads : THREADS_MAX) - 1;
	struct ossai_workers *workers = calloc(1, sizeof *workers + (size_t)wanted * sizeof workers->threads[0]);
	if (!workers) return NULL;
	pthread_mutex_init(&workers->mutex, NULL);
	pthread_cond_init(&workers->work, NULL);
	pthread_cond_init(&workers->left, NULL);
	/* workers that run already read none of this */
	while (workers->count < wanted) {
		if (pthread_create(&workers->threads[workers->count], NULL, worker_main, workers) != 0) break;
		workers->count++;
	}
	context->workers = workers;
	return workers;
}

void ossai_workers_end(ossa_context *context)
{
	struct ossai_workers *workers = context->workers;
	context->workers = NULL;
	if (!workers || context->is_task) return;
	pthread_mutex_lock(&workers->mutex);
	workers->quit = true;
	pthread_cond_broadcast(&workers->work);
	pthread_mutex_unlock(&workers->mutex);
	for (int i = 0; i < workers->count; i++) pthread_join(workers->threads[i], NULL);
	pthread_mutex_destroy(&workers->mutex);
	pthread_cond_destroy(&workers->work);
	pthread_cond_destroy(&workers->left);
	free(workers);
}

/* ---- the caller ---- */

static void take_out(struct ossai_workers *workers, const ossai_loop *loop)
{
	ossai_loop **at = &workers->loops;
	while (*at != loop) at = &(*at)->next_loop;
	*at = loop->next_loop;
}

/* Workers that are free and the caller take ranges until none is left. Returns the seconds of the
   workers on the processor. */
static double share_loop(struct ossai_workers *workers, ossai_loop *loop)
{
	pthread_mutex_lock(&workers->mutex);
	loop->next_loop = workers->loops;
	workers->loops = loop;
	for (size_t i = 1; i < loop->ranges && i <= (size_t)workers->count; i++) pthread_cond_signal(&workers->work);
	pthread_mutex_unlock(&workers->mutex);
	run_ranges(loop);
	pthread_mutex_lock(&workers->mutex);
	take_out(workers, loop);
	while (loop->helpers > 0) pthread_cond_wait(&workers->left, &workers->mutex);
	pthread_mutex_unlock(&workers->mutex);
	return loop->helped_seconds;
}

static void call_range(void *arg, size_t index) { run_range(arg, index); }

void ossai_parallel_for(ossa_context *context, size_t count, size_t grain, ossai_range_body body, void *arg)
{
	if (count == 0) return;
	ossai_loop loop = {.count = count, .grain = grain ? grain : 1, .body = body, .arg = arg};
	loop.ranges = (count - 1) / loop.grain + 1;
	if (context->options.parallel_for) {
		context->options.parallel_for(context->options.parallel_for_user, loop.ranges, call_range, &loop);
		return;
	}
	struct ossai_workers *workers = loop.ranges > 1 ? ossai_workers_of(context) : NULL;
	if (workers && workers->count > 0) {
		context->helped_seconds += share_loop(workers, &loop);
		return;
	}
	for (size_t i = 0; i < loop.ranges; i++) run_range(&loop, i);
}
