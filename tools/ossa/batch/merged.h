/* tools/ossa/batch/merged.h: the reports of all shards as one. */
#ifndef OSSA_BATCH_MERGED_H
#define OSSA_BATCH_MERGED_H

#include "batch/manifest.h"
#include "batch/report_line.h"

/* Where the last word on an asset stands, and what it says. */
typedef struct merged_line {
	int64_t sequence;
	uint64_t offset; /* in its file */
	uint32_t length; /* 0: there is none */
	uint32_t file;
	bool is_asked; /* it answers the very text of the manifest's line */
	batch_row row;
} merged_line;

typedef struct merged_reports {
	size_t count; /* as the manifest's lines */
	merged_line *lines;
	size_t file_count, file_capacity;
	int *files; /* open */
	char *text; /* of an id or a line */
	size_t text_size;
} merged_reports;

/* Reads all reports of the state folder, for a manifest with its texts. Lines on assets that the
   manifest does not have are passed over.
   Errors: OSSA_ERROR_READ, OSSA_ERROR_MEMORY.
   Ownership: batch_merged_close, also after a failure. */
ossa_status batch_merged_open(command_run *run, const batch_place *place, const manifest *made, merged_reports *merged);
void batch_merged_close(merged_reports *merged);

/* The text of a line on the asset `index` until the next call: {NULL, NULL} where there is none, or
   one on other work than the manifest asks for now. Errors: OSSA_ERROR_READ, OSSA_ERROR_MEMORY. */
ossa_status batch_merged_line(command_run *run, const manifest *made, merged_reports *merged, size_t index, json_span *line);

#endif
