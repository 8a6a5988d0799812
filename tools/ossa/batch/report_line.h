/* tools/ossa/batch/report_line.h: one line of a report, read once for all that collecting needs. */
#ifndef OSSA_BATCH_REPORT_LINE_H
#define OSSA_BATCH_REPORT_LINE_H

#include "batch/json_scan.h"
#include "batch/siphash.h"

typedef enum row_status { ROW_DONE, ROW_FAILED, ROW_MISSING } row_status;

/* One asset, as the summary and the contact sheet show it. Numbers are NAN where they are not
   known. */
typedef struct batch_row {
	uint64_t begin; /* of its line in the merged report */
	uint32_t size;  /* without the end of the line */
	row_status status;
	char code[16];
	double error_percent, seconds, peak_mb;
	uint32_t warnings;
	char picture[BATCH_HASH_TEXT]; /* the hash of its first output, "" for none */
} batch_row;

/* A line, of which the spans stand in its text. */
typedef struct report_line {
	json_span id;       /* a string, or {NULL, NULL} */
	int64_t sequence;   /* 0: none */
	json_span work;     /* hash of what was done */
	json_span asked;    /* hash of the line of the manifest */
	json_span warnings; /* counted where the line is the last on its asset */
	json_span outputs;
	batch_row row;
} report_line;

/* The row of an asset that nobody has reported on. */
batch_row batch_row_missing(void);

/* Reads a line; false where it is no JSON object with an id. */
bool batch_report_line_read(json_span text, report_line *line);

/* Completes the row by what takes a second look. */
void batch_report_line_complete(report_line *line);

#endif
