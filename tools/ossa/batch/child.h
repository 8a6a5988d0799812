/* tools/ossa/batch/child.h: a command that runs in a process of its own, within limits. */
#ifndef OSSA_BATCH_CHILD_H
#define OSSA_BATCH_CHILD_H

#include "command.h"

#include <sys/resource.h>
#include <sys/types.h>

/* Bytes of output that are kept: the first of standard output, the last of standard error. */
enum { CHILD_OUTPUT_MAX = 8 << 20, CHILD_ERRORS_MAX = 16 << 10 };

typedef struct child_limits {
	double seconds;         /* 0: none; then it is asked to stop, and killed 5 seconds later */
	uint64_t address_bytes; /* of its address space, 0: none */
} child_limits;

typedef struct child_output {
	int pipe; /* -1: closed */
	char *bytes;
	size_t size, capacity;
	size_t dropped; /* bytes that were not kept */
} child_output;

typedef struct batch_child {
	pid_t pid; /* 0: none runs */
	child_output out, errors;
	double begin, deadline; /* of command_clock; deadline INFINITY: none */
	bool is_stopping;       /* it was asked to stop */
	bool is_late;           /* because its time was over */
	/* once it has ended */
	int status; /* of waitpid */
	double seconds;
	uint64_t peak_bytes; /* of its resident memory */
} batch_child;

/* Starts this command with these words, the first being its name, in a process group of its own,
   which ends with the caller on systems that can tell it.
   Errors: OSSA_ERROR_LIMIT where the system makes no further process, OSSA_ERROR_MEMORY. */
ossa_status batch_child_start(command_run *run, const char *const *words, child_limits limits, batch_child *child);

/* The same of another program, by the name that is the first word. */
ossa_status batch_child_start_program(command_run *run, const char *const *words, child_limits limits, batch_child *child);

/* Waits up to `seconds` for output of some children, takes it, and enforces their time limits. */
void batch_children_listen(batch_child *const *children, size_t count, double seconds);

/* Whether a running child has ended; its results are then in it. */
bool batch_child_ended(batch_child *child);

/* Asks a child to stop; 5 seconds later it is killed. */
void batch_child_stop(batch_child *child);

/* Forgets the results. */
void batch_child_free(batch_child *child);

/* How many processes may run at once: of Slurm's task, else one for each core. */
int batch_core_count(const command_run *run);

#endif
