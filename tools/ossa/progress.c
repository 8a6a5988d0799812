/* tools/ossa/progress.c: a bar on a terminal for work over a second, and Ctrl-C turned into a clean
   stop.

   Place in the path: the top.
   Input: the library's progress callback, signals.
   Output: one line on standard error that disappears when the work is done; a cancelled call. */
#include "progress.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* the only state outside main: a signal handler can reach nothing else */
static volatile sig_atomic_t stop_requested;

static void request_stop(int signal_number)
{
	(void)signal_number;
	stop_requested = 1;
}

/* a signal that the parent process has ignored, as nohup and shells do for work in the background,
   stays ignored */
static void catch_signal(int signal_number)
{
	struct sigaction before;
	/* a second Ctrl-C finds the default again and ends the process at once */
	struct sigaction action = {.sa_handler = request_stop, .sa_flags = (int)SA_RESETHAND};
	sigemptyset(&action.sa_mask);
	if (sigaction(signal_number, NULL, &before) == 0 && before.sa_handler == SIG_IGN) return;
	sigaction(signal_number, &action, NULL);
}

void command_catch_signals(void)
{
	catch_signal(SIGINT);
	catch_signal(SIGTERM);
#ifdef SIGXFSZ
	/* a file that grows past the user's limit is a write error like a full disk, not a crash */
	signal(SIGXFSZ, SIG_IGN);
#endif
}

bool command_stopped(void) { return stop_requested != 0; }

double command_clock(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double command_cpu_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

command_progress command_progress_begin(const char *name, bool quiet)
{
	const char *terminal = getenv("TERM");
	const bool enabled = !quiet && isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
	const double now = command_clock();
	return (command_progress){.name = name, .enabled = enabled, .begin = now, .rise_time = now};
}

void command_progress_clear(command_progress *progress)
{
	if (progress->drawn) fputs("\r\033[K", stderr);
	progress->drawn = false;
}

static void print_time_left(double seconds)
{
	if (seconds < 90) fprintf(stderr, "  %.0f s left", seconds);
	else if (seconds < 5400) fprintf(stderr, "  %.0f min left", seconds / 60);
	else fprintf(stderr, "  %.1f h left", seconds / 3600);
}

static void draw(command_progress *progress, const char *stage, double fraction, double now)
{
	enum { WIDTH = 24 };
	char bar[WIDTH + 1];
	for (int i = 0; i < WIDTH; i++) bar[i] = (i + 0.5) / WIDTH < fraction ? '#' : '.';
	bar[WIDTH] = 0;
	fprintf(stderr, "\r\033[Kossa %s  [%s] %3.0f %%  %-22.22s", progress->name, bar, 100 * fraction, stage);
	const double risen = fraction - progress->rise_fraction;
	if (risen > 0.02) print_time_left((now - progress->rise_time) * (1 - fraction) / risen);
	fflush(stderr);
	progress->drawn = true;
	progress->last_time = now;
}

bool command_progress_report(void *user, const char *stage, double fraction)
{
	command_progress *progress = user;
	if (command_stopped()) return false;
	if (!progress->enabled) return true;
	const double now = command_clock();
	/* reading, rigging and writing each count from 0 */
	if (fraction < progress->last_fraction) {
		progress->rise_time = now;
		progress->rise_fraction = fraction;
	}
	progress->last_fraction = fraction;
	if (now - progress->begin > 1 && now - progress->last_time > 0.1) draw(progress, stage, fraction, now);
	return true;
}
