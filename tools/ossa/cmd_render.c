/* tools/ossa/cmd_render.c: `ossa render`: a rig to a PNG.

   Place in the path: the top; uses the public API only.  In: a rig file, frames.  Out: one sheet. */
#include "command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { TEXT_OUTPUT, TEXT_FRAMES, TABLE_PICTURE = 0, FRAMES_MAX = 4096 };

/* the frames asked for, in order, as the library counts them: from 0, -1 for the rest pose */
typedef struct frame_list {
	size_t count;
	int frames[FRAMES_MAX];
} frame_list;

static ossa_status refuse_frames(command_run *run, const char *text)
{
	return command_fail(run, OSSA_ERROR_ARGUMENT,
		"--frames takes numbers from 1 on, ranges, \"rest\" and \"all\", such as rest,1,5-8 or 1:21:5, not \"%s\"", text);
}

/* what the file does not hold, in the numbers of the one who asks */
static ossa_status refuse_number(command_run *run, long number, size_t there)
{
	if (there == 0) {
		return command_fail(run, OSSA_ERROR_ARGUMENT, "--frames: the rig does not move; only its rest pose can be drawn");
	}
	return command_fail(run, OSSA_ERROR_ARGUMENT,
		"--frames: there is no frame %ld; the motion has %zu, counted from 1, and \"rest\" is the rest pose", number, there);
}

static ossa_status add_range(command_run *run, frame_list *list, long first, long last, long step)
{
	for (long frame = first; frame <= last; frame += step) {
		if (list->count == FRAMES_MAX) {
			return command_fail(run, OSSA_ERROR_ARGUMENT, "more than %d frames do not fit on one sheet", FRAMES_MAX);
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

/* one item between commas: "rest", "all" or a range */
static ossa_status add_item(command_run *run, frame_list *list, const char *item, size_t there)
{
	long range[3];
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

static ossa_status parse_frames(command_run *run, const char *text, size_t there, frame_list *list)
{
	list->count = 0;
	char item[32];
	for (const char *at = text;; at++) {
		const size_t size = strcspn(at, ",");
		if (size == 0 || size >= sizeof item) return refuse_frames(run, text);
		memcpy(item, at, size);
		item[size] = 0;
		const ossa_status status = add_item(run, list, item, there);
		if (status != OSSA_OK) return status;
		at += size;
		if (*at == 0) return OSSA_OK;
	}
}

static ossa_status print_result(command_run *run, const ossa_picture *picture, const char *path, size_t frames)
{
	if (!run->shared.json) {
		if (command_prints_text(run)) printf("%s  %zu x %zu pixels\n", path, picture->width, picture->height);
		return OSSA_OK;
	}
	return command_print_json(run,
		json_pack("{s:s, s:I, s:I, s:I, s:f, s:o}", "picture", path, "width", (json_int_t)picture->width, "height",
			(json_int_t)picture->height, "frames", (json_int_t)frames, "seconds", command_clock() - run->wall_begin, "warnings",
			command_json_warnings(run)));
}

static ossa_status draw(command_run *run, const ossa_rig *rig, const frame_list *list, const char *path)
{
	ossa_picture *picture = NULL;
	ossa_status status = ossa_picture_rig(run->context, rig, list->frames, list->count, run->options[TABLE_PICTURE], &picture);
	if (status == OSSA_OK) status = ossa_picture_write(run->context, picture, path);
	if (status == OSSA_OK) status = print_result(run, picture, path, list->count);
	ossa_picture_free(run->context, picture);
	return status;
}

/* no other program believes in a PNG of another name; a pipe has none */
static ossa_status check_picture_name(command_run *run, const char *path)
{
	struct stat facts;
	const size_t length = strlen(path);
	if (length > 4 && strcasecmp(path + length - 4, ".png") == 0) return OSSA_OK;
	if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode)) return OSSA_OK;
	return command_fail(run, OSSA_ERROR_ARGUMENT, "%s: pictures are written as PNG; give it the ending .png", path);
}

static ossa_status render(command_run *run)
{
	const char *path = command_text_value(run, TEXT_OUTPUT), *frames = command_text_value(run, TEXT_FRAMES);
	if (!path) return command_fail(run, OSSA_ERROR_ARGUMENT, "say where the picture goes: -o FILE.png");
	ossa_status status = check_picture_name(run, path);
	if (status == OSSA_OK) status = command_check_output(run, path);
	ossa_rig *rig = NULL;
	if (status == OSSA_OK) status = ossa_read_rig(run->context, run->files.values[0], NULL, &rig);
	if (status != OSSA_OK) return status;
	frame_list *list = ossa_alloc(run->context, 1, sizeof *list);
	status = list ? OSSA_OK : OSSA_ERROR_MEMORY;
	const size_t there = rig->clip ? rig->clip->frame_count : 0;
	if (status == OSSA_OK) status = parse_frames(run, frames ? frames : "rest", there, list);
	if (status == OSSA_OK) status = draw(run, rig, list, path);
	ossa_free(run->context, list);
	ossa_rig_free(run->context, rig);
	return status;
}

const command_definition command_render = {
	.name = "render",
	.summary = "draw a rig as a picture, without a GPU",
	.usage = "RIG -o FILE.png [OPTION]...",
	.details = "Draws the surface in the colours of its bones, with bones and joints over it and the root in yellow.\n\n"
			   "Several frames or views come on one sheet, all framed alike; frames are counted from 1. The same rig gives the "
			   "same bytes on every machine "
			   "and for any number of threads.",
	.examples = "ossa render horse.glb -o horse.png\n"
				"ossa render horse.glb -o sheet.png --frames rest,1-21:5 --width 500 --height 400 --columns 3\n"
				"ossa render horse.glb -o around.png --views 4 --transparent",
	.files_minimum = 1,
	.files_maximum = 1,
	.texts = {{'o', "output", "FILE", false, "the PNG to write", false},
		{0, "frames", "LIST", false,
			"frames to draw, counted from 1: rest, numbers, ranges and all, such as rest,1,5-8 or 1:21:5 (rest)", false}},
	.tables = {{ossa_picture_option_table, sizeof(ossa_picture_options), NULL}},
	.run = render,
};
