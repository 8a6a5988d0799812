/* tools/ossa/batch/place_keys.c: see place_keys.h. */
#include "batch/place_keys.h"
#include "batch/paths.h"
#include "batch/manifest.h"
#include "batch/siphash.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* both are hashes: what mixes them need only keep their order apart */
static uint64_t key_of_name(uint64_t folder, const char *name, size_t length)
{
	return folder * 0x9e3779b97f4a7c15u ^ batch_name_hash(name, length);
}

static bool keep(place_keys *places, uint64_t hash, uint64_t key)
{
	uint64_t *more = batch_grow(places->keys, places->count, &places->capacity, sizeof *more);
	if (!more) return false;
	places->keys = more;
	places->keys[places->count] = key;
	return batch_table_set(&places->folders, hash, (uint32_t)places->count++);
}

/* the folder of the first `length` bytes of a path; `above` and `name`: the one above, and its name
   there */
static uint64_t key_on_disk(const char *path, size_t length, uint64_t above, const char *name)
{
	struct stat status;
	char folder[COMMAND_PATH_SIZE];
	snprintf(folder, sizeof folder, "%.*s", length > 0 ? (int)length : 1, length > 0 ? path : "/");
	if (stat(folder, &status) != 0) return key_of_name(above, name, (size_t)(path + length - name));
	const uint64_t place[2] = {(uint64_t)status.st_dev, (uint64_t)status.st_ino};
	return batch_hash_of(place, sizeof place).low;
}

/* from the root down; the disk is asked once for each folder */
static bool find_folder(place_keys *places, const char *path, size_t length, uint64_t *key)
{
	uint64_t hash = batch_name_hash(path, length);
	uint32_t known = batch_table_find(&places->folders, hash);
	size_t at = 0, begin = 0;
	if (known != BATCH_TABLE_NONE) {
		*key = places->keys[known];
		return true;
	}
	for (*key = 0;; at = begin + strcspn(path + begin, "/")) {
		if (at > length) at = length;
		hash = batch_name_hash(path, at);
		known = batch_table_find(&places->folders, hash);
		*key = known != BATCH_TABLE_NONE ? places->keys[known] : key_on_disk(path, at, *key, path + begin);
		if (known == BATCH_TABLE_NONE && !keep(places, hash, *key)) return false;
		if (at == length) return true;
		begin = at + 1;
	}
}

bool batch_place_key(place_keys *places, const char *path, uint64_t *key)
{
	const char *name = strrchr(path, '/');
	uint64_t folder = 0;
	if (!name || !find_folder(places, path, (size_t)(name - path), &folder)) return false;
	*key = key_of_name(folder, name + 1, strlen(name + 1));
	return true;
}

void batch_place_keys_free(place_keys *places)
{
	batch_table_free(&places->folders);
	free(places->keys);
	*places = (place_keys){0};
}
