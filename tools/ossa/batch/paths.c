/* tools/ossa/batch/paths.c: paths of a batch.

   Place in the path: the command's batch, below all.
   Input: paths as they are written in a manifest or on the command line.
   Output: their parts and one spelling for each; folders and whole files on the disk. */
#include "batch/paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *batch_path_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* the parts of `path` behind what is in `text`, which ends without "/" */
static bool append_parts(const char *path, char *text, size_t *used, size_t size)
{
	while (*path) {
		const size_t length = strcspn(path, "/");
		if (length == 2 && path[0] == '.' && path[1] == '.') {
			while (*used > 0 && text[--*used] != '/') continue;
		} else if (length > 0 && !(length == 1 && path[0] == '.')) {
			if (*used + length + 2 > size) return false;
			text[(*used)++] = '/';
			memcpy(text + *used, path, length);
			*used += length;
		}
		path += length;
		path += *path == '/';
	}
	return true;
}

bool batch_path_absolute(const char *folder, const char *path, char *text, size_t size)
{
	size_t used = 0;
	if (path[0] != '/' && !append_parts(folder, text, &used, size)) return false;
	if (!append_parts(path, text, &used, size)) return false;
	if (used == 0) text[used++] = '/';
	text[used] = 0;
	return true;
}

bool batch_path_between(const char *folder, const char *path, char *text, size_t size)
{
	/* the folders that both go through */
	size_t common = 0;
	for (size_t i = 0; folder[i] && folder[i] == path[i]; i++) common = folder[i] == '/' ? i + 1 : common;
	size_t used = 0;
	for (const char *at = folder + common; *at; at++) {
		if (*at != '/') continue;
		if (used + 4 > size) return false;
		memcpy(text + used, "../", 3);
		used += 3;
	}
	return (size_t)snprintf(text + used, size - used, "%s", path + common) < size - used;
}

/* where the command stands, as an absolute path with "/" at its end */
static int find_here(char *folder, size_t size)
{
	if (!getcwd(folder, size - 1)) return errno;
	const size_t length = strlen(folder);
	if (strcmp(folder, "/") != 0) memcpy(folder + length, "/", 2);
	return 0;
}

int batch_real_folder(const char *path, char *folder, size_t size)
{
	const size_t length = (size_t)(batch_path_name(path) - path);
	if (length + 2 > size) return ENAMETOOLONG;
	const int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (here < 0) return errno;
	snprintf(folder, size, "%.*s.", (int)length, path);
	int error = chdir(folder) == 0 ? find_here(folder, size) : errno;
	if (fchdir(here) != 0 && error == 0) error = errno;
	close(here);
	return error;
}

bool batch_real_path(const char *path, char *real, size_t size)
{
	char head[COMMAND_PATH_SIZE], folder[COMMAND_PATH_SIZE];
	if ((size_t)snprintf(head, sizeof head, "%s", path) >= sizeof head) return false;
	/* the folder that is there; what is behind it is a name */
	while (batch_real_folder(head, folder, sizeof folder) != 0) {
		char *name = head + (batch_path_name(head) - head);
		if (name == head) return false;
		name[-1] = 0;
	}
	return batch_path_absolute(folder, path + (batch_path_name(head) - head), real, size);
}

/* "a/b.jsonl" gives "b.batch" */
static void name_state(batch_place *place)
{
	const char *dot = strrchr(place->name, '.');
	const int length = dot && dot > place->name ? (int)(dot - place->name) : (int)strlen(place->name);
	snprintf(place->state, sizeof place->state, "%.*s.batch", length, place->name);
}

ossa_status batch_enter(command_run *run, const char *manifest, const char *state, batch_place *place)
{
	char here[COMMAND_PATH_SIZE];
	const char *name = batch_path_name(manifest);
	if (!getcwd(here, sizeof here))
		return command_fail(run, OSSA_ERROR_READ, "the current folder has no path: %s", strerror(errno));
	if (strlen(manifest) + 8 > sizeof place->name)
		return command_fail(run, OSSA_ERROR_ARGUMENT, "%.80s...: the path is too long", manifest);
	snprintf(place->name, sizeof place->name, "%s", name);
	name_state(place);
	if (state && !batch_path_absolute(here, state, place->state, sizeof place->state))
		return command_fail(run, OSSA_ERROR_ARGUMENT, "%.80s...: the path is too long", state);
	const int error = batch_real_folder(manifest, place->folder, sizeof place->folder);
	if (error != 0 || chdir(place->folder) != 0)
		return command_fail(
			run, OSSA_ERROR_READ, "%s: its folder cannot be entered: %s", manifest, strerror(error ? error : errno));
	return OSSA_OK;
}

int batch_make_folders(const char *path)
{
	char folder[COMMAND_PATH_SIZE];
	if ((size_t)snprintf(folder, sizeof folder, "%s", path) >= sizeof folder) return ENAMETOOLONG;
	struct stat facts;
	char *last = strrchr(folder, '/');
	if (!last || last == folder) return 0;
	*last = 0;
	if (stat(folder, &facts) == 0) return S_ISDIR(facts.st_mode) ? 0 : ENOTDIR;
	for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		if (mkdir(folder, 0777) != 0 && errno != EEXIST && stat(folder, &facts) != 0) return errno;
		*slash = '/';
	}
	/* another shard may make it at the same time */
	return mkdir(folder, 0777) == 0 || errno == EEXIST ? 0 : errno;
}

