/* base/clock.h: seconds on the wall and on the processor, and the memory of the process. */
#ifndef OSSAI_BASE_CLOCK_H
#define OSSAI_BASE_CLOCK_H

#include <stddef.h>

double ossai_wall_seconds(void);   /* from an arbitrary moment on */
double ossai_cpu_seconds(void);    /* of all threads of the process */
double ossai_thread_seconds(void); /* on the processor, of the calling thread */
/* most of the process so far; 0 where the system does not report it */
size_t ossai_peak_resident_bytes(void);

#endif
