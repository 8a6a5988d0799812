/* import/frame_range.c: the frames that a user asks for: see frame_range.h.

   Place in the path: between the options of reading and every reader of motion.
   Input: "10:50:2".
   Output: which frames to keep. */
#include "import/frame_range.h"

ossa_status ossai_frame_range_of(ossa_context *context, const ossa_range *wanted, size_t count, ossai_frame_range *range)
{
	char text[72];
	ossai_range_print(wanted, text, sizeof text);
	if (count == 0) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "`frames %s`: there are no frames to take", text);
	}
	const size_t first = wanted->first > 0 ? wanted->first : 1, last = wanted->last > 0 ? wanted->last : count;
	if (first > count || last > count) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
			"`frames %s` asks for more than there are: the frames are 1 to %zu", text, count);
	}
	*range = (ossai_frame_range){first - 1, last - 1, wanted->step > 0 ? wanted->step : 1};
	return OSSA_OK;
}
