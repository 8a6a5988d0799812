/* tools/ossa/batch/report_line.c: what a line of a report says.

   Place in the path: the command's batch, below the merge.
   Input: a line of a report.
   Output: whose it is, when it was written, of what work, and a row. */
#include "batch/report_line.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

batch_row batch_row_missing(void)
{
	return (batch_row){.status = ROW_MISSING, .code = "missing", .error_percent = NAN, .seconds = NAN, .peak_mb = NAN};
}

static bool take_run(void *user, json_span key, json_span value)
{
	report_line *line = user;
	if (json_span_is(key, "seconds")) line->row.seconds = json_span_number(value, NAN);
	else if (json_span_is(key, "peak_mb")) line->row.peak_mb = json_span_number(value, NAN);
	else if (json_span_is(key, "asked")) line->asked = value;
	/* up to 2^53 a double is exact: the year 2255 in microseconds */
	else if (json_span_is(key, "sequence")) line->sequence = (int64_t)json_span_number(value, 0);
	return true;
}

static bool take_member(void *user, json_span key, json_span value)
{
	report_line *line = user;
	batch_row *row = &line->row;
	if (json_span_is(key, "id") && json_span_is_string(value)) line->id = value;
	else if (json_span_is(key, "status")) row->status = json_span_is(value, "done") ? ROW_DONE : ROW_FAILED;
	else if (json_span_is(key, "code")) json_span_string(value, row->code, sizeof row->code);
	else if (json_span_is(key, "error_percent")) row->error_percent = json_span_number(value, NAN);
	else if (json_span_is(key, "work")) line->work = value;
	else if (json_span_is(key, "warnings")) line->warnings = value;
	else if (json_span_is(key, "outputs")) line->outputs = value;
	else if (json_span_is(key, "run")) json_scan_object(value, take_run, line);
	return true;
}

bool batch_report_line_read(json_span text, report_line *line)
{
	*line = (report_line){.row = {.status = ROW_FAILED, .error_percent = NAN, .seconds = NAN, .peak_mb = NAN}};
	return json_scan_object(text, take_member, line) && line->id.begin;
}

static bool count_item(void *user, json_span key, json_span value)
{
	(void)key;
	(void)value;
	++*(uint32_t *)user;
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
	(void)key;
	json_scan_object(value, take_hash, user);
	return false;
}

void batch_report_line_complete(report_line *line)
{
	if (line->warnings.begin) json_scan_array(line->warnings, count_item, &line->row.warnings);
	if (line->outputs.begin) json_scan_array(line->outputs, take_output, &line->row);
}
