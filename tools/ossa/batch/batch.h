/* tools/ossa/batch/batch.h: the modes of `ossa batch` and their options. */
#ifndef OSSA_BATCH_H
#define OSSA_BATCH_H

#include "batch/manifest.h"

/* Text options of the command. */
enum {
	BATCH_MAKE,
	BATCH_OUT,
	BATCH_POSES,
	BATCH_OVERRIDES,
	BATCH_SHARD,
	BATCH_STATE,
	BATCH_PARTITION,
	BATCH_TIME,
	BATCH_SBATCH
};

/* Numbers and flags of the command. */
typedef struct batch_options {
	int jobs; /* 0: one for each core */
	int asset_seconds;
	int asset_memory; /* MB, 0: no limit */
	int lock_seconds;
	bool retry_failed, verify;
	bool collect;
	int thumbnails;
	bool slurm, submit;
	int shards;
	int cpus;
	int node_memory; /* MB, 0: the cluster's default */
} batch_options;

const ossa_option_table *batch_option_table(void);

/* Each mode runs with the command standing in the manifest's folder, but the one that makes it. */
ossa_status batch_make(command_run *run);
ossa_status batch_work(command_run *run, const batch_options *options, const batch_place *place);
ossa_status batch_collect(command_run *run, const batch_options *options, const batch_place *place);
ossa_status batch_slurm(command_run *run, const batch_options *options, const batch_place *place);

#endif
