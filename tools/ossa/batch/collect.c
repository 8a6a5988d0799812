/* tools/ossa/batch/collect.c: `ossa batch --collect`: what became of a batch.

   Place in the path: the command's batch, behind its work.
   Input: a manifest, the reports of its shards.
   Output: the merged report, a summary, a contact sheet. */
#include "batch/batch.h"
#include "batch/sheet.h"
#include "batch/thumbnails.h"
#include "batch/utf8.h"
#include "command_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CODES_MAX = 32 };

typedef struct code_count {
	char code[16];
	size_t count;
} code_count;

typedef struct batch_summary {
	size_t done, failed, missing, with_warnings;
	double seconds, slowest_seconds, peak_mb;
	size_t slowest; /* row */
	size_t code_count;
	code_count codes[CODES_MAX]; /* of failures, as they come */
} batch_summary;

static void count_code(batch_summary *summary, const char *code)
{
	for (size_t i = 0; i < summary->code_count; i++) {
		if (strcmp(summary->codes[i].code, code) != 0) continue;
		summary->codes[i].count++;
		return;
	}
	if (summary->code_count == CODES_MAX) return;
	code_count *own = &summary->codes[summary->code_count++];
	snprintf(own->code, sizeof own->code, "%s", code);
	own->count = 1;
}

static batch_summary summarize(const batch_rows *rows)
{
	batch_summary summary = {.done = 0};
	for (size_t i = 0; i < rows->count; i++) {
		const batch_row *row = &rows->rows[i];
		summary.done += row->status == ROW_DONE;
		summary.failed += row->status == ROW_FAILED;
		summary.missing += row->status == ROW_MISSING;
		summary.with_warnings += row->warnings > 0;
		if (row->status == ROW_FAILED) count_code(&summary, row->code);
		if (!isnan(row->seconds)) summary.seconds += row->seconds;
		if (row->seconds > summary.slowest_seconds) {
			summary.slowest_seconds = row->seconds;
			summary.slowest = i;
		}
		if (row->peak_mb > summary.peak_mb) summary.peak_mb = row->peak_mb;
	}
	return summary;
}

/* the name of a row, from malloc */
static char *id_of(batch_rows *rows, size_t index)
{
	const json_span text = batch_rows_line(rows, &rows->rows[index]);
	json_t *line = text.begin ? json_loadb(text.begin, (size_t)(text.end - text.begin), 0, NULL) : NULL;
	const char *id = json_string_value(json_object_get(line, "id"));
	char *name = strdup(id ? id : "");
	json_decref(line);
	return name;
}

static json_t *codes_json(const batch_summary *summary)
{
	json_t *codes = json_object();
	for (size_t i = 0; i < summary->code_count; i++)
		json_object_set_new(codes, summary->codes[i].code, json_integer((json_int_t)summary->codes[i].count));
	return codes;
}

static ossa_status print_json(command_run *run, const batch_place *place, batch_rows *rows, const batch_summary *summary)
{
	char path[COMMAND_PATH_SIZE + 16];
	char *slowest = id_of(rows, summary->slowest);
	json_t *value = json_pack("{s:I, s:I, s:I, s:I, s:I, s:o, s:f, s:f}", "assets", (json_int_t)rows->count, "done",
		(json_int_t)summary->done, "failed", (json_int_t)summary->failed, "missing", (json_int_t)summary->missing,
		"with_warnings", (json_int_t)summary->with_warnings, "codes", codes_json(summary), "seconds", summary->seconds,
		"peak_mb", summary->peak_mb);
	if (summary->slowest_seconds > 0) json_object_set_new(value, "slowest", json_string(slowest));
	free(slowest);
	snprintf(path, sizeof path, "%s/report.jsonl", place->state);
	json_object_set_new(value, "report", json_string(path));
	snprintf(path, sizeof path, "%s/index.html", place->state);
	json_object_set_new(value, "sheet", json_string(path));
	return command_print_json(run, value);
}

/* an id as a terminal may show it: the beginning, on one line */
static void make_short(char *id)
{
	if (strlen(id) > 100) id[100] = 0;
	batch_repair_text(id);
	command_show_plainly(id);
}

static void print_failures(const batch_summary *summary)
{
	for (size_t i = 0; i < summary->code_count; i++) {
		printf("%s%s %zu", i == 0 ? ": " : ", ", summary->codes[i].code, summary->codes[i].count);
	}
	putchar('\n');
}

static ossa_status print_summary(command_run *run, const batch_place *place, batch_rows *rows)
{
	const batch_summary summary = summarize(rows);
	run->some_failed = summary.failed + summary.missing > 0;
	if (run->shared.json) return print_json(run, place, rows, &summary);
	if (!command_prints_text(run)) return OSSA_OK;
	printf("%-10s %zu\n", "assets", rows->count);
	printf("%-10s %zu, %zu of them with warnings\n", "done", summary.done, summary.with_warnings);
	printf("%-10s %zu", "failed", summary.failed);
	print_failures(&summary);
	if (summary.missing > 0) printf("%-10s %zu: no shard has reported on them\n", "missing", summary.missing);
	if (summary.slowest_seconds > 0) {
		char *slowest = id_of(rows, summary.slowest);
		if (slowest) make_short(slowest);
		printf("%-10s %.6g s in all, %.4g s at most: %s\n", "took", summary.seconds, summary.slowest_seconds,
			slowest ? slowest : "");
		printf("%-10s %.0f MB at most\n", "memory", summary.peak_mb);
		free(slowest);
	}
	printf("%-10s %s/report.jsonl\n", "wrote", place->state);
	printf("%-10s %s/index.html\n", "wrote", place->state);
	return OSSA_OK;
}

static ossa_status collect(
	command_run *run, const batch_options *options, const batch_place *place, const manifest *made, batch_rows *rows)
{
	char path[COMMAND_PATH_SIZE];
	if ((size_t)snprintf(path, sizeof path, "%s/report.jsonl", place->state) >= sizeof path)
		return command_fail(run, OSSA_ERROR_WRITE, "the path of the report is too long");
	COMMAND_TRY(batch_rows_make(run, place, made, path, rows));
	COMMAND_TRY(batch_thumbnails_draw(run, options, place, rows, (size_t)options->thumbnails));
	COMMAND_TRY(batch_sheet_write(run, place, rows));
	return print_summary(run, place, rows);
}

ossa_status batch_collect(command_run *run, const batch_options *options, const batch_place *place)
{
	manifest made;
	batch_rows rows = {.file = -1};
	ossa_status status = batch_manifest_open(run, place, MANIFEST_TEXTS, &made);
	if (status == OSSA_OK) status = collect(run, options, place, &made, &rows);
	batch_rows_free(&rows);
	batch_manifest_close(&made);
	return status;
}
