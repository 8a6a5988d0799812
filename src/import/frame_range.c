/* import/frame_range.c: the frames a user asks for: see frame_range.h.

   Place in the path: between the options of reading and every reader of motion.
   Input: "10:50:2".
   Output: which frames to keep. */
#include "import/frame_range.h"

#include <string.h>

/* one part up to ':' or the end; an empty one leaves the value as it is */
static bool parse_part(const char **at, size_t *value, bool *given)
{
	*given = **at >= '0' && **at <= '9';
	size_t number = 0;
	for (; **at >= '0' && **at <= '9'; (*at)++) {
		if (number > (SIZE_MAX - 9) / 10) return false;
		number = 10 * number + (size_t)(**at - '0');
	}
	if (*given) *value = number;
	return **at == ':' || **at == 0;
}

/* the numbers of the text, counted from 1; false where it has another form */
static bool parse_parts(const char *text, ossai_frame_range *range)
{
	bool given;
	if (!parse_part(&text, &range->first, &given)) return false;
	if (*text == 0) {
		/* a number alone is one frame */
		if (given) range->last = range->first;
		return true;
	}
	text++;
	if (!parse_part(&text, &range->last, &given)) return false;
	if (*text == 0) return true;
	text++;
	return parse_part(&text, &range->step, &given) && *text == 0;
}

ossa_status ossai_frame_range_parse(ossa_context *context, const char *text, size_t count, ossai_frame_range *range)
{
	const ossa_status bad = OSSA_ERROR_ARGUMENT;
	if (count == 0) return ossai_fail(context, bad, NULL, "--frames %s: there are no frames to take", text);
	*range = (ossai_frame_range){1, count, 1};
	if (!parse_parts(text, range)) {
		return ossai_fail(context, bad, NULL,
			"--frames %s: is no range: give FIRST:LAST:STEP with whole numbers counted from 1, e.g. 10:50:2, 10: or 7", text);
	}
	if (range->step == 0) return ossai_fail(context, bad, NULL, "--frames %s: the step is 0: give at least 1", text);
	if (range->first == 0 || range->last == 0) {
		return ossai_fail(context, bad, NULL, "--frames %s: frames are counted from 1; there is no frame 0", text);
	}
	if (range->first > count || range->last > count) {
		return ossai_fail(context, bad, NULL, "--frames %s asks for more than there are: the frames are 1 to %zu", text, count);
	}
	if (range->first > range->last) {
		return ossai_fail(context, bad, NULL, "--frames %s: the first frame comes after the last", text);
	}
	range->first--;
	range->last--;
	return OSSA_OK;
}
