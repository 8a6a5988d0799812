/* tools/ossa/path_list.c: a list of paths that grows.

   Place in the path: beside all.
   Input: paths.
   Output: copies of them. */
#include "path_list.h"

#include <stdlib.h>
#include <string.h>

bool path_list_add(path_list *list, const char *path)
{
	if (list->count == list->capacity) {
		const size_t wanted = 2 * list->capacity + 16;
		char **more = realloc(list->items, wanted * sizeof *more);
		if (!more) return false;
		list->items = more;
		list->capacity = wanted;
	}
	list->items[list->count] = strdup(path);
	return list->items[list->count] && ++list->count;
}

void path_list_free(path_list *list)
{
	for (size_t i = 0; i < list->count; i++) free(list->items[i]);
	free(list->items);
	*list = (path_list){0};
}
