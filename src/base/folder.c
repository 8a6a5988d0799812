/* base/folder.c: the only file that lists folders: see folder.h.

   Place in the path: below the readers of files that belong together.
   Input: a folder.
   Output: names. */
#include "base/context_state.h"
#include "base/folder.h"

#include "base/file.h"
#include <ossa/files.h>

#include <dirent.h>
#include <errno.h>
#include <string.h>

/* names as they are found; then an array */
typedef struct name_link {
	struct name_link *next;
	const char *name;
} name_link;

static ossa_status keep_name(ossai_arena *arena, const char *name, name_link **first)
{
	name_link *link = ossai_arena_new(arena, 1, sizeof *link);
	const char *copy = link ? ossai_folder_join(arena, "", name) : NULL;
	if (!copy) return ossa_context_error(arena->context)->status;
	*link = (name_link){*first, copy};
	*first = link;
	return OSSA_OK;
}

static ossa_status collect(
	ossai_arena *arena, DIR *stream, ossai_folder_filter wanted, const void *arg, size_t *count, name_link **first)
{
	for (struct dirent *entry; (entry = readdir(stream));) {
		if (!wanted(arg, entry->d_name)) continue;
		OSSAI_TRY(keep_name(arena, entry->d_name, first));
		++*count;
	}
	return OSSA_OK;
}

/* names of files in memory that are in the folder */
static ossa_status collect_in_memory(
	ossai_arena *arena, const char *folder, ossai_folder_filter wanted, const void *arg, size_t *count, name_link **first)
{
	const ossa_files *files = arena->context->files;
	const size_t size = strlen(folder);
	for (size_t i = 0; i < ossa_files_count(files); i++) {
		const char *path = ossa_files_at(files, i)->name, *name = ossai_file_name(path);
		if ((size_t)(name - path) != size || strncmp(path, folder, size) != 0 || !wanted(arg, name)) continue;
		OSSAI_TRY(keep_name(arena, name, first));
		++*count;
	}
	return OSSA_OK;
}

static ossa_status collect_on_disk(
	ossai_arena *arena, const char *folder, ossai_folder_filter wanted, const void *arg, size_t *count, name_link **first)
{
	DIR *stream = opendir(folder[0] ? folder : ".");
	if (!stream) {
		const ossai_place place = ossai_in_file(folder[0] ? folder : ".");
		return ossai_fail(arena->context, OSSA_ERROR_READ, &place, "the folder cannot be looked into: %s", strerror(errno));
	}
	const ossa_status status = collect(arena, stream, wanted, arg, count, first);
	closedir(stream);
	return status;
}

ossa_status ossai_folder_list(
	ossai_arena *arena, const char *folder, ossai_folder_filter wanted, const void *arg, size_t *count, const char ***names)
{
	*count = 0;
	*names = NULL;
	name_link *first = NULL;
	OSSAI_TRY((arena->context->files ? collect_in_memory : collect_on_disk)(arena, folder, wanted, arg, count, &first));
	*names = ossai_arena_new(arena, *count, sizeof **names);
	if (!*names) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; first; first = first->next) (*names)[i++] = first->name;
	return OSSA_OK;
}

const char *ossai_folder_of(ossai_arena *arena, const char *path)
{
	const size_t size = (size_t)(ossai_file_name(path) - path);
	char *folder = ossai_arena_new(arena, size + 1, 1);
	if (!folder) return NULL;
	memcpy(folder, path, size);
	folder[size] = 0;
	return folder;
}

const char *ossai_folder_join(ossai_arena *arena, const char *folder, const char *name)
{
	const size_t folder_size = strlen(folder), name_size = strlen(name);
	char *path = ossai_arena_new(arena, folder_size + name_size + 1, 1);
	if (!path) return NULL;
	memcpy(path, folder, folder_size);
	memcpy(path + folder_size, name, name_size + 1);
	return path;
}
