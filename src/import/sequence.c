/* import/sequence.c: numbered files: see sequence.h.

   Place in the path: between the paths of a call and the files that are read.
   Input: "walks/walk_####.obj".
   Output: the files. */
#include "import/sequence.h"

#include "base/file.h"
#include "base/folder.h"
#include "scene/poses.h"
#include <ossa/read.h>

#include <string.h>

/* A name with one run of '#': the parts before and after it. */
typedef struct sequence_pattern {
	const char *name;
	const char *after;
	size_t before_size;
} sequence_pattern;

bool ossai_sequence_is(const ossa_context *context, const char *path)
{
	return strchr(ossai_file_name(path), '#') && !ossai_file_exists(context, path);
}

static sequence_pattern pattern_of(const char *name)
{
	const char *run = strchr(name, '#');
	return (sequence_pattern){name, run + strspn(run, "#"), (size_t)(run - name)};
}

static const char *digits_of(const sequence_pattern *pattern, const char *name, size_t *size)
{
	const char *digits = name + pattern->before_size;
	*size = strspn(digits, "0123456789");
	return digits;
}

static bool fits(const void *arg, const char *name)
{
	const sequence_pattern *pattern = arg;
	if (strncmp(name, pattern->name, pattern->before_size) != 0) return false;
	size_t size;
	const char *digits = digits_of(pattern, name, &size);
	return size > 0 && strcmp(digits + size, pattern->after) == 0;
}

/* numbers that overflow are truncated: only their differences are used */
static uint64_t number_of(const sequence_pattern *pattern, const char *name)
{
	size_t size;
	const char *digits = digits_of(pattern, name, &size);
	uint64_t number = 0;
	for (size_t i = 0; i < size && number < UINT64_MAX / 20; i++) number = 10 * number + (uint64_t)(digits[i] - '0');
	return number;
}

/* files of every second frame have no gaps; where most follow each other by one, a missing one is
   one */
static ossa_status check_numbers(
	ossa_context *context, const char *path, const sequence_pattern *pattern, size_t count, const char *const *names)
{
	uint64_t step = UINT64_MAX, missing = 0;
	for (size_t i = 1; i < count; i++) {
		const uint64_t distance = number_of(pattern, names[i]) - number_of(pattern, names[i - 1]);
		if (distance == 0) {
			return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "%s: %s and %s have the same number: remove one of them",
				path, names[i - 1], names[i]);
		}
		if (distance < step) step = distance;
	}
	const char *before = NULL;
	for (size_t i = 1; i < count; i++) {
		const uint64_t distance = number_of(pattern, names[i]) - number_of(pattern, names[i - 1]);
		if (distance > step && !before) before = names[i - 1];
		missing += (distance - 1) / step;
	}
	if (before) {
		ossai_warn(context, "sequence-gaps", missing > INT64_MAX ? INT64_MAX : (int64_t)missing,
			"%s: numbers are missing, the first after %s; the files follow each other as if there were no gap", path, before);
	}
	return OSSA_OK;
}

static ossa_status no_file(ossa_context *context, const char *folder, const char *name)
{
	const ossai_place place = ossai_in_file(folder[0] ? folder : "./");
	return ossai_fail(context, OSSA_ERROR_READ, &place, "there is no file %s with a number in place of the #", name);
}

/* names sorted by their numbers, as whole paths */
static ossa_status sort_names(
	ossai_arena *arena, const char *folder, size_t count, const char **names, const char *const **paths)
{
	size_t *order = ossai_arena_new(arena, count, sizeof *order);
	const char **sorted = ossai_arena_new(arena, count, sizeof *sorted);
	if (!order || !sorted) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(ossai_natural_order(arena->context, count, names, order));
	for (size_t i = 0; i < count; i++) {
		sorted[i] = ossai_folder_join(arena, folder, names[order[i]]);
		if (!sorted[i]) return ossa_context_error(arena->context)->status;
	}
	/* the names in the order of the paths, for what follows */
	for (size_t i = 0; i < count; i++) names[i] = ossai_file_name(sorted[i]);
	*paths = sorted;
	return OSSA_OK;
}

/* the files and their names without the folder, by their numbers */
static ossa_status list_files(
	ossai_arena *arena, const char *path, size_t *count, const char ***names, const char *const **paths)
{
	ossa_context *context = arena->context;
	const sequence_pattern pattern = pattern_of(ossai_file_name(path));
	if (strchr(pattern.after, '#')) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
			"%s: the number's place is marked twice: use one run of #, e.g. walk_####.obj", path);
	}
	const char *folder = ossai_folder_of(arena, path);
	if (!folder) return ossa_context_error(context)->status;
	OSSAI_TRY(ossai_folder_list(arena, folder, fits, &pattern, count, names));
	if (*count == 0) return no_file(context, folder, pattern.name);
	return sort_names(arena, folder, *count, *names, paths);
}

ossa_status ossai_sequence_list(ossai_arena *arena, const char *path, size_t *count, const char *const **paths)
{
	const char **names;
	return list_files(arena, path, count, &names, paths);
}

ossa_status ossai_sequence_expand(ossai_arena *arena, const char *path, size_t *count, const char *const **paths)
{
	const char **names = NULL;
	OSSAI_TRY(list_files(arena, path, count, &names, paths));
	const sequence_pattern pattern = pattern_of(ossai_file_name(path));
	return check_numbers(arena->context, path, &pattern, *count, names);
}

/* texts and pointers to them in one block */
static ossa_status copy_paths(ossa_context *context, size_t count, const char *const *from, char ***paths)
{
	size_t size = count * sizeof **paths;
	for (size_t i = 0; i < count; i++) size += strlen(from[i]) + 1;
	*paths = ossa_alloc(context, 1, size);
	if (!*paths) return ossa_context_error(context)->status;
	char *at = (char *)(*paths + count);
	for (size_t i = 0; i < count; i++) {
		const size_t length = strlen(from[i]) + 1;
		memcpy(at, from[i], length);
		(*paths)[i] = at;
		at += length;
	}
	return OSSA_OK;
}

ossa_status ossa_read_paths(ossa_context *context, const char *path, size_t *count, char ***paths)
{
	if (count) *count = 0;
	if (paths) *paths = NULL;
	OSSAI_NEED(context, path);
	ossai_arena arena = ossai_arena_begin(context);
	const char *const *found = &path;
	size_t found_count = 1;
	ossa_status status = OSSA_OK;
	if (ossai_sequence_is(context, path)) status = ossai_sequence_list(&arena, path, &found_count, &found);
	if (status == OSSA_OK && paths) status = copy_paths(context, found_count, found, paths);
	if (status == OSSA_OK && count) *count = found_count;
	ossai_arena_end(&arena);
	return status;
}
