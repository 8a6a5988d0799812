/* tests/support/watched_threads.c: a parallel_for of plain POSIX threads, for builds under the thread sanitizer, which cannot
   see into OpenMP's runtime and would take its barriers for races. */
#include "support/support.h"

#include <pthread.h>
#include <stdatomic.h>

enum { WATCHED_THREADS = 4 };

typedef struct watched_job {
	size_t count;
	atomic_size_t next;
	void (*body)(void *arg, size_t index);
	void *arg;
} watched_job;

static void *work(void *user)
{
	watched_job *job = user;
	for (size_t i = atomic_fetch_add(&job->next, 1); i < job->count; i = atomic_fetch_add(&job->next, 1)) {
		job->body(job->arg, i);
	}
	return NULL;
}

void test_watched_parallel_for(void *user, size_t count, void (*body)(void *arg, size_t index), void *arg)
{
	(void)user;
	watched_job job = {.count = count, .body = body, .arg = arg};
	pthread_t threads[WATCHED_THREADS];
	const size_t started = count < WATCHED_THREADS ? count : WATCHED_THREADS;
	for (size_t i = 0; i < started; i++) assert_int_equal(pthread_create(&threads[i], NULL, work, &job), 0);
	for (size_t i = 0; i < started; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
}
