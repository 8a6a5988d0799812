/* tools/ossa/batch/thumbnails.c: pictures for the contact sheet.

   Place in the path: the command's batch, below the collection.
   Input: rigs that are done.
   Output: a PNG each, named after the rig's bytes, so that what is there needs no second drawing.
   Each is drawn by `ossa render` in a process of its own, as rigs are made. */
#include "batch/thumbnails.h"
#include "batch/child.h"
#include "batch/contents.h"
#include "batch/pace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const double DRAW_SECONDS = 60;

void batch_thumbnail_path(const batch_row *row, char *path, size_t size)
{
	snprintf(path, size, "thumbs/%s.png", row->picture);
}

static void picture_path(const batch_place *place, const batch_row *row, char *path, size_t size)
{
	snprintf(path, size, "%.*s/thumbs/%s.png", (int)(size - 64), place->state, row->picture);
}

/* the first output of a row */
static bool take_path(void *user, json_span key, json_span value)
{
	char *path = user;
	return !json_span_is(key, "path") || json_span_string(value, path, COMMAND_PATH_SIZE) == SIZE_MAX;
}

static bool take_first(void *user, json_span key, json_span value)
{
	(void)key;
	json_scan_object(value, take_path, user);
	return false;
}

static bool take_outputs(void *user, json_span key, json_span value)
{
	if (json_span_is(key, "outputs")) json_scan_array(value, take_first, user);
	return true;
}

static ossa_status begin(command_run *run, batch_rows *rows, const batch_row *row, const char *picture, batch_child *child)
{
	char rig[COMMAND_PATH_SIZE] = "", output[COMMAND_PATH_SIZE + 16];
	json_scan_object(batch_rows_line(rows, row), take_outputs, rig);
	if (!rig[0]) return OSSA_OK;
	snprintf(output, sizeof output, "--output=%s", picture);
	const char *words[] = {"ossa", "render", output, "--width=192", "--height=192", "--threads=1", "--quiet", "--", rig, NULL};
	return batch_child_start(run, words, (child_limits){.seconds = DRAW_SECONDS}, child);
}

typedef struct drawing {
	command_run *run;
	const batch_place *place;
	batch_rows *rows;
	size_t count, next, failed;
	size_t child_count;
	batch_child *list;
	batch_child **children;
	batch_pace pace;
} drawing;

/* the next rig without a picture, for a child that is free */
static ossa_status fill(drawing *work, batch_child *child)
{
	char path[COMMAND_PATH_SIZE];
	while (work->next < work->count && child->pid == 0) {
		const batch_row *row = &work->rows->rows[work->rows->worst[work->next++]];
		if (row->status != ROW_DONE || !row->picture[0]) continue;
		picture_path(work->place, row, path, sizeof path);
		if (!batch_stamp(path).is_there) COMMAND_TRY(begin(work->run, work->rows, row, path, child));
	}
	return OSSA_OK;
}

static ossa_status draw(drawing *work)
{
	for (size_t active = 1; active > 0 || work->next < work->count;) {
		COMMAND_TRY(command_check(work->run));
		active = 0;
		for (size_t i = 0; i < work->child_count; i++) {
			batch_child *child = &work->list[i];
			if (child->pid != 0 && batch_child_ended(child)) {
				work->failed += child->status != 0;
				batch_child_free(child);
			}
			if (child->pid == 0) COMMAND_TRY(fill(work, child));
			active += child->pid != 0;
		}
		work->pace.closed = work->next - active;
		batch_pace_show(&work->pace, active, false);
		if (active > 0) batch_children_listen(work->children, work->child_count, 0.2);
	}
	return OSSA_OK;
}

static void end_children(drawing *work)
{
	size_t active;
	do {
		active = 0;
		for (size_t i = 0; i < work->child_count; i++) {
			if (work->list[i].pid == 0) continue;
			batch_child_stop(&work->list[i]);
			active += !batch_child_ended(&work->list[i]);
		}
		if (active > 0) batch_children_listen(work->children, work->child_count, 0.2);
	} while (active > 0);
	for (size_t i = 0; i < work->child_count; i++) batch_child_free(&work->list[i]);
}

ossa_status batch_thumbnails_draw(
	command_run *run, const batch_options *options, const batch_place *place, batch_rows *rows, size_t count)
{
	char path[COMMAND_PATH_SIZE];
	drawing work = {.run = run, .place = place, .rows = rows, .count = count < rows->count ? count : rows->count};
	const batch_row any = {.picture = "x"};
	if (work.count == 0) return OSSA_OK;
	picture_path(place, &any, path, sizeof path);
	const int error = batch_make_folders(path);
	if (error != 0) return command_fail(run, OSSA_ERROR_WRITE, "%s: cannot be made: %s", path, strerror(error));
	work.child_count = (size_t)(options->jobs > 0 ? options->jobs : batch_core_count(run));
	work.list = calloc(work.child_count, sizeof *work.list);
	work.children = calloc(work.child_count, sizeof *work.children);
	ossa_status status = work.list && work.children ? OSSA_OK : batch_no_memory(run);
	for (size_t i = 0; i < work.child_count && status == OSSA_OK; i++) {
		batch_child_free(&work.list[i]);
		work.children[i] = &work.list[i];
	}
	batch_pace_begin(&work.pace, "pictures", run->shared.quiet, work.count);
	if (status == OSSA_OK) status = draw(&work);
	if (work.list && work.children) end_children(&work);
	batch_pace_show(&work.pace, 0, true);
	if (work.failed > 0 && status == OSSA_OK && !run->shared.quiet)
		fprintf(stderr, "ossa batch: warning: pictures that could not be drawn: %zu; is a rig gone since?\n", work.failed);
	free(work.list);
	free(work.children);
	return status;
}
