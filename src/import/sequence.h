/* import/sequence.h: numbered files: a path with '#' in its name stands for every file that has a
   number there. */
#ifndef OSSAI_IMPORT_SEQUENCE_H
#define OSSAI_IMPORT_SEQUENCE_H

#include "base/context.h"

/* A path whose last part has a '#', and which is not itself the name of a file. */
bool ossai_sequence_is(const ossa_context *context, const char *path);

/* The files that "walk_####.obj" stands for, in the order of their numbers, in the arena: every
   file of the folder with any number of digits in place of the run of '#'. Where they are to be
   read (expand), missing numbers between them are listed in the warning "sequence-gaps". Errors:
   OSSA_ERROR_READ naming folder and pattern where no file fits; OSSA_ERROR_ARGUMENT where there are
   two runs of '#', or (expand) two files of the same number. */
ossa_status ossai_sequence_list(ossai_arena *arena, const char *path, size_t *count, const char *const **paths);
ossa_status ossai_sequence_expand(ossai_arena *arena, const char *path, size_t *count, const char *const **paths);

#endif
