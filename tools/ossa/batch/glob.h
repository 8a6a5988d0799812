/* tools/ossa/batch/glob.h: patterns of paths. */
#ifndef OSSA_BATCH_GLOB_H
#define OSSA_BATCH_GLOB_H

#include "batch/asset.h"

/* In a pattern * stands for any letters of a name, ? for one, [a-z] for one of some, ** between
   slashes for any folders, none too; a backslash before one of these means the letter itself. What
   begins with a dot matches only where the pattern has the dot, and ** follows no links. */

/* Adds all files that match, each once, in the order of their bytes, which is the same on every
   machine. A path that exists as it is written is taken as it is. Folders that cannot be read are
   warned of, and some_failed is set.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. */
ossa_status batch_glob(command_run *run, const char *pattern, path_list *found);

/* Whether a path matches the whole pattern. */
bool batch_glob_matches(const char *pattern, const char *path);

/* How many letters of the pattern are folders without a wildcard, the last slash included. */
size_t batch_glob_fixed(const char *pattern);

/* Writes the text as a pattern that matches it alone. False where it does not fit. */
bool batch_glob_quote(const char *text, char *pattern, size_t size);

#endif
