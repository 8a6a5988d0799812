/* tools/ossa/batch/line_facts.h: which files a line of a manifest reads and writes. */
#ifndef OSSA_BATCH_LINE_FACTS_H
#define OSSA_BATCH_LINE_FACTS_H

#include "batch/json_scan.h"
#include "batch/paths.h"
#include "batch/place_keys.h"

/* Hashes of files, in the order in which they are named. */
typedef struct file_hashes {
	size_t count, capacity;
	uint64_t *items;
} file_hashes;

/* What a line says. Its lists are used again for the next line. */
typedef struct line_facts {
	const char *folder; /* of the manifest */
	bool measure;       /* add up the sizes of the inputs on the disk */
	char *text;         /* for one string: as long as the longest line */
	size_t text_size;
	bool has_id, no_memory;
	uint64_t id;
	uint64_t bytes;
	int levels;
	size_t input_count, output_count; /* of "input(s)" and "output(s)" */
	file_hashes reads, writes;        /* those of options too */
	place_keys places;                /* folders of all lines */
} line_facts;

/* Fills the facts; false where the line is no JSON object. */
bool batch_line_facts_read(line_facts *facts, json_span line);

void batch_line_facts_free(line_facts *facts);

/* What an option of `ossa rig` names. */
typedef enum option_file { OPTION_NO_FILE, OPTION_READS, OPTION_WRITES } option_file;
option_file batch_option_file(const char *name);

#endif
