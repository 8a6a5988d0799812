/* tools/ossa/batch/rows.c: the lines of the merged report with what they are sorted by.

   Place in the path: the command's batch, behind the merge, before summary and contact sheet.
   Input: a manifest and the reports of its shards.
   Output: the merged report as text, and numbers of each line. */
#include "batch/rows.h"
#include "batch/asset.h"
#include "batch/merged.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a line ---- */

static bool count_item(void *user, json_span key, json_span value)
{
	(void)key;
	(void)value;
	++*(uint32_t *)user;
	return true;
}

static bool take_run(void *user, json_span key, json_span value)
{
	batch_row *row = user;
	if (json_span_is(key, "seconds")) row->seconds = json_span_number(value, NAN);
	else if (json_span_is(key, "peak_mb")) row->peak_mb = json_span_number(value, NAN);
	return true;
}

static bool take_hash(void *user, json_span key, json_span value)
{
	batch_row *row = user;
	if (json_span_is(key, "hash")) json_span_string(value, row->picture, sizeof row->picture);
	return true;
}

/* of the first output */
static bool take_output(void *user, json_span key, json_span value)
{
	batch_row *row = user;
	(void)key;
	return row->picture[0] || json_scan_object(value, take_hash, row);
}

static bool take_member(void *user, json_span key, json_span value)
{
	batch_row *row = user;
	if (json_span_is(key, "status")) row->status = json_span_is(value, "done") ? ROW_DONE : ROW_FAILED;
	else if (json_span_is(key, "code")) json_span_string(value, row->code, sizeof row->code);
	else if (json_span_is(key, "error_percent")) row->error_percent = json_span_number(value, NAN);
	else if (json_span_is(key, "warnings")) json_scan_array(value, count_item, &row->warnings);
	else if (json_span_is(key, "outputs")) json_scan_array(value, take_output, row);
	else if (json_span_is(key, "run")) json_scan_object(value, take_run, row);
	return true;
}

/* an asset that nobody has worked on */
static char *missing_line(command_run *run, const manifest *made, size_t index)
{
	batch_asset asset;
	char *text = NULL;
	if (batch_asset_read(run, made, index, &asset) == OSSA_OK) {
		json_t *line = json_pack("{s:s, s:s, s:s, s:i, s:s}", "id", asset.id, "status", "missing", "code", "missing", "exit",
			-1, "message", "no shard has reported on it: run the batch, or the shard that was lost, again");
		text = line ? json_dumps(line, JSON_COMPACT) : NULL;
		json_decref(line);
	}
	batch_asset_free(&asset);
	return text;
}

static ossa_status add_row(
	command_run *run, const manifest *made, merged_reports *merged, FILE *stream, batch_row *row, size_t index)
{
	json_span line;
	char *missing = NULL;
	*row = (batch_row){.status = ROW_MISSING, .error_percent = NAN, .seconds = NAN, .peak_mb = NAN};
	COMMAND_TRY(batch_merged_line(run, made, merged, index, &line));
	if (!line.begin) {
		missing = missing_line(run, made, index);
		if (!missing) return batch_no_memory(run);
		line = (json_span){missing, missing + strlen(missing)};
		snprintf(row->code, sizeof row->code, "missing");
	} else json_scan_object(line, take_member, row);
	row->begin = (uint64_t)ftello(stream);
	row->size = (uint32_t)(line.end - line.begin);
	fwrite(line.begin, 1, row->size, stream);
	fputc('\n', stream);
	free(missing);
	return OSSA_OK;
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

static ossa_status add_rows(command_run *run, const batch_place *place, const manifest *made, batch_rows *rows)
{
	merged_reports merged;
	FILE *stream = open_memstream(&rows->text, &rows->text_size);
	if (!stream) return batch_no_memory(run);
	ossa_status status = batch_merged_open(run, place, made, &merged);
	for (size_t i = 0; i < made->count && status == OSSA_OK; i++) {
		status = add_row(run, made, &merged, stream, &rows->rows[i], i);
		rows->count = i + 1;
	}
	batch_merged_close(&merged);
	if (fclose(stream) != 0 && status == OSSA_OK) status = batch_no_memory(run);
	return status;
}

ossa_status batch_rows_make(command_run *run, const batch_place *place, const manifest *made, batch_rows *rows)
{
	*rows = (batch_rows){.rows = calloc(made->count + 1, sizeof *rows->rows)};
	if (!rows->rows) return batch_no_memory(run);
	COMMAND_TRY(add_rows(run, place, made, rows));
	return rank(run, rows);
}

void batch_rows_free(batch_rows *rows)
{
	free(rows->rows);
	free(rows->text);
	free(rows->worst);
	*rows = (batch_rows){0};
}
