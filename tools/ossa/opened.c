/* tools/ossa/opened.c: the files that a command has read.

   Place in the path: the top.
   Input: paths, as the library opens them.
   Output: a list, by which a batch notices that an input has changed which no command line names: a
   buffer of glTF, an image. */
#include "opened.h"
#include "command.h"

#include <stdlib.h>
#include <string.h>

void command_keep_opened(void *run, const char *path)
{
	command_run *own = run;
	/* streams of poses open one file again and again */
	for (size_t i = own->opened_count; i-- > 0 && i + 4 > own->opened_count;) {
		if (strcmp(own->opened[i], path) == 0) return;
	}
	if (own->opened_count == own->opened_capacity) {
		const size_t wanted = 2 * own->opened_capacity + 16;
		char **more = realloc(own->opened, wanted * sizeof *more);
		if (!more) return;
		own->opened = more;
		own->opened_capacity = wanted;
	}
	own->opened[own->opened_count] = strdup(path);
	own->opened_count += own->opened[own->opened_count] != NULL;
}

static int by_bytes(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

json_t *command_json_opened(command_run *run)
{
	json_t *list = json_array();
	if (run->opened_count > 0) qsort(run->opened, run->opened_count, sizeof *run->opened, by_bytes);
	for (size_t i = 0; i < run->opened_count; i++) {
		if (i == 0 || strcmp(run->opened[i], run->opened[i - 1]) != 0) json_array_append_new(list, json_string(run->opened[i]));
	}
	return list;
}
