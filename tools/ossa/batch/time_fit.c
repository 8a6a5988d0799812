/* tools/ossa/batch/time_fit.c: see time_fit.h.

   Place in the path: the command's batch, below its pace.
   Input: size and time of assets that are done.
   Output: a line through them by least squares, neither part of which is negative. */
#include "batch/time_fit.h"

#include <math.h>

void batch_time_add(time_fit *fit, uint64_t bytes, double seconds)
{
	const double gb = (double)bytes / 1e9;
	fit->count++;
	fit->gb += gb;
	fit->seconds += seconds;
	fit->gb_gb += gb * gb;
	fit->gb_seconds += gb * seconds;
}

double batch_time_expected(const time_fit *fit, size_t count, uint64_t bytes)
{
	const double n = fit->count, open = (double)count, gb = (double)bytes / 1e9;
	if (n == 0) return NAN;
	const double mean = fit->seconds / n, spread = n * fit->gb_gb - fit->gb * fit->gb;
	if (fit->gb <= 0) return open * mean;
	/* of one size: in proportion to it, as the largest come first */
	const double in_proportion = gb * fit->seconds / fit->gb;
	if (!(spread > 1e-9 * n * fit->gb_gb)) return in_proportion;
	const double slope = (n * fit->gb_seconds - fit->gb * fit->seconds) / spread, at_zero = mean - slope * fit->gb / n;
	if (slope < 0) return open * mean;
	return at_zero < 0 ? in_proportion : open * at_zero + gb * slope;
}
