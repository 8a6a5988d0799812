/* tools/ossa/batch/manifest.h: the lines of a manifest, in so little memory that there may be a
   million. */
#ifndef OSSA_BATCH_MANIFEST_H
#define OSSA_BATCH_MANIFEST_H

#include "batch/hash_table.h"
#include "batch/json_scan.h"
#include "batch/paths.h"

/* What is wrong with a line. */
typedef enum manifest_fault {
	MANIFEST_FINE = 0,
	MANIFEST_NO_JSON,   /* or nested too deep */
	MANIFEST_TOO_LONG,  /* over BATCH_LINE_MAX */
	MANIFEST_NO_ID,     /* no "id", or none that is text */
	MANIFEST_NO_INPUT,  /* no "input" or "inputs" */
	MANIFEST_NO_OUTPUT, /* no "output" or "outputs" */
	MANIFEST_SAME_ID,   /* as line `other` has */
	MANIFEST_COLLIDES,  /* line `other` writes the same file */
	MANIFEST_OVERWRITES /* it writes a file that line `other` reads */
} manifest_fault;

typedef struct manifest_line {
	uint64_t offset; /* in the file */
	/* of its inputs: as the line says, else as they are; 0 where they are missing */
	uint64_t bytes;
	uint64_t id;   /* hash of its id, 0: it has none of its own */
	uint64_t text; /* hash of the line, where MANIFEST_TEXTS asked for it */
	uint32_t length;
	uint32_t number; /* in the file, from 1 on */
	uint32_t other;  /* number of another line, of some faults */
	manifest_fault fault;
} manifest_line;

typedef struct manifest {
	int file;      /* open: what replaces the file later is not read */
	uint64_t size; /* of the file when it was read */
	size_t count, capacity;
	manifest_line *lines; /* those that are not empty */
	batch_table ids;      /* hash of an id: index of its line */
	batch_table writers;  /* key of an output: index of the line that writes it */
} manifest;

/* What is found out of each line besides its faults. */
typedef enum manifest_need {
	MANIFEST_LINES, /* nothing */
	MANIFEST_SIZES, /* "bytes": where a line does not say them, its inputs are looked up */
	MANIFEST_TEXTS  /* "text" */
} manifest_need;

/* Reads the file place->name, the command being in its folder.
   Errors: OSSA_ERROR_READ, OSSA_ERROR_INPUT (no line, or too many), OSSA_ERROR_MEMORY.
   Ownership: batch_manifest_close, also after a failure. */
ossa_status batch_manifest_open(command_run *run, const batch_place *place, manifest_need need, manifest *made);
void batch_manifest_close(manifest *made);

/* The text of a line, ended by 0, from malloc; NULL where there is no memory or the file has
   changed since. */
char *batch_manifest_text(const manifest *made, const manifest_line *line);

/* Whether the line has an id that no earlier line has; else it is known by its number. */
bool batch_manifest_has_id(const manifest_line *line);

/* The index of the line of a number, or BATCH_TABLE_NONE. */
uint32_t batch_manifest_find(const manifest *made, uint32_t number);

/* The line that writes the file at a path, as the disk is now; NULL where none does. */
const manifest_line *batch_manifest_writer(const manifest *made, const char *path);

/* What a fault means, as a sentence without the final stop. */
void batch_manifest_explain(const manifest_line *line, char *text, size_t size);

/* The hash of a text that is a name. */
uint64_t batch_name_hash(const char *text, size_t length);

#endif
