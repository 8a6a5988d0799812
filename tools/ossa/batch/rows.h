/* tools/ossa/batch/rows.h: the merged report, row by row, as the contact sheet shows it. */
#ifndef OSSA_BATCH_ROWS_H
#define OSSA_BATCH_ROWS_H

#include "batch/manifest.h"
#include "batch/siphash.h"

typedef enum row_status { ROW_DONE, ROW_FAILED, ROW_MISSING } row_status;

/* One asset. Numbers are NAN where they are not known. */
typedef struct batch_row {
	uint64_t begin; /* of its JSON in the texts of the table, without the end of the line */
	uint32_t size;
	row_status status;
	char code[16];
	double error_percent, seconds, peak_mb;
	uint32_t warnings;
	char picture[BATCH_HASH_TEXT]; /* the hash of its first output, "" for none */
} batch_row;

typedef struct batch_rows {
	size_t count;
	batch_row *rows; /* in the manifest's order */
	char *text;      /* the merged report */
	size_t text_size;
	uint32_t *worst; /* indices of rows: failed ones, then from the largest error on */
} batch_rows;

/* Merges the reports.
   Errors: those of reading, OSSA_ERROR_MEMORY.
   Ownership: batch_rows_free, also after a failure. */
ossa_status batch_rows_make(command_run *run, const batch_place *place, const manifest *made, batch_rows *rows);
void batch_rows_free(batch_rows *rows);

#endif
