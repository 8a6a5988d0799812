/* tools/ossa/batch/sheet.c: the contact sheet.

   Place in the path: the command's batch, behind the rows.
   Input: rows, from the worst on.
   Output: one HTML page. Its rows are JSON in the page: only those in view become
   elements, so that a hundred thousand open as fast as ten. Texts reach the page as text alone,
   never as HTML, whatever files are called. */
#include "batch/sheet.h"
#include "batch/contents.h"
#include "batch/sheet_page.h"
#include "batch/thumbnails.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* JSON in a page: no "<", which could end the script */
static void print_json(FILE *stream, const char *text, size_t size)
{
	for (const char *end = text + size; text < end;) {
		const char *angle = memchr(text, '<', (size_t)(end - text));
		fwrite(text, 1, (size_t)((angle ? angle : end) - text), stream);
		if (!angle) return;
		fputs("\\u003c", stream);
		text = angle + 1;
	}
}

static void print_text(FILE *stream, const char *text)
{
	json_t *value = json_string(text);
	char *json = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
	if (json) print_json(stream, json, strlen(json));
	else fputs("\"\"", stream);
	free(json);
	json_decref(value);
}

/* the members that the page shows, as they stand in the report */
static bool print_member(void *user, json_span key, json_span value)
{
	static const char *const shown[] = {"id", "status", "code", "message", "inputs", "outputs", "method", "bones", "vertices",
		"frames", "error_percent", "warnings", "metrics", "run"};
	FILE *stream = user;
	for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
		if (!json_span_is(key, shown[i])) continue;
		print_json(stream, key.begin, (size_t)(key.end - key.begin));
		fputc(':', stream);
		print_json(stream, value.begin, (size_t)(value.end - value.begin));
		fputc(',', stream);
	}
	return true;
}

static void print_row(FILE *stream, const batch_place *place, const batch_rows *rows, const batch_row *row, bool has_pictures)
{
	char path[128], picture[COMMAND_PATH_SIZE];
	const char *line = rows->text + row->begin;
	fputc('{', stream);
	json_scan_object((json_span){line, line + row->size}, print_member, stream);
	batch_thumbnail_path(row, path, sizeof path);
	const bool fits = (size_t)snprintf(picture, sizeof picture, "%s/%s", place->state, path) < sizeof picture;
	const bool drawn = has_pictures && row->picture[0] && fits && batch_stamp(picture).is_there;
	fprintf(stream, "\"picture\":\"%s\"}", drawn ? path : "");
}

/* from the state folder to the manifest's, from where outputs are named: "../" */
static void print_base(FILE *stream, const batch_place *place)
{
	char state[COMMAND_PATH_SIZE], base[COMMAND_PATH_SIZE];
	const bool fits = batch_path_absolute(place->folder, place->state, state, sizeof state - 1);
	if (fits && strcmp(state, "/") != 0) strcat(state, "/");
	print_text(stream, fits && batch_path_between(state, place->folder, base, sizeof base) ? base : "");
}

static ossa_status write_page(command_run *run, const batch_place *place, const char *text, size_t size)
{
	char path[COMMAND_PATH_SIZE];
	if ((size_t)snprintf(path, sizeof path, "%s/index.html", place->state) >= sizeof path)
		return command_fail(run, OSSA_ERROR_WRITE, "the path of the contact sheet is too long");
	const int error = batch_write_whole(path, text, size);
	return error == 0 ? OSSA_OK : command_fail(run, OSSA_ERROR_WRITE, "%s: cannot be written: %s", path, strerror(error));
}

ossa_status batch_sheet_write(command_run *run, const batch_place *place, const batch_rows *rows)
{
	char *text = NULL, pictures[COMMAND_PATH_SIZE];
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);
	if (!stream) return batch_no_memory(run);
	const bool fits = (size_t)snprintf(pictures, sizeof pictures, "%s/thumbs", place->state) < sizeof pictures;
	const bool has_pictures = fits && access(pictures, F_OK) == 0;
	fputs(batch_sheet_head, stream);
	fputs("{\"manifest\":", stream);
	print_text(stream, place->name);
	fputs(",\"base\":", stream);
	print_base(stream, place);
	fputs(",\"rows\":[\n", stream);
	for (size_t i = 0; i < rows->count; i++) {
		print_row(stream, place, rows, &rows->rows[rows->worst[i]], has_pictures);
		fputs(i + 1 < rows->count ? ",\n" : "\n", stream);
	}
	fputs("]}", stream);
	fputs(batch_sheet_tail, stream);
	ossa_status status = fclose(stream) == 0 ? OSSA_OK : batch_no_memory(run);
	if (status == OSSA_OK) status = write_page(run, place, text, size);
	free(text);
	return status;
}