bool batch_link_target(const char *path, char target[COMMAND_PATH_SIZE])
{
	char link[COMMAND_PATH_SIZE];
	const ssize_t length = readlink(path, link, sizeof link);
	if (length <= 0 || (size_t)length >= sizeof link) return false;
	link[length] = 0;
	const int folder = link[0] == '/' ? 0 : (int)(batch_path_name(path) - path);
	return (size_t)snprintf(target, COMMAND_PATH_SIZE, "%.*s%s", folder, path, link) < COMMAND_PATH_SIZE;
}

void batch_explain_write(const char *path, int error, char *text, size_t size)
{
	char folder[COMMAND_PATH_SIZE], target[COMMAND_PATH_SIZE];
	struct stat facts;
	snprintf(text, size, "%s", strerror(error));
	if ((size_t)snprintf(folder, sizeof folder, "%s", path) >= sizeof folder) return;
	for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		if (stat(folder, &facts) != 0 && batch_link_target(folder, target)) {
			snprintf(text, size, "%.100s is a link to %.100s, which is not there", folder, target);
			return;
		}
		*slash = '/';
	}
}

/* whether the text is an ending by which outputs are known */
static bool is_output_ending(const char *text, size_t length)
{
	for (size_t i = 0; i < ossa_write_format_count(); i++) {
		const char *at = ossa_write_format_at(i)->endings;
		for (size_t size = strcspn(at, "|"); size > 0; at += size + (at[size] == '|'), size = strcspn(at, "|")) {
			if (size == length && strncmp(at, text, length) == 0) return true;
		}
	}
	return false;
}

/* whether a rest of a name is ".tmp12", or ".IMAGE.png.tmp12", which is no other output's */
static bool is_left(const char *rest)
{
	const char *ending = strrchr(rest, '.'), *dot = strchr(rest + 1, '.');
	if (!ending || rest[0] != '.' || strncmp(ending, ".tmp", 4) != 0) return false;
	if (!ending[4] || ending[4 + strspn(ending + 4, "0123456789")]) return false;
	if (ending == rest) return true;
	if (!dot || strchr(dot + 1, '.') != ending) return false;
	return !is_output_ending(dot, (size_t)(ending - dot));
}

void batch_remove_temporaries(const char *path)
{
	char folder[COMMAND_PATH_SIZE], file[COMMAND_PATH_SIZE + 256];
	const char *name = batch_path_name(path);
	snprintf(folder, sizeof folder, "%.*s.", (int)(name - path), path);
	const size_t length = strlen(name);
	DIR *stream = opendir(folder);
	if (!stream) return;
	for (struct dirent *entry = readdir(stream); entry; entry = readdir(stream)) {
		if (strncmp(entry->d_name, name, length) != 0 || !is_left(entry->d_name + length)) continue;
		snprintf(file, sizeof file, "%.*s%s", (int)(name - path), path, entry->d_name);
		remove(file);
	}
	closedir(stream);
}

int batch_whole_begin(const char *path, batch_whole *whole)
{
	enum { BUFFER = 1 << 18 };
	*whole = (batch_whole){.stream = NULL};
	const int length = snprintf(whole->temporary, sizeof whole->temporary, "%s.tmp%ld", path, (long)getpid());
	if ((size_t)length >= sizeof whole->temporary) return ENAMETOOLONG;
	snprintf(whole->path, sizeof whole->path, "%s", path);
	const int file = open(whole->temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (file < 0) return errno;
	whole->stream = fdopen(file, "w+");
	if (!whole->stream) {
		const int error = errno;
		close(file);
		remove(whole->temporary);
		return error;
	}
	whole->buffer = malloc(BUFFER);
	if (whole->buffer) setvbuf(whole->stream, whole->buffer, _IOFBF, BUFFER);
	return 0;
}

/* why an earlier write failed: the stream does not keep that, so more is written to what will be
   removed; a little of it may still fit */
static int reason_of_failure(FILE *stream)
{
	static const char zeros[65536];
	for (int i = 0; i < 16; i++) {
		if (write(fileno(stream), zeros, sizeof zeros) < 0 && errno != EINTR) return errno;
	}
	return EIO;
}

int batch_whole_end(batch_whole *whole, int error)
{
	if (!whole->stream) return error;
	if (ferror(whole->stream) && error == 0) error = reason_of_failure(whole->stream);
	errno = 0;
	if (fflush(whole->stream) != 0 && errno != 0) error = errno;
	if (fclose(whole->stream) != 0 && error == 0) error = errno ? errno : EIO;
	free(whole->buffer);
	whole->stream = NULL;
	if (error == 0 && rename(whole->temporary, whole->path) != 0) error = errno;
	if (error != 0) remove(whole->temporary);
	return error;
}

int batch_write_whole(const char *path, const char *bytes, size_t size)
{
	batch_whole whole;
	const int error = batch_whole_begin(path, &whole);
	if (error == 0) fwrite(bytes, 1, size, whole.stream);
	return batch_whole_end(&whole, error);
}

void *batch_grow(void *items, size_t count, size_t *capacity, size_t size)
{
	if (count < *capacity) return items;
	const size_t wanted = *capacity ? *capacity + *capacity / 2 : 64;
	void *more = realloc(items, wanted * size);
	if (more) *capacity = wanted;
	return more;
}

ossa_status batch_no_memory(command_run *run) { return command_fail(run, OSSA_ERROR_MEMORY, "out of memory"); }
