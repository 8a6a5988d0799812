/* base/workers.h: the threads of a context, for parallel.c and task.c alone.

   Place in the path: below everything. Workers serve the loops of the context and of its tasks:
   each takes ranges of any loop that has some left, or runs a task that nobody has begun. So tasks
   and their loops share as many threads as there are, and none waits for another's loop. */
#ifndef OSSAI_BASE_WORKERS_H
#define OSSAI_BASE_WORKERS_H

#include "base/context_state.h"

#include <pthread.h>
#include <stdatomic.h>

/* A loop, while its caller runs it. */
typedef struct ossai_loop {
	size_t count, grain, ranges;
	ossai_range_body body;
	void *arg;
	atomic_size_t next;    /* range to take */
	int helpers;           /* workers that run ranges of it; under the mutex, with the others */
	double helped_seconds; /* on the processor, of workers that have left it */
	struct ossai_loop *next_loop;
} ossai_loop;

struct ossai_workers {
	pthread_mutex_t mutex;
	/* there is something to do, or a task has ended; a loop's last helper has left it */
	pthread_cond_t work, left;
	ossai_loop *loops;        /* newest first */
	struct ossai_task *tasks; /* that nobody has begun, oldest first */
	bool quit;
	int count;
	pthread_t threads[];
};

/* The context's workers, made when first needed; a task's are its caller's. NULL or a count of 0
   where the system gives no threads or one is wanted. */
struct ossai_workers *ossai_workers_of(ossa_context *context);

/* With the mutex held, which is given up meanwhile: runs a task that nobody has begun, or ranges of
   a loop until none is left. false: there is nothing to do. */
bool ossai_workers_help(struct ossai_workers *workers);

/* task.c: the same for the first of such tasks, of which there is one. */
void ossai_task_run_first(struct ossai_workers *workers);

#endif
