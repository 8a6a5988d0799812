/* import/frame_range.h: the frames a user asks for: "FIRST:LAST:STEP". */
#ifndef OSSAI_IMPORT_FRAME_RANGE_H
#define OSSAI_IMPORT_FRAME_RANGE_H

#include "base/context.h"

/* Frames first, first + step ... up to last, counted from 0, all less than the count they were
   parsed for. */
typedef struct ossai_frame_range {
	size_t first, last, step;
} ossai_frame_range;

/* Parses "FIRST:LAST:STEP" for something of `count` frames. The text counts from 1 and includes
   both ends; any part may be empty ("10:", ":20", "::2"), a single number is one frame, "" is all.
   Errors: OSSA_ERROR_ARGUMENT naming the text and what is wrong with it: no number, STEP 0, FIRST
   after LAST, beyond `count`. */
ossa_status ossai_frame_range_parse(ossa_context *context, const char *text, size_t count, ossai_frame_range *range);

static inline size_t ossai_frame_range_count(const ossai_frame_range *range)
{
	return (range->last - range->first) / range->step + 1;
}

static inline bool ossai_frame_range_has(const ossai_frame_range *range, size_t frame)
{
	return frame >= range->first && frame <= range->last && (frame - range->first) % range->step == 0;
}

#endif
