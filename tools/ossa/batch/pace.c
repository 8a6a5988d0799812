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

void batch_pace_add(batch_pace *pace, bool is_skipped, bool is_failed, uint64_t bytes)
{
	pace->closed++;
	pace->skipped += is_skipped;
	pace->failed += is_failed;
	pace->closed_bytes += bytes;
	if (is_skipped) pace->skipped_bytes += bytes;
}

double batch_pace_left(const batch_pace *pace, double now)
{
	const double worked = (double)(pace->closed_bytes - pace->skipped_bytes), left = (double)(pace->bytes - pace->closed_bytes);
	const double done = (double)(pace->closed - pace->skipped), open = (double)(pace->count - pace->closed);
	if (worked > 0) return (now - pace->begin) * left / worked;
	return done > 0 ? (now - pace->begin) * open / done : NAN;
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
	if (pace->closed < pace->count) print_time(batch_pace_left(pace, now));
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
