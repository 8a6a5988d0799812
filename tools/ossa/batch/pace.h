/* tools/ossa/batch/pace.h: how far a batch is, how fast, and how long it will take. */
#ifndef OSSA_BATCH_PACE_H
#define OSSA_BATCH_PACE_H

#include "command.h"

typedef struct batch_pace {
	const char *title;
	bool is_quiet, is_terminal, is_drawn;
	size_t count, closed, skipped, failed; /* assets; `closed` are all that need nothing more */
	uint64_t bytes, closed_bytes, skipped_bytes;
	double begin, shown; /* of command_clock */
} batch_pace;

void batch_pace_begin(batch_pace *pace, const char *title, bool is_quiet, size_t count);
void batch_pace_add(batch_pace *pace, bool is_skipped, bool is_failed, uint64_t bytes);

/* On a terminal one line that is drawn again, else a line every half minute; the last clears it. */
void batch_pace_show(batch_pace *pace, size_t running, bool is_last);

/* Seconds that the rest will take at the pace so far, by bytes where they are known; NAN before
   anything is done. */
double batch_pace_left(const batch_pace *pace, double now);

#endif
