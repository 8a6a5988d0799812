/* tools/ossa/batch/paths.h: paths: their parts, one spelling for each file, folders that are made.
   */
#ifndef OSSA_BATCH_PATHS_H
#define OSSA_BATCH_PATHS_H

#include "command.h"

/* Folder and name of the manifest, and the folder of its state. The command stands in the
   manifest's folder from batch_enter on: all paths of a manifest are of that folder. */
typedef struct batch_place {
	char name[COMMAND_PATH_SIZE];   /* of the manifest, in its folder */
	char folder[COMMAND_PATH_SIZE]; /* of the manifest: absolute, without links, "/" at its end */
	char state[COMMAND_PATH_SIZE];  /* of reports: absolute, or of the manifest's folder */
} batch_place;

/* Goes to the manifest's folder. state: the folder for the reports, of the folder in which the
   command was; NULL: the manifest's name with the ending .batch.
   Errors: OSSA_ERROR_READ, OSSA_ERROR_ARGUMENT. */
ossa_status batch_enter(command_run *run, const char *manifest, const char *state, batch_place *place);

/* The path as an absolute one without ".", ".." and doubled "/", of `folder` where it is relative;
   links are not followed. False where it does not fit. */
bool batch_path_absolute(const char *folder, const char *path, char *text, size_t size);

/* The path from one folder to a file, "../out/a.glb"; both absolute, as batch_path_absolute writes
   them, the folder with "/" at its end. False where it does not fit. */
bool batch_path_between(const char *folder, const char *path, char *text, size_t size);

/* The folder of a path without links, "/" at its end; the command comes back to where it is. Gives
   0, or the system's error. */
int batch_real_folder(const char *path, char *folder, size_t size);

/* The path without links of folders, "." and ".."; folders that are not there have none. False
   where it does not fit. */
bool batch_real_path(const char *path, char *real, size_t size);

/* The name behind the last "/". */
const char *batch_path_name(const char *path);

/* Makes the folders that a path leads through. Gives 0, or the system's error. */
int batch_make_folders(const char *path);

/* Why a file cannot be made: the system's error, or the link to no folder that is in its way. */
void batch_explain_write(const char *path, int error, char *text, size_t size);

/* Where a link leads, as a path from where the command stands, the other links of its path aside;
   false where the path is no link, or the target's path is too long. */
bool batch_link_target(const char *path, char target[COMMAND_PATH_SIZE]);

/* Removes what a process that was killed has left of a file and of those that have its name before
   theirs: PATH.tmpNUMBER, PATH.IMAGE.png.tmpNUMBER. */
void batch_remove_temporaries(const char *path);

/* A file that is written piece by piece to PATH.tmpNUMBER, and is there whole or not at all. */
typedef struct batch_whole {
	char path[COMMAND_PATH_SIZE], temporary[COMMAND_PATH_SIZE];
	FILE *stream; /* write here; errors are noticed at the end. May be read, too */
	char *buffer;
} batch_whole;

/* Gives 0, or the system's error. End it in both cases. */
int batch_whole_begin(const char *path, batch_whole *whole);

/* Gives it its name, or removes it where `error`, the system's so far, is not 0. Gives `error`, or
   that of writing. */
int batch_whole_end(batch_whole *whole, int error);

/* Writes a whole file or none. Gives 0, or the system's error. */
int batch_write_whole(const char *path, const char *bytes, size_t size);

/* The list, from malloc, with space for one item behind its `count`; NULL where there is no memory,
   and the list is as it was. */
void *batch_grow(void *items, size_t count, size_t *capacity, size_t size);

ossa_status batch_no_memory(command_run *run);

#endif
