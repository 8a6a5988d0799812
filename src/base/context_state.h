/* base/context_state.h: the fields of a context, for the files of base/ alone. */
#ifndef OSSAI_BASE_CONTEXT_STATE_H
#define OSSAI_BASE_CONTEXT_STATE_H

#include "base/context.h"

enum { OSSAI_STAGES_MAX = 48, OSSAI_STAGE_DEPTH_MAX = 8, OSSAI_WARNINGS_MAX = 64, OSSAI_SUBJECT_SIZE = 96 };

/* How a warning is counted. */
typedef struct ossai_tally {
	uint64_t file;    /* hash of the name of the file that the message is about; 0: none */
	bool others;      /* stands for further files too */
	uint32_t reading; /* the one that `counted` belongs to */
	int64_t counted;
	uint64_t subject;  /* hash of the last one that it was given about; 0: none */
	uint32_t subjects; /* how many those were */
	/* lengths, in the message: of the first one's name, and of all that stands before the colon */
	size_t first, head;
} ossai_tally;

/* A stage that runs now. */
typedef struct ossai_running_stage {
	size_t index; /* in the stage table */
	double wall_begin, cpu_begin;
	double wall_inner, cpu_inner; /* spent in stages begun inside this one */
	size_t peak_before;           /* the context's peak of the enclosing stage */
} ossai_running_stage;

struct ossa_context {
	ossa_context_options options;
	int threads;
	struct ossai_workers *workers; /* made when first needed; a task's are its caller's */
	bool is_task;                  /* this is the context of one (task.c) */
	double helped_seconds;         /* on the processor, of workers in the context's loops */
	ossa_error error;
	double wall_begin, cpu_begin; /* when the context was made or reset */

	size_t bytes, peak_bytes; /* alive now; most since the reset */
	size_t stage_peak;        /* most since the current stage began */

	ossa_warning warnings[OSSAI_WARNINGS_MAX];
	ossai_tally tallies[OSSAI_WARNINGS_MAX]; /* of each warning */
	size_t warning_count;
	uint32_t reading; /* how many times files were read */
	/* subject of further warnings; "" for none */
	char subject[OSSAI_SUBJECT_SIZE];

	ossa_stage_cost stages[OSSAI_STAGES_MAX];
	size_t stage_count;
	ossai_running_stage running[OSSAI_STAGE_DEPTH_MAX];
	size_t depth; /* running stages, may pass OSSAI_STAGE_DEPTH_MAX: those are not timed */

	const ossai_plan_step *plan;
	size_t plan_count;
	double plan_total, plan_done; /* sum of shares; of those before the current step */
	double plan_share;            /* of the current step */
	/* range of the whole that plans are mapped to; size 0: they are the whole */
	double window_begin, window_size;
	/* range of the whole that windows are mapped to; size 0: all of it */
	double outer_begin, outer_size;
	double reported; /* last fraction passed to the callback */
	/* range of the current stage that reported fractions are mapped to; size 0: all of it */
	double part_begin, part_size;
	/* fraction of the current stage at the last call of the callback; -1 before the first */
	double reported_of_stage;

	struct ossai_batch *batch; /* files that appear together (file.c), or NULL */
	struct ossa_files *files;  /* in memory, in place of the disk; or NULL */
};

int ossai_processor_count(void);
void ossai_workers_end(ossa_context *context);

/* Seconds on the processor: of the calling thread and of what workers have helped the context;
   differences tell what the context did. Of an embedder's threads that of the process. */
double ossai_context_cpu(const ossa_context *context);

/* Adds the stages of another context to the table. */
void ossai_stages_add(ossa_context *context, const ossa_context *from);

#endif
