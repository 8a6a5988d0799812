/* base/file.h: whole files in, whole files out: of the disk, or of the files in memory that the
   context uses (ossa/files.h). */
#ifndef OSSAI_BASE_FILE_H
#define OSSAI_BASE_FILE_H

#include "base/context.h"

#include <stdio.h>

/* A file's bytes, mapped or read; not zero-terminated. */
typedef struct ossai_file {
	const uint8_t *bytes;
	size_t size;
	bool mapped;
	bool is_lent; /* of a file in memory: not released here */
} ossai_file;

/* A file in memory. */
typedef struct ossai_source {
	const char *path; /* for messages and names */
	const uint8_t *bytes;
	size_t size;
	bool is_mapped; /* pages that were read may be forgotten: they are read again from the disk */
} ossai_source;

/* Opens a file for reading from begin to end. Errors: OSSA_ERROR_READ naming the path and the
   system's reason. */
ossa_status ossai_file_open(ossa_context *context, const char *path, ossai_file *file);
/* The same for a file that is no input, as an old output: ossa_opened_function is not called. */
ossa_status ossai_file_open_output(ossa_context *context, const char *path, ossai_file *file);
void ossai_file_close(ossa_context *context, ossai_file *file);

/* Advises the system that a part of a file will hardly be read again soon, so that a long mapped
   file does not fill the memory. */
void ossai_file_forget(const ossai_file *file, const uint8_t *begin, size_t size);

/* Whether there is anything at the path. */
bool ossai_file_exists(const ossa_context *context, const char *path);

/* The same for an input that is read only where it is there: where it is not, ossa_opened_function
   learns its name, since the result is another one when it comes. */
bool ossai_file_is_input(const ossa_context *context, const char *path);

/* A file being written: to a temporary in the same folder, renamed over `path` by commit; until
   then, and after abort or a crash, what was at `path` is untouched. A file keeps its permissions
   and a link its target; a pipe or device is written to directly. */
typedef struct ossai_output {
	ossa_context *context;
	FILE *stream;                  /* write here; errors are noticed at commit */
	struct ossai_written *written; /* what was written to memory; NULL: it goes to the disk */
	char path[4096];
	char temporary[4128]; /* "" where the path is a pipe or device */
} ossai_output;

/* Errors: OSSA_ERROR_WRITE naming the path and the reason (folder missing, no right, no space). */
ossa_status ossai_output_begin(ossa_context *context, const char *path, ossai_output *output);
/* Flushes, checks and renames; removes the temporary file on failure. */
ossa_status ossai_output_commit(ossai_output *output);
/* Writes a text as a whole file. Errors: OSSA_ERROR_WRITE, OSSA_ERROR_MEMORY. */
ossa_status ossai_output_text(ossa_context *context, const char *path, const char *text);
void ossai_output_abort(ossai_output *output); /* after a failure; harmless after commit */

/* Files that appear together or not at all: from begin to end, what is committed stays a
   temporary; end renames them all in the order of their commits. A batch begun inside another is
   part of it. */
typedef struct ossai_batch {
	ossa_context *context;
	bool inner;     /* part of another */
	char **renames; /* "temporary\0path\0" each */
	size_t count, capacity;
} ossai_batch;

void ossai_batch_begin(ossa_context *context, ossai_batch *batch);

/* `status` is how it went: where it is not OSSA_OK, or a rename fails, none of the files is left.
   Answers `status` or the error. */
ossa_status ossai_batch_end(ossai_batch *batch, ossa_status status);

/* Where the contents are that `path` will have: a temporary in a batch that has written it, else
   `path` itself. */
const char *ossai_file_now(const ossa_context *context, const char *path);
/* Whether the batch that runs has written the path. */
bool ossai_batch_has(const ossa_context *context, const char *path);

/* The path's last part: "poses/lion-2.obj" gives "lion-2.obj". */
const char *ossai_file_name(const char *path);

#endif
