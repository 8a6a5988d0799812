/* tools/ossa/batch/shards.h: which lines of a manifest are whose. */
#ifndef OSSA_BATCH_SHARDS_H
#define OSSA_BATCH_SHARDS_H

#include "batch/manifest.h"

/* One of `count` shards, from 1 on. */
typedef struct batch_shard {
	uint32_t number, count;
} batch_shard;

/* Reads "I/N", or takes the array task of Slurm that the command is; {1, 1} where there is neither.
   Errors: OSSA_ERROR_ARGUMENT. */
ossa_status batch_shard_read(command_run *run, const char *text, batch_shard *shard);

/* The indices of the shard's lines, the largest assets first.
   Errors: OSSA_ERROR_MEMORY.
   Ownership: `lines` with free. */
ossa_status batch_shard_lines(command_run *run, const manifest *made, batch_shard shard, uint32_t **lines, size_t *count);

#endif
