/* tools/ossa/batch/pace.h: how far a batch is, how fast, and how long it will take. */
#ifndef OSSA_BATCH_PACE_H
#define OSSA_BATCH_PACE_H

#include "batch/time_fit.h"
#include "command.h"

typedef struct batch_pace {
	const char *title;
	bool is_quiet, is_terminal, is_drawn;
	size_t count, closed, skipped, failed; /* assets; `closed` are all that need nothing more */
	uint64_t bytes, closed_bytes;
	double seconds;      /* of all processes that have ended */
	time_fit done;       /* of the assets that were done in this run */
	double begin, shown; /* of command_clock */
} batch_pace;

typedef enum batch_pace_kind { PACE_SKIPPED, PACE_DONE, PACE_FAILED } batch_pace_kind;

void batch_pace_begin(batch_pace *pace, const char *title, bool is_quiet, size_t count);

/* An asset is closed; seconds: of its process, 0 where there was none. */
void batch_pace_add(batch_pace *pace, batch_pace_kind kind, uint64_t bytes, double seconds);

/* On a terminal one line that is drawn again, else a line every half minute; the last clears it. */
void batch_pace_show(batch_pace *pace, size_t running, bool is_last);

#endif
