/* tools/ossa/batch/contents.c: hashes of files.

   Place in the path: the command's batch, below the sidecar.
   Input: paths.
   Output: what identifies their contents.

   A file whose size and time of change are those of before is not read again, as make and version
   control trust them; who cannot trust them says --verify. */
#include "batch/contents.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* bytes between two pauses: a tenth of a second of a slow disk */
enum { PART = 16 << 20, CHUNK = 1 << 18 };

file_stamp batch_stamp(const char *path)
{
	struct stat status;
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return (file_stamp){false, 0, 0, 0};
	return (file_stamp){true, (uint64_t)status.st_size, (int64_t)status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

bool batch_stamps_equal(const file_stamp *a, const file_stamp *b)
{
	if (!a->is_there || !b->is_there) return a->is_there == b->is_there;
	return a->bytes == b->bytes && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds;
}

/* until `deadline`, which is tested between the parts of a file */
static int hash_bytes(int file, char *chunk, double deadline, batch_pause pause, batch_hasher *hasher)
{
	for (size_t part = 0;;) {
		const ssize_t got = read(file, chunk, CHUNK);
		if (got == 0) return 0;
		if (got < 0 && errno == EINTR) continue;
		if (got < 0) return errno;
		batch_hasher_add(hasher, chunk, (size_t)got);
		part += (size_t)got;
		if (part < PART) continue;
		part = 0;
		if (command_clock() > deadline) return ETIMEDOUT;
		if (pause.call) pause.call(pause.user);
	}
}

/* gives 0, ETIMEDOUT behind the deadline, or the system's error */
static int hash_file(const char *path, double deadline, batch_pause pause, batch_hash *hash)
{
	batch_hasher hasher;
	batch_hasher_begin(&hasher);
	const int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) return errno;
	char *chunk = malloc(CHUNK);
	const int error = chunk ? hash_bytes(file, chunk, deadline, pause, &hasher) : ENOMEM;
	free(chunk);
	close(file);
	if (error == 0) *hash = batch_hasher_end(&hasher);
	return error;
}

static void print_time(const file_stamp *stamp, char *text, size_t size)
{
	snprintf(text, size, "%lld.%09ld", (long long)stamp->seconds, stamp->nanoseconds);
}

static json_t *describe(const char *path, bool with_time, double deadline, batch_pause pause)
{
	char digits[BATCH_HASH_TEXT], time[48];
	batch_hash hash;
	const file_stamp stamp = batch_stamp(path);
	const int error = command_clock() > deadline ? ETIMEDOUT : hash_file(path, deadline, pause, &hash);
	if (error != 0 && error != ETIMEDOUT) return NULL;
	json_t *file = json_pack("{s:s, s:I}", "path", path, "bytes", (json_int_t)stamp.bytes);
	if (file && error == 0) {
		batch_hash_print(hash, digits);
		json_object_set_new(file, "hash", json_string(digits));
	}
	print_time(&stamp, time, sizeof time);
	if (file && with_time) json_object_set_new(file, "changed", json_string(time));
	return file;
}

json_t *batch_describe_files(const path_list *files, bool with_time, double seconds, batch_pause pause)
{
	const double deadline = command_clock() + seconds;
	json_t *list = json_array();
	for (size_t i = 0; list && i < files->count; i++) {
		if (!batch_stamp(files->items[i]).is_there) continue;
		if (json_array_append_new(list, describe(files->items[i], with_time, deadline, pause)) == 0) continue;
		json_decref(list);
		return NULL;
	}
	return list;
}

static bool is_unchanged(const json_t *file, bool verify, batch_pause pause)
{
	const char *path = json_string_value(json_object_get(file, "path")),
			   *hash = json_string_value(json_object_get(file, "hash"));
	const char *changed = json_string_value(json_object_get(file, "changed"));
	if (!path) return false;
	const file_stamp now = batch_stamp(path);
	if (!now.is_there || (json_int_t)now.bytes != json_integer_value(json_object_get(file, "bytes"))) return false;
	char time[48], digits[BATCH_HASH_TEXT];
	print_time(&now, time, sizeof time);
	/* of outputs no time is kept: they are as they were if they have their size */
	if (!verify && (!changed || strcmp(changed, time) == 0)) return true;
	batch_hash found;
	if (!hash || hash_file(path, INFINITY, pause, &found) != 0) return false;
	batch_hash_print(found, digits);
	return strcmp(digits, hash) == 0;
}

bool batch_files_unchanged(json_t *files, bool verify, batch_pause pause)
{
	if (!json_is_array(files)) return false;
	for (size_t i = 0; i < json_array_size(files); i++) {
		if (!is_unchanged(json_array_get(files, i), verify, pause)) return false;
	}
	return true;
}
