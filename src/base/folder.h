/* base/folder.h: the files of a folder, on the disk or among the files in memory that the context
   uses. */
#ifndef OSSAI_BASE_FOLDER_H
#define OSSAI_BASE_FOLDER_H

#include "base/context.h"

/* Whether an entry of that name is wanted. */
typedef bool (*ossai_folder_filter)(const void *arg, const char *name);

/* The names of all wanted entries of a folder ("": the current one), in no order, in the arena.
   Errors: OSSA_ERROR_READ naming the folder and the system's reason. */
ossa_status ossai_folder_list(
	ossai_arena *arena, const char *folder, ossai_folder_filter wanted, const void *arg, size_t *count, const char ***names);

/* The folder of a path with its last '/' ("poses/lion.obj" gives "poses/", "lion.obj" gives ""),
   in the arena. NULL with the error set. */
const char *ossai_folder_of(ossai_arena *arena, const char *path);

/* `folder` and `name` in one, in the arena; `folder` ends with '/' or is "". NULL with the error
   set. */
const char *ossai_folder_join(ossai_arena *arena, const char *folder, const char *name);

#endif
