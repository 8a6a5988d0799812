/* tools/ossa/batch/time_fit.h: how long assets take, by their size. */
#ifndef OSSA_BATCH_TIME_FIT_H
#define OSSA_BATCH_TIME_FIT_H

#include <stddef.h>
#include <stdint.h>

/* Sums over the assets that are known: their number, GB and seconds, and products of these. */
typedef struct time_fit {
	double count, gb, seconds, gb_gb, gb_seconds;
} time_fit;

void batch_time_add(time_fit *fit, uint64_t bytes, double seconds);

/* Seconds of `count` other assets, of `bytes` together, one after the other; NAN before any is
   known. */
double batch_time_expected(const time_fit *fit, size_t count, uint64_t bytes);

#endif
