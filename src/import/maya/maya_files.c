/* import/maya/maya_files.c: names of the files of a Maya cache: see maya_files.h. */
#include "import/maya/maya_files.h"

#include "base/file.h"
#include "base/folder.h"
#include "import/maya/maya_records.h"
#include "scene/poses.h"

#include <stdio.h>
#include <string.h>

/* the end of "Frame12" or "Frame12Tick100" at `at`, or NULL */
const char *ossai_maya_frame_end(const char *at)
{
	if (strncmp(at, "Frame", 5) != 0) return NULL;
	/* frames before 0 */
	at += at[5] == '-' ? 6 : 5;
	if (!ossai_is_digit(*at)) return NULL;
	at += strspn(at, "0123456789");
	if (strncmp(at, "Tick", 4) != 0 || !ossai_is_digit(at[4])) return at;
	return at + 4 + strspn(at + 4, "0123456789");
}

/* where a name's frame number begins, or NULL: "walkFrame12Tick100.mcx" */
const char *ossai_maya_frame_of(const char *name)
{
	const char *found = NULL;
	for (const char *at = name; (at = strstr(at, "Frame")); at++) {
		const char *end = ossai_maya_frame_end(at);
		if (end && *end == '.' && !strchr(end + 1, '.')) found = at;
	}
	return found;
}

/* a copy of the first `size` bytes */
static const char *cut(ossai_arena *arena, const char *text, size_t size)
{
	char *copy = ossai_arena_new(arena, size + 1, 1);
	if (!copy) return NULL;
	memcpy(copy, text, size);
	copy[size] = 0;
	return copy;
}

/* The pattern of the names of the cache's files. */
typedef struct frame_filter {
	const char *base; /* without the folder */
	const char *ending;
} frame_filter;

static bool is_frame_file(const void *arg, const char *name)
{
	const frame_filter *filter = arg;
	const size_t size = strlen(filter->base);
	if (strncmp(name, filter->base, size) != 0) return false;
	const char *end = ossai_maya_frame_end(name + size);
	return end && strcmp(end, filter->ending) == 0;
}

const char *ossai_maya_base(ossai_arena *arena, const ossai_source *source)
{
	const char *path = source->path, *name = ossai_file_name(path), *dot = strrchr(name, '.');
	const char *number = ossai_maya_is_records(source->bytes, source->size) ? ossai_maya_frame_of(name) : NULL;
	const size_t size = number ? (size_t)(number - path) : dot && dot > name ? (size_t)(dot - path) : strlen(path);
	return cut(arena, path, size);
}

ossa_status ossai_maya_find_files(ossai_arena *arena, const char *base, const char *ending, size_t *count, const char ***paths)
{
	const char *folder = ossai_folder_of(arena, base), **names = NULL;
	const frame_filter filter = {ossai_file_name(base), ending};
	*count = 0;
	if (!folder) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(ossai_folder_list(arena, folder, is_frame_file, &filter, count, &names));
	size_t *order = ossai_arena_new(arena, *count, sizeof *order);
	*paths = ossai_arena_new(arena, *count, sizeof **paths);
	if (!order || !*paths) return ossa_context_error(arena->context)->status;
	if (*count > 0) OSSAI_TRY(ossai_natural_order(arena->context, *count, names, order));
	for (size_t i = 0; i < *count; i++) {
		(*paths)[i] = ossai_folder_join(arena, folder, names[order[i]]);
		if (!(*paths)[i]) return ossa_context_error(arena->context)->status;
	}
	return OSSA_OK;
}
