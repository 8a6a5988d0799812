/* base/scan.h: tests whether all values of a long array are valid, as fast as memory is read. A
   caller that finds a fault searches for its index. */
#ifndef OSSAI_BASE_SCAN_H
#define OSSAI_BASE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No value is infinite or NaN. */
bool ossai_all_finite(const float *values, size_t count);

/* Every value is from `low` to `high`; NaN is not. */
bool ossai_all_within(const float *values, size_t count, float low, float high);

/* Every index is less than `limit`, or UINT32_MAX ("none") where that is allowed. */
bool ossai_all_below(const uint32_t *indices, size_t count, size_t limit, bool allow_none);

/* Each of the `count` values is at least `step` larger than the one before it. */
bool ossai_all_rising(const uint32_t *values, size_t count, uint32_t step);

#endif
