/* tools/ossa/batch/jobs.h: one asset that is being rigged. */
#ifndef OSSA_BATCH_JOBS_H
#define OSSA_BATCH_JOBS_H

#include "batch/batch.h"
#include "batch/lock.h"
#include "batch/outcome.h"
#include "batch/report_file.h"
#include "batch/sidecar.h"

/* What all jobs of a shard share. */
typedef struct job_shop {
	command_run *run;
	const batch_options *options;
	const manifest *made;
	report_file report;
	char shard[32]; /* "3/16" */
	int threads;    /* of each child */
	batch_pause pause;
	size_t unsaved; /* sidecars that could not be written */
} job_shop;

typedef struct batch_job {
	bool is_active;
	size_t index; /* of its line */
	batch_asset asset;
	batch_child child;
	size_t lock_count;
	batch_lock *locks;  /* one for each file that is written */
	file_stamp *stamps; /* of the asset's reads, before the work */
	int64_t before;     /* sequence of an earlier run */
} batch_job;

/* How it goes on with an asset after a call. */
typedef enum job_state {
	JOB_RUNS,    /* its child was started */
	JOB_SKIPPED, /* it was done, or had failed, before */
	JOB_DONE,
	JOB_FAILED,
	JOB_STOPPED, /* on request: nothing is said of it */
	JOB_HELD     /* another process works on it */
} job_state;

/* Begins with a line. holder: what an earlier try saw of the process that holds it.
   Errors: OSSA_ERROR_WRITE (the report), OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT. */
ossa_status batch_job_begin(job_shop *shop, size_t index, lock_holder *holder, batch_job *job, job_state *state);

/* Ends a job whose child has ended. Errors: as above. */
ossa_status batch_job_finish(job_shop *shop, batch_job *job, job_state *state);

/* Reports an asset that another process keeps: it is that one's. */
ossa_status batch_job_give_up(job_shop *shop, size_t index, const lock_holder *holder);

void batch_job_touch(const batch_job *job);
void batch_job_free(batch_job *job);

#endif
