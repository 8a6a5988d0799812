/* tools/ossa/render_frames.c: which frames `ossa render` draws.

   Place in the path: the top, behind cmd_render.c.
   Input: the words of --frames.
   Output: a list. */
#include "render.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static ossa_status refuse_frames(command_run *run, const char *text)
{
	return command_fail(run, OSSA_ERROR_ARGUMENT,
		"--frames takes numbers from 1 on, ranges, \"rest\", \"all\" and \"worst\", such as rest,1,5-8 or 1:21:5, not \"%s\"",
		text);
}

/* an error for frames that the file does not have, in the user's numbers */
static ossa_status refuse_number(command_run *run, long number, size_t there)
{
	if (there == 0) {
		return command_fail(run, OSSA_ERROR_ARGUMENT, "--frames: the rig does not move; only its rest pose can be drawn");
	}
	return command_fail(run, OSSA_ERROR_ARGUMENT,
		"--frames: there is no frame %ld; the motion has %zu, counted from 1, and \"rest\" is the rest pose", number, there);
}

static ossa_status add_range(command_run *run, render_frames *list, long first, long last, long step)
{
	for (long frame = first; frame <= last; frame += step) {
		if (list->count == RENDER_FRAMES_MAX) {
			return command_fail(run, OSSA_ERROR_ARGUMENT, "more than %d frames do not fit on one sheet", RENDER_FRAMES_MAX);
		}
		list->frames[list->count++] = (int)frame;
	}
	return OSSA_OK;
}

/* a whole number from 0 to a million at *at, which moves on; -1 where there is none */
static long read_number(const char **at)
{
	if (**at < '0' || **at > '9') return -1;
	char *end = NULL;
	errno = 0;
	const long value = strtol(*at, &end, 10);
	*at = end;
	return errno == 0 && value <= 1000000 ? value : -1;
}

/* "3", "3-8", "3-8:2", and as other commands have it "3:8", "3:", "3:8:2" */
static bool read_range(const char *at, long there, long range[3])
{
	range[0] = range[1] = read_number(&at);
	range[2] = 1;
	if (*at == '-' || *at == ':') range[1] = *++at == 0 && at[-1] == ':' ? there : read_number(&at);
	if (*at == ':') {
		at++;
		range[2] = read_number(&at);
	}
	return range[0] >= 0 && range[1] >= range[0] && range[2] >= 1 && *at == 0;
}

/* one item between commas: "rest", "all", "worst" or a range */
static ossa_status add_item(command_run *run, render_frames *list, const char *item, size_t there, int worst)
{
	long range[3];
	if (strcmp(item, "worst") == 0) {
		if (worst >= 0) return add_range(run, list, worst, worst, 1);
		return command_fail(
			run, OSSA_ERROR_ARGUMENT, "--frames worst is the frame of the largest error; name frames with --against");
	}
	if (strcmp(item, "rest") == 0) return add_range(run, list, -1, -1, 1);
	if (strcmp(item, "all") == 0) {
		if (there == 0) return refuse_number(run, 1, there);
		return add_range(run, list, 0, (long)there - 1, 1);
	}
	if (!read_range(item, (long)there, range)) return refuse_frames(run, item);
	if (range[0] < 1 || (size_t)range[0] > there) return refuse_number(run, range[0], there);
	if ((size_t)range[1] > there) return refuse_number(run, range[1], there);
	return add_range(run, list, range[0] - 1, range[1] - 1, range[2]);
}

ossa_status render_read_frames(command_run *run, const char *text, size_t there, int worst, render_frames *list)
{
	list->count = 0;
	char item[32];
	for (const char *at = text;; at++) {
		const size_t size = strcspn(at, ",");
		if (size == 0 || size >= sizeof item) return refuse_frames(run, text);
		memcpy(item, at, size);
		item[size] = 0;
		const ossa_status status = add_item(run, list, item, there, worst);
		if (status != OSSA_OK) return status;
		at += size;
		if (*at == 0) return OSSA_OK;
	}
}
