/* tools/ossa/batch/outcome.h: the line of the report on one asset. */
#ifndef OSSA_BATCH_OUTCOME_H
#define OSSA_BATCH_OUTCOME_H

#include "batch/child.h"
#include "batch/contents.h"

/* How the work on an asset ended. */
typedef struct batch_outcome {
	const char *code;  /* "done", "input", "limit", "timeout" ...: docs/batch.md lists them */
	int exit;          /* of the command; -1: there was none */
	char message[400]; /* "" of work that is done */
	json_t *printed;   /* what the command printed with --json, or NULL; to be released */
} batch_outcome;

/* Reads it from a child that has ended. seconds: its limit. */
void batch_outcome_read(const batch_child *child, double seconds, batch_outcome *outcome);

bool batch_outcome_is_done(const batch_outcome *outcome);

/* Whether the failure is the asset's: it would fail again. A full disk, or a stop, is not. */
bool batch_outcome_is_lasting(const batch_outcome *outcome);

/* Who has worked, when and how long: what differs from run to run. */
typedef struct batch_effort {
	double seconds;
	uint64_t peak_bytes;
	int64_t sequence; /* rises from one run on an asset to the next */
	const char *shard;
} batch_effort;

/* What was written, by batch_describe_files. */
typedef struct batch_products {
	json_t *outputs; /* files that the line names; NULL: not known */
	json_t *beside;  /* files that those name: buffers, images */
} batch_products;

/* The line as an object, released by the caller. NULL where there is no memory. */
json_t *batch_outcome_line(
	const batch_asset *asset, const batch_outcome *outcome, const batch_products *products, const batch_effort *effort);

/* A number that is larger than `before` and, where the clock permits, microseconds since 1970. */
int64_t batch_next_sequence(int64_t before);

#endif
