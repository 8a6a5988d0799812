/* tools/ossa/batch/place_keys.c: see place_keys.h.

   Only the disk knows what ".." behind a link means, so paths are asked for as they are written.
   What is not there yet has no links: there ".." takes the last name away. */
#include "batch/paths.h"
#include "batch/place_keys.h"
#include "batch/manifest.h"
#include "batch/siphash.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct place_folder {
	uint64_t key;
	/* MISSING: by names below one that is there; ODD: there are ".." among them */
	enum { ON_DISK, MISSING, ODD } kind;
};

/* ---- one folder ---- */

/* both are hashes: what mixes them need only keep their order apart */
static uint64_t key_of_name(uint64_t folder, const char *name, size_t length)
{
	return folder * 0x9e3779b97f4a7c15u ^ batch_name_hash(name, length);
}

/* the folder of the first `length` bytes of a path; false where it is not there */
static bool key_on_disk(const char *path, size_t length, uint64_t *key)
{
	struct stat status;
	char folder[2 * COMMAND_PATH_SIZE];
	snprintf(folder, sizeof folder, "%.*s/", (int)length, path);
	if (stat(folder, &status) != 0) return false;
	const uint64_t place[2] = {(uint64_t)status.st_dev, (uint64_t)status.st_ino};
	*key = batch_hash_of(place, sizeof place).low;
	return true;
}

/* whether a part of a path says nothing */
static bool is_empty(const char *part, size_t length) { return length == 0 || (length == 1 && part[0] == '.'); }
static bool goes_up(const char *part, size_t length) { return length == 2 && part[0] == '.' && part[1] == '.'; }

/* A folder whose path goes through one that is not there: the part of the path that is there, as it
   is written, and the names that are left below it. */
static uint64_t key_of_odd(const char *path, size_t length)
{
	char there[2 * COMMAND_PATH_SIZE];
	size_t used = 0, below = 0, end = 0;
	struct {
		const char *name;
		size_t length;
	} names[COMMAND_PATH_SIZE];
	uint64_t key = 0;
	for (size_t begin = 0; begin < length; begin = end + 1) {
		end = begin + strcspn(path + begin, "/");
		const char *part = path + begin;
		const size_t size = (end < length ? end : length) - begin;
		if (is_empty(part, size)) continue;
		if (goes_up(part, size) && below > 0) {
			below--;
			continue;
		}
		memcpy(there + used + 1, part, size);
		there[used] = '/';
		if (below == 0 && key_on_disk(there, used + 1 + size, &key)) used += 1 + size;
		else if (below < COMMAND_PATH_SIZE) {
			names[below].name = part;
			names[below++].length = size;
		}
	}
	key_on_disk(there, used, &key);
	for (size_t i = 0; i < below; i++) key = key_of_name(key, names[i].name, names[i].length);
	return key;
}

/* `part`: the last of the path's first `length` bytes */
static place_folder find_below(place_folder above, const char *path, const char *part, size_t length)
{
	const size_t size = (size_t)(path + length - part);
	place_folder found = above;
	if (length > 0 && is_empty(part, size)) return found;
	if (above.kind == ON_DISK && key_on_disk(path, length, &found.key)) return found;
	if (above.kind == ODD || goes_up(part, size)) return (place_folder){key_of_odd(path, length), ODD};
	return (place_folder){key_of_name(above.key, part, size), MISSING};
}

/* ---- all of them ---- */

static bool keep(place_keys *places, uint64_t hash, place_folder folder)
{
	place_folder *more = batch_grow(places->list, places->count, &places->capacity, sizeof *more);
	if (!more) return false;
	places->list = more;
	places->list[places->count] = folder;
	return batch_table_set(&places->folders, hash, (uint32_t)places->count++);
}

/* an absolute path, from the root down; the disk is asked once for each folder */
static bool find_folder(place_keys *places, const char *path, size_t length, place_folder *found)
{
	size_t at = 0, begin = 0;
	for (*found = (place_folder){0, ON_DISK};; at = begin + strcspn(path + begin, "/")) {
		if (at > length) at = length;
		const uint64_t hash = batch_name_hash(path, at);
		const uint32_t known = batch_table_find(&places->folders, hash);
		*found = known != BATCH_TABLE_NONE ? places->list[known] : find_below(*found, path, path + begin, at);
		if (known == BATCH_TABLE_NONE && !keep(places, hash, *found)) return false;
		if (at == length) return true;
		begin = at + 1;
	}
}

bool batch_place_key(place_keys *places, const char *folder, const char *path, uint64_t *key)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	/* of a path without folders it is that of ".", which no absolute path is */
	const uint64_t hash = slash ? batch_name_hash(path, (size_t)(slash - path)) : batch_name_hash(".", 1);
	const uint32_t known = batch_table_find(&places->folders, hash);
	place_folder found;
	if (known != BATCH_TABLE_NONE) found = places->list[known];
	else {
		char absolute[2 * COMMAND_PATH_SIZE];
		snprintf(absolute, sizeof absolute, "%s/%.*s", path[0] == '/' ? "" : folder, (int)(name - path), path);
		if (!find_folder(places, absolute, strlen(absolute), &found) || !keep(places, hash, found)) return false;
	}
	*key = key_of_name(found.key, name, strlen(name));
	return true;
}

bool batch_real_key(const char *path, size_t length, uint64_t *key)
{
	if (!key_on_disk(path, length, key)) return false;
	for (const char *name = path + length; *name;) {
		name++;
		const size_t size = strcspn(name, "/");
		*key = key_of_name(*key, name, size);
		name += size;
	}
	return true;
}

void batch_place_keys_free(place_keys *places)
{
	batch_table_free(&places->folders);
	free(places->list);
	*places = (place_keys){0};
}
