/* tools/ossa/batch/overrides.h: what differs for some of the files that a manifest is made of. */
#ifndef OSSA_BATCH_OVERRIDES_H
#define OSSA_BATCH_OVERRIDES_H

#include "command.h"

/* Reads the lines of a file: {"match": PATTERN, "options": {...}, "skip": true}.
   Errors: OSSA_ERROR_READ, OSSA_ERROR_INPUT naming the line.
   Ownership: json_decref, also after a failure; NULL where `path` is. */
ossa_status batch_overrides_read(command_run *run, const char *path, json_t **overrides);

/* Changes the options of a file by all lines that match it, in their order: null removes an option.
   False where the file is to be left out. */
bool batch_overrides_apply(json_t *overrides, const char *path, json_t *options);

#endif
