/* base/clock.c: the system's clocks and memory counter behind three functions. */
#include "base/clock.h"

#include <sys/resource.h>
#include <time.h>

static double seconds_of(clockid_t clock)
{
	struct timespec now;
	if (clock_gettime(clock, &now) != 0) return 0;
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double ossai_wall_seconds(void) { return seconds_of(CLOCK_MONOTONIC); }
double ossai_cpu_seconds(void) { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }
double ossai_thread_seconds(void) { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

size_t ossai_peak_resident_bytes(void)
{
	struct rusage usage;
	if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
#ifdef __APPLE__
	return (size_t)usage.ru_maxrss;
#else
	return (size_t)usage.ru_maxrss * 1024;
#endif
}
