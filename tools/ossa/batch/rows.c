/* tools/ossa/batch/rows.c: the lines of the merged report with what they are sorted by.

   Place in the path: the command's batch, behind the merge, before summary and contact sheet.
   Input: a manifest and the reports of its shards.
   Output: the merged report as a file, and numbers of each line. */
#include "batch/rows.h"
#include "batch/asset.h"
#include "batch/merged.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- a line ---- */

static bool take_id(void *user, json_span key, json_span value)
{
	if (json_span_is(key, "id")) *(json_span *)user = value;
	return true;
}

/* The id of a line as JSON, in its text where it has one: a million lines may be missing. */
static char *id_json(command_run *run, const manifest *made, size_t index)
{
	json_span id = {NULL, NULL};
	batch_asset asset;
	const manifest_line *line = &made->lines[index];
	char *text = batch_manifest_has_id(line) ? batch_manifest_text(made, line) : NULL;
	if (text && json_scan_object((json_span){text, text + line->length}, take_id, &id) && id.begin) {
		const size_t size = (size_t)(id.end - id.begin);
		memmove(text, id.begin, size);
		text[size] = 0;
		return text;
	}
	free(text);
	json_t *value = batch_asset_read(run, made, index, &asset) == OSSA_OK ? json_string(asset.id) : NULL;
	text = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
	json_decref(value);
	batch_asset_free(&asset);
	return text;
}

/* an asset that nobody has worked on */
static ossa_status print_missing(command_run *run, const manifest *made, size_t index, FILE *stream)
{
	char *id = id_json(run, made, index);
	if (!id) return batch_no_memory(run);
	fputs("{\"id\":", stream);
	fputs(id, stream);
	fputs(",\"status\":\"missing\",\"code\":\"missing\",\"exit\":-1,\"message\":"
		  "\"no shard has reported on it: run the batch, or the shard that was lost, again\"}",
		stream);
	free(id);
	return OSSA_OK;
}

/* `begin`: of the line in the merged report, moved behind it */
static ossa_status add_row(
	command_run *run, const manifest *made, merged_reports *merged, size_t index, FILE *stream, uint64_t *begin, batch_row *row)
{
	json_span line;
	COMMAND_TRY(batch_merged_line(run, made, merged, index, &line));
	*row = line.begin ? merged->lines[index].row : batch_row_missing();
	if (line.begin) fwrite(line.begin, 1, (size_t)(line.end - line.begin), stream);
	else COMMAND_TRY(print_missing(run, made, index, stream));
	fputc('\n', stream);
	row->begin = *begin;
	*begin = (uint64_t)ftello(stream);
	row->size = (uint32_t)(*begin - row->begin - 1);
	return index % 1024 == 0 ? command_check(run) : OSSA_OK;
}

/* ---- the order ---- */

typedef struct ranked_row {
	const batch_row *row;
	uint32_t index;
} ranked_row;

/* failed rows have the largest error of all */
static double badness(const batch_row *row)
{
	if (row->status != ROW_DONE) return INFINITY;
	return isnan(row->error_percent) ? 0 : row->error_percent;
}

static int by_badness(const void *a, const void *b)
{
	const ranked_row *first = a, *second = b;
	const double one = badness(first->row), other = badness(second->row);
	if (one != other) return one < other ? 1 : -1;
	if (first->row->warnings != second->row->warnings) return first->row->warnings < second->row->warnings ? 1 : -1;
	return (first->index > second->index) - (first->index < second->index);
}

static ossa_status rank(command_run *run, batch_rows *rows)
{
	ranked_row *list = malloc((rows->count + 1) * sizeof *list);
	rows->worst = malloc((rows->count + 1) * sizeof *rows->worst);
	if (!list || !rows->worst) {
		free(list);
		return batch_no_memory(run);
	}
	for (size_t i = 0; i < rows->count; i++) list[i] = (ranked_row){&rows->rows[i], (uint32_t)i};
	qsort(list, rows->count, sizeof *list, by_badness);
	for (size_t i = 0; i < rows->count; i++) rows->worst[i] = list[i].index;
	free(list);
	return OSSA_OK;
}

/* ---- the whole ---- */

static ossa_status add_rows(command_run *run, const batch_place *place, const manifest *made, FILE *stream, batch_rows *rows)
{
	merged_reports merged;
	uint64_t begin = 0;
	ossa_status status = batch_merged_open(run, place, made, &merged);
	for (; rows->count < made->count && status == OSSA_OK; rows->count++)
		status = add_row(run, made, &merged, rows->count, stream, &begin, &rows->rows[rows->count]);
	batch_merged_close(&merged);
	return status;
}

ossa_status batch_rows_make(
	command_run *run, const batch_place *place, const manifest *made, const char *path, batch_rows *rows)
{
	batch_whole whole;
	ossa_status status = OSSA_OK;
	*rows = (batch_rows){.rows = calloc(made->count + 1, sizeof *rows->rows), .file = -1};
	if (!rows->rows) return batch_no_memory(run);
	int error = batch_make_folders(path);
	if (error == 0) error = batch_whole_begin(path, &whole);
	if (error == 0) {
		rows->file = fcntl(fileno(whole.stream), F_DUPFD_CLOEXEC, 0);
		status = rows->file < 0 ? batch_no_memory(run) : add_rows(run, place, made, whole.stream, rows);
		error = batch_whole_end(&whole, status == OSSA_OK ? 0 : ECANCELED);
	}
	if (status == OSSA_OK && error != 0) {
		char reason[256];
		batch_explain_write(path, error, reason, sizeof reason);
		return command_fail(run, OSSA_ERROR_WRITE, "%s: cannot be written: %s", path, reason);
	}
	return status == OSSA_OK ? rank(run, rows) : status;
}

json_span batch_rows_line(batch_rows *rows, const batch_row *row)
{
	if (row->size > rows->text_size) {
		char *larger = realloc(rows->text, 2 * (size_t)row->size);
		if (!larger) return (json_span){NULL, NULL};
		rows->text = larger;
		rows->text_size = 2 * (size_t)row->size;
	}
	if (pread(rows->file, rows->text, row->size, (off_t)row->begin) != (ssize_t)row->size) return (json_span){NULL, NULL};
	return (json_span){rows->text, rows->text + row->size};
}

void batch_rows_free(batch_rows *rows)
{
	if (rows->file >= 0) close(rows->file);
	free(rows->rows);
	free(rows->text);
	free(rows->worst);
	*rows = (batch_rows){.file = -1};
}
