/* base/parallel.c: the only file that knows OpenMP.

   Place in the path: below everything. Ranges are cut by the grain alone, never by the number of threads, so that
   what a range computes, and the order in which ranges are combined, is the same for any number. */
#include "base/context_state.h"

typedef struct range_job {
	size_t count, grain;
	ossai_range_body body;
	void *arg;
} range_job;

static void run_range(void *arg, size_t index)
{
	const range_job *job = arg;
	const size_t begin = index * job->grain;
	const size_t left = job->count - begin;
	job->body(job->arg, begin, begin + (left < job->grain ? left : job->grain));
}

void ossai_parallel_for(ossa_context *context, size_t count, size_t grain, ossai_range_body body, void *arg)
{
	if (count == 0) return;
	range_job job = {count, grain ? grain : 1, body, arg};
	const size_t ranges = (count - 1) / job.grain + 1;
	if (context->options.parallel_for) {
		context->options.parallel_for(context->options.parallel_for_user, ranges, run_range, &job);
		return;
	}
	if (ranges == 1 || context->threads == 1) {
		for (size_t i = 0; i < ranges; i++) run_range(&job, i);
		return;
	}
#pragma omp parallel for schedule(dynamic, 1) num_threads(context->threads)
	for (size_t i = 0; i < ranges; i++) run_range(&job, i);
}
