/* tools/ossa/batch/pace.c: the progress of a batch.

   Place in the path: the command's batch, below the run.
   Input: assets that are closed.
   Output: a line on standard error: count, rate, time left, by a clock that only rises. */
#include "batch/pace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void batch_pace_begin(batch_pace *pace, const char *title, bool is_quiet, size_t count)
{
	const char *terminal = getenv("TERM");
	const double now = command_clock();
	*pace = (batch_pace){.title = title, .is_quiet = is_quiet, .count = count, .begin = now, .shown = now};
	pace->is_terminal = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

void batch_pace_add(batch_pace *pace, batch_pace_kind kind, uint64_t bytes, double seconds)
{
	pace->closed++;
	pace->skipped += kind == PACE_SKIPPED;
	pace->failed += kind == PACE_FAILED;
	pace->closed_bytes += bytes;
	pace->seconds += seconds;
	/* how soon a file is refused says nothing of the time that its size takes */
	if (kind == PACE_DONE) batch_time_add(&pace->done, bytes, seconds);
}

/* as many at once as so far; NAN before anything is done */
static double time_left(const batch_pace *pace, double now)
{
	const double rest = batch_time_expected(&pace->done, pace->count - pace->closed, pace->bytes - pace->closed_bytes);
	return pace->seconds > 0 ? rest * (now - pace->begin) / pace->seconds : NAN;
}

static void print_time(double seconds)
{
	if (isnan(seconds)) return;
	if (seconds < 90) fprintf(stderr, ", %.0f s left", seconds);
	else if (seconds < 5400) fprintf(stderr, ", %.0f min left", seconds / 60);
	else fprintf(stderr, ", %.1f h left", seconds / 3600);
}

static void print_line(const batch_pace *pace, size_t running, double now)
{
	const double seconds = now - pace->begin;
	fprintf(stderr, "ossa batch %s: %zu of %zu", pace->title, pace->closed, pace->count);
	if (pace->failed > 0) fprintf(stderr, ", %zu failed", pace->failed);
	if (running > 0) fprintf(stderr, ", %zu running", running);
	if (seconds > 0) fprintf(stderr, ", %.3g a second", (double)(pace->closed - pace->skipped) / seconds);
	if (pace->closed < pace->count) print_time(time_left(pace, now));
}

void batch_pace_show(batch_pace *pace, size_t running, bool is_last)
{
	const double now = command_clock(), pause = pace->is_terminal ? 0.2 : 30;
	if (pace->is_quiet) return;
	if (is_last) {
		if (pace->is_drawn) fputs("\r\033[K", stderr);
		pace->is_drawn = false;
		return;
	}
	if (now - pace->shown < pause) return;
	pace->shown = now;
	if (pace->is_terminal) fputs("\r\033[K", stderr);
	print_line(pace, running, now);
	if (!pace->is_terminal) fputc('\n', stderr);
	pace->is_drawn = pace->is_terminal;
	fflush(stderr);
}
