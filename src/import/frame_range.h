/* import/frame_range.h: the frames that a range asks for, of those that there are. */
#ifndef OSSAI_IMPORT_FRAME_RANGE_H
#define OSSAI_IMPORT_FRAME_RANGE_H

#include "base/options.h"

/* Frames first, first + step ... up to last, counted from 0, all less than the count they were
   asked of. */
typedef struct ossai_frame_range {
	size_t first, last, step;
} ossai_frame_range;

/* The frames that `wanted` asks for, of `count`.
   Errors: OSSA_ERROR_ARGUMENT naming the range and what is wrong with it: there are no frames, or
   it goes beyond them. */
ossa_status ossai_frame_range_of(ossa_context *context, const ossa_range *wanted, size_t count, ossai_frame_range *range);

static inline size_t ossai_frame_range_count(const ossai_frame_range *range)
{
	return (range->last - range->first) / range->step + 1;
}

static inline bool ossai_frame_range_has(const ossai_frame_range *range, size_t frame)
{
	return frame >= range->first && frame <= range->last && (frame - range->first) % range->step == 0;
}

/* How many of them come before a frame. */
static inline size_t ossai_frame_range_before(const ossai_frame_range *range, size_t frame)
{
	if (frame > range->last) return ossai_frame_range_count(range);
	return frame <= range->first ? 0 : (frame - range->first - 1) / range->step + 1;
}

#endif
