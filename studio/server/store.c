/* studio/server/store.c: files and folders of the disk: written whole or not at all, read with a
   bound, removed with their contents.

   Place in the path: below sessions; independent of rigs. */
#include "server.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool studio_path(char *path, size_t size, const char *folder, const char *name)
{
	const int length = snprintf(path, size, "%s/%s", folder, name);
	return length > 0 && (size_t)length < size;
}

bool studio_make_folders(const char *path)
{
	char part[STUDIO_PATH_SIZE];
	const size_t length = strlen(path);
	if (length == 0 || length >= sizeof part) return false;
	for (size_t i = 1; i <= length; i++) {
		if (path[i] != '/' && path[i] != 0) continue;
		memcpy(part, path, i);
		part[i] = 0;
		if (mkdir(part, 0700) != 0 && errno != EEXIST) return false;
	}
	struct stat facts;
	return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

static bool write_all(int file, const char *text, size_t size)
{
	while (size > 0) {
		const ssize_t written = write(file, text, size);
		if (written < 0 && errno == EINTR) continue;
		if (written <= 0) return false;
		text += written;
		size -= (size_t)written;
	}
	return true;
}

/* Some file systems cannot sync, folders above all: that is no error. A disk that fails or is
   full reports it here at the latest. */
bool studio_sync(int file)
{
	if (fsync(file) == 0) return true;
	return errno != EIO && errno != ENOSPC && errno != EDQUOT;
}

bool studio_keep(const char *path)
{
	const int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) return false;
	const bool good = studio_sync(file);
	const int reason = errno;
	close(file);
	errno = reason;
	return good;
}

static bool write_file(const char *folder, const char *name, const char *text, size_t size, bool is_kept)
{
	char path[STUDIO_PATH_SIZE], part[STUDIO_PATH_SIZE];
	if (!studio_path(path, sizeof path, folder, name)) return false;
	const int length = snprintf(part, sizeof part, "%s/.%s.part", folder, name);
	if (length < 0 || (size_t)length >= sizeof part) return false;
	const int file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (file < 0) return false;
	bool good = write_all(file, text, size) && (!is_kept || studio_sync(file));
	/* some systems report a full disk only here */
	good = close(file) == 0 && good;
	good = good && rename(part, path) == 0;
	const int reason = errno;
	if (!good) unlink(part);
	errno = reason;
	return good && (!is_kept || studio_keep(folder));
}

bool studio_write_whole(const char *folder, const char *name, const char *text, size_t size)
{
	return write_file(folder, name, text, size, false);
}

bool studio_write_kept(const char *folder, const char *name, const char *text, size_t size)
{
	return write_file(folder, name, text, size, true);
}

char *studio_read_whole(const char *folder, const char *name, size_t limit, size_t *size)
{
	char path[STUDIO_PATH_SIZE];
	struct stat facts;
	if (!studio_path(path, sizeof path, folder, name)) return NULL;
	FILE *file = fopen(path, "rb");
	char *text = NULL;
	*size = 0;
	if (file && fstat(fileno(file), &facts) == 0 && S_ISREG(facts.st_mode) && (uint64_t)facts.st_size <= limit) {
		text = malloc((size_t)facts.st_size + 1);
	}
	if (text) {
		*size = fread(text, 1, (size_t)facts.st_size, file);
		text[*size] = 0;
	}
	if (file) fclose(file);
	return text;
}

/* calls `visit` for every entry; false where one failed or the folder cannot be read */
static bool visit_folder(const char *path, bool (*visit)(void *user, const char *path, const char *name), void *user)
{
	DIR *folder = opendir(path);
	bool good = folder != NULL;
	for (struct dirent *entry = folder ? readdir(folder) : NULL; entry; entry = readdir(folder)) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
		good = visit(user, path, entry->d_name) && good;
	}
	if (folder) closedir(folder);
	return good;
}

