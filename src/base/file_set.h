/* base/file_set.h: how files in memory change while they are written: for file.c and folder.c
   alone. */
#ifndef OSSAI_BASE_FILE_SET_H
#define OSSAI_BASE_FILE_SET_H

#include "base/context.h"
#include <ossa/files.h>

/* Puts a file into the set in place of one of the same name. The bytes, of the context and
   followed by a 0, are the set's from now on, also after a failure. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_files_store(ossa_files *files, const char *name, uint8_t *bytes, size_t size);

/* The file `from` becomes `to`, in place of one of that name. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_files_rename(ossa_files *files, const char *from, const char *to);

/* Nothing happens where there is none of that name. */
void ossai_files_remove(ossa_files *files, const char *name);

#endif
