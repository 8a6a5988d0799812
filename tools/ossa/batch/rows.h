/* tools/ossa/batch/rows.h: the merged report, row by row, as the contact sheet shows it. */
#ifndef OSSA_BATCH_ROWS_H
#define OSSA_BATCH_ROWS_H

#include "batch/manifest.h"
#include "batch/report_line.h"

typedef struct batch_rows {
	size_t count;
	batch_row *rows; /* in the manifest's order */
	uint32_t *worst; /* indices of rows: failed ones, then from the largest error on */
	int file;        /* the merged report, open */
	char *text;      /* of the line that was read last */
	size_t text_size;
} batch_rows;

/* Merges the reports to the file `path`.
   Errors: those of reading, OSSA_ERROR_WRITE, OSSA_ERROR_MEMORY.
   Ownership: batch_rows_free, also after a failure. */
ossa_status batch_rows_make(
	command_run *run, const batch_place *place, const manifest *made, const char *path, batch_rows *rows);
void batch_rows_free(batch_rows *rows);

/* The line of a row in the merged report, until the next call; {NULL, NULL} where it cannot be
   read or there is no memory. */
json_span batch_rows_line(batch_rows *rows, const batch_row *row);

#endif
