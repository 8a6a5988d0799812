/* tools/ossa/touched.c: the files that a command has read and written.

   Place in the path: the top.
   Input: paths, as the library opens and writes them.
   Output: lists, by which a batch notices that a file has changed which no command line names: a
   buffer of glTF, an image. */
#include "touched.h"
#include "command.h"

#include <stdlib.h>
#include <string.h>

static void keep(path_list *paths, const char *path)
{
	/* streams of poses open one file again and again */
	for (size_t i = paths->count; i-- > 0 && i + 4 > paths->count;) {
		if (strcmp(paths->items[i], path) == 0) return;
	}
	path_list_add(paths, path);
}

void command_keep_opened(void *run, const char *path) { keep(&((command_run *)run)->opened, path); }

void command_keep_written(void *run, const char *path) { keep(&((command_run *)run)->written, path); }

static int by_bytes(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

json_t *command_json_paths(path_list *paths)
{
	json_t *list = json_array();
	if (paths->count > 0) qsort(paths->items, paths->count, sizeof *paths->items, by_bytes);
	for (size_t i = 0; i < paths->count; i++) {
		if (i == 0 || strcmp(paths->items[i], paths->items[i - 1]) != 0)
			json_array_append_new(list, command_json_text(paths->items[i]));
	}
	return list;
}
