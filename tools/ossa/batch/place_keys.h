/* tools/ossa/batch/place_keys.h: numbers for files, the same however their paths lead there. */
#ifndef OSSA_BATCH_PLACE_KEYS_H
#define OSSA_BATCH_PLACE_KEYS_H

#include "batch/hash_table.h"

typedef struct place_folder place_folder;

/* Folders that were seen: starts as {0}. */
typedef struct place_keys {
	batch_table folders; /* hash of a folder's path, as it is written: its index */
	size_t count, capacity;
	place_folder *list;
} place_keys;

/* The key of a path, absolute or of `folder`, both together shorter than COMMAND_PATH_SIZE: that
   of its folder on the disk, through links and "..", and its name. A folder that is not there
   yet is its name in the one above. False where there is no memory. Cost: one stat for each new
   folder. */
bool batch_place_key(place_keys *places, const char *folder, const char *path, uint64_t *key);

/* The key of an absolute path without links, "." and "..", while the folders behind its first
   `length` bytes were not there. False where these are no folder. */
bool batch_real_key(const char *path, size_t length, uint64_t *key);

void batch_place_keys_free(place_keys *places);

#endif
