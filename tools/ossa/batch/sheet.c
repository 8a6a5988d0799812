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

/* the picture of a row, as the page names it; "" where there is none */
static void find_picture(const batch_place *place, const batch_row *row, char path[128])
{
	char picture[COMMAND_PATH_SIZE];
	batch_thumbnail_path(row, path, 128);
	const bool fits = (size_t)snprintf(picture, sizeof picture, "%s/%s", place->state, path) < sizeof picture;
	if (!fits || !batch_stamp(picture).is_there) path[0] = 0;
}

/* the line as it stands in the report, behind its picture */
static void print_row(FILE *stream, const batch_place *place, batch_rows *rows, const batch_row *row, bool has_pictures)
{
	char path[128] = "";
	const json_span line = batch_rows_line(rows, row);
	if (has_pictures && row->picture[0]) find_picture(place, row, path);
	fputs("{\"picture\":\"", stream);
	fputs(path, stream);
	fputs(line.begin ? "\"," : "\"}", stream);
	/* behind the brace with which it begins */
	if (line.begin) print_json(stream, line.begin + 1, (size_t)(line.end - line.begin) - 1);
}

/* from the state folder to the manifest's, from where outputs are named: "../" */
static void print_base(FILE *stream, const batch_place *place)
{
	char state[COMMAND_PATH_SIZE], base[COMMAND_PATH_SIZE];
	const bool fits = batch_path_absolute(place->folder, place->state, state, sizeof state - 1);
	if (fits && strcmp(state, "/") != 0) strcat(state, "/");
	print_text(stream, fits && batch_path_between(state, place->folder, base, sizeof base) ? base : "");
}

static void print_page(FILE *stream, const batch_place *place, batch_rows *rows, bool has_pictures)
{
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
}

ossa_status batch_sheet_write(command_run *run, const batch_place *place, batch_rows *rows)
{
	char path[COMMAND_PATH_SIZE], pictures[COMMAND_PATH_SIZE];
	batch_whole whole;
	if ((size_t)snprintf(path, sizeof path, "%s/index.html", place->state) >= sizeof path)
		return command_fail(run, OSSA_ERROR_WRITE, "the path of the contact sheet is too long");
	snprintf(pictures, sizeof pictures, "%.*s/thumbs", (int)(sizeof pictures - 16), place->state);
	int error = batch_whole_begin(path, &whole);
	if (error == 0) print_page(whole.stream, place, rows, access(pictures, F_OK) == 0);
	error = batch_whole_end(&whole, error);
	return error == 0 ? OSSA_OK : command_fail(run, OSSA_ERROR_WRITE, "%s: cannot be written: %s", path, strerror(error));
}
