/* base/parallel.c: loops on several threads; with task.c the only file that uses threads.

   Place in the path: below everything. Ranges are cut by the grain alone, never by the number of
   threads, so that what a range computes, and the order in which ranges are combined, is the same
   for any number.
   Plain POSIX threads rather than OpenMP: its runtime lets idle threads spin between loops, which
   the library cannot turn off from inside; with another busy program on the machine that took six
   times the processor time of these waits. */
#include "base/context_state.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS_MAX = 256 };

typedef struct range_job {
	size_t count, grain;
	ossai_range_body body;
	void *arg;
} range_job;

struct ossai_workers {
	pthread_mutex_t mutex;
	pthread_cond_t work, done;
	range_job job;
	size_t ranges;
	atomic_size_t next;  /* range to take */
	unsigned generation; /* of the job: a worker joins each job once */
	int running, count;  /* workers in the job; workers there are */
	bool quit;
	pthread_t threads[];
};

int ossai_processor_count(void)
{
	const long count = sysconf(_SC_NPROCESSORS_ONLN);
	return count < 1 ? 1 : count > THREADS_MAX ? THREADS_MAX : (int)count;
}

static void run_range(const range_job *job, size_t index)
{
	const size_t begin = index * job->grain;
	const size_t left = job->count - begin;
	job->body(job->arg, begin, begin + (left < job->grain ? left : job->grain));
}

static void run_ranges(struct ossai_workers *workers)
{
	for (;;) {
		const size_t index = atomic_fetch_add_explicit(&workers->next, 1, memory_order_relaxed);
		if (index >= workers->ranges) return;
		run_range(&workers->job, index);
	}
}

static void *worker_main(void *arg)
{
	struct ossai_workers *workers = arg;
	unsigned seen = 0;
	pthread_mutex_lock(&workers->mutex);
	for (;;) {
		while (!workers->quit && workers->generation == seen) pthread_cond_wait(&workers->work, &workers->mutex);
		if (workers->quit) break;
		seen = workers->generation;
		pthread_mutex_unlock(&workers->mutex);
		run_ranges(workers);
		pthread_mutex_lock(&workers->mutex);
		if (--workers->running == 0) pthread_cond_signal(&workers->done);
	}
	pthread_mutex_unlock(&workers->mutex);
	return NULL;
}

/* the context's workers, made when first needed; NULL where the system gives none: the caller
   then works alone */
static struct ossai_workers *workers_of(ossa_context *context)
{
	if (context->workers || context->threads < 2) return context->workers;
	const int wanted = (context->threads < THREADS_MAX ? context->threads : THREADS_MAX) - 1;
	struct ossai_workers *workers = calloc(1, sizeof *workers + (size_t)wanted * sizeof workers->threads[0]);
	if (!workers) return NULL;
	pthread_mutex_init(&workers->mutex, NULL);
	pthread_cond_init(&workers->work, NULL);
	pthread_cond_init(&workers->done, NULL);
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
	if (!workers) return;
	pthread_mutex_lock(&workers->mutex);
	workers->quit = true;
	pthread_cond_broadcast(&workers->work);
	pthread_mutex_unlock(&workers->mutex);
	for (int i = 0; i < workers->count; i++) pthread_join(workers->threads[i], NULL);
	pthread_mutex_destroy(&workers->mutex);
	pthread_cond_destroy(&workers->work);
	pthread_cond_destroy(&workers->done);
	free(workers);
	context->workers = NULL;
}

/* all workers and the caller take ranges until none is left */
static void run_job(struct ossai_workers *workers, const range_job *job, size_t ranges)
{
	pthread_mutex_lock(&workers->mutex);
	workers->job = *job;
	workers->ranges = ranges;
	atomic_store_explicit(&workers->next, 0, memory_order_relaxed);
	workers->running = workers->count;
	workers->generation++;
	pthread_cond_broadcast(&workers->work);
	pthread_mutex_unlock(&workers->mutex);
	run_ranges(workers);
	pthread_mutex_lock(&workers->mutex);
	while (workers->running > 0) pthread_cond_wait(&workers->done, &workers->mutex);
	pthread_mutex_unlock(&workers->mutex);
}

static void call_range(void *arg, size_t index) { run_range(arg, index); }

void ossai_parallel_for(ossa_context *context, size_t count, size_t grain, ossai_range_body body, void *arg)
{
	if (count == 0) return;
	range_job job = {count, grain ? grain : 1, body, arg};
	const size_t ranges = (count - 1) / job.grain + 1;
	if (context->options.parallel_for) {
		context->options.parallel_for(context->options.parallel_for_user, ranges, call_range, &job);
		return;
	}
	struct ossai_workers *workers = ranges > 1 ? workers_of(context) : NULL;
	if (workers && workers->count > 0) {
		run_job(workers, &job, ranges);
		return;
	}
	for (size_t i = 0; i < ranges; i++) run_range(&job, i);
}