/* a session's folder has folders of one level; deeper ones are not entered */
static bool remove_entry(void *user, const char *folder, const char *name)
{
	char path[STUDIO_PATH_SIZE];
	const int *depth = user;
	int next = *depth + 1;
	if (!studio_path(path, sizeof path, folder, name)) return false;
	if (unlink(path) == 0) return true;
	if (next > 3) return false;
	visit_folder(path, remove_entry, &next);
	return rmdir(path) == 0;
}

bool studio_remove_folder(const char *path)
{
	int depth = 0;
	visit_folder(path, remove_entry, &depth);
	return rmdir(path) == 0;
}

typedef struct byte_sum {
	uint64_t bytes;
	int depth;
} byte_sum;

static bool add_bytes(void *user, const char *folder, const char *name)
{
	char path[STUDIO_PATH_SIZE];
	struct stat facts;
	byte_sum *sum = user;
	if (!studio_path(path, sizeof path, folder, name) || lstat(path, &facts) != 0) return false;
	if (S_ISREG(facts.st_mode)) sum->bytes += (uint64_t)facts.st_size;
	if (!S_ISDIR(facts.st_mode) || sum->depth >= 3) return true;
	sum->depth++;
	visit_folder(path, add_bytes, sum);
	sum->depth--;
	return true;
}

uint64_t studio_folder_bytes(const char *path)
{
	byte_sum sum = {0, 0};
	visit_folder(path, add_bytes, &sum);
	return sum.bytes;
}

static bool add_name(void *user, const char *folder, const char *name)
{
	(void)folder;
	return name[0] == '.' || json_array_append_new(user, json_string(name)) == 0;
}

static bool add_hidden(void *user, const char *folder, const char *name)
{
	(void)folder;
	return name[0] != '.' || json_array_append_new(user, json_string(name)) == 0;
}

json_t *studio_folder_hidden(const char *path)
{
	json_t *found = json_array();
	if (found) visit_folder(path, add_hidden, found);
	return found;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(json_string_value(*(json_t *const *)a), json_string_value(*(json_t *const *)b));
}

json_t *studio_folder_names(const char *path)
{
	json_t *found = json_array(), *sorted = json_array();
	if (found) visit_folder(path, add_name, found);
	const size_t count = json_array_size(found);
	json_t **items = count > 0 ? malloc(count * sizeof(json_t *)) : NULL;
	for (size_t i = 0; items && i < count; i++) items[i] = json_array_get(found, i);
	if (items) qsort(items, count, sizeof(json_t *), compare_names);
	for (size_t i = 0; items && i < count; i++) json_array_append(sorted, items[i]);
	const bool good = found && sorted && json_array_size(sorted) == count;
	free(items);
	json_decref(found);
	if (good) return sorted;
	json_decref(sorted);
	return NULL;
}

bool studio_file_size(const char *folder, const char *name, uint64_t *size)
{
	char path[STUDIO_PATH_SIZE];
	struct stat facts;
	*size = 0;
	if (!studio_path(path, sizeof path, folder, name) || lstat(path, &facts) != 0 || !S_ISREG(facts.st_mode)) return false;
	*size = (uint64_t)facts.st_size;
	return true;
}

bool studio_copy_file(const char *from, const char *to)
{
	char block[65536];
	const int source = open(from, O_RDONLY | O_CLOEXEC);
	struct stat facts;
	/* a folder or a pipe is no file to copy */
	const bool is_file = source >= 0 && fstat(source, &facts) == 0 && S_ISREG(facts.st_mode);
	const int target = is_file ? open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
	bool good = target >= 0;
	while (good) {
		const ssize_t count = read(source, block, sizeof block);
		if (count < 0 && errno == EINTR) continue;
		if (count <= 0) {
			good = count == 0;
			break;
		}
		good = write_all(target, block, (size_t)count);
	}
	good = good && studio_sync(target);
	if (target >= 0) good = close(target) == 0 && good;
	if (source >= 0) close(source);
	return good;
}
