/* tools/ossa/batch/report_file.h: the report of one shard: a file of JSON lines that only grows. */
#ifndef OSSA_BATCH_REPORT_FILE_H
#define OSSA_BATCH_REPORT_FILE_H

#include "batch/lock.h"
#include "batch/shards.h"

typedef struct report_file {
	char path[COMMAND_PATH_SIZE];
	int file;
	uint64_t size;
	batch_lock lock;
	/* lines that it has: the hash of id and sequence */
	batch_table known;
	int64_t sequence; /* the highest of its lines: later ones are above, whatever the clock says */
} report_file;

/* Opens or makes the shard's report in the state folder, and locks it: no other process works on
   the same shard. A last line that was cut is removed. patience: seconds, of batch_lock_take; so
   long it may wait.
   Errors: OSSA_ERROR_WRITE, OSSA_ERROR_ARGUMENT (another process works on the shard),
   OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.
   Ownership: batch_report_close, also after a failure. */
ossa_status batch_report_open(
	command_run *run, const batch_place *place, batch_shard shard, double patience, report_file *report);

/* Adds a line as a whole or not at all, unless the file has it.
   Errors: OSSA_ERROR_WRITE, OSSA_ERROR_MEMORY. */
ossa_status batch_report_add(command_run *run, report_file *report, json_t *line);

void batch_report_close(report_file *report);

#endif
