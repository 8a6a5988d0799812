/* tools/ossa/path_list.h: a list of paths that grows. */
#ifndef OSSA_PATH_LIST_H
#define OSSA_PATH_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct path_list {
	size_t count, capacity;
	char **items; /* from malloc, as the list */
} path_list;

/* Adds a copy. False where there is no memory. */
bool path_list_add(path_list *list, const char *path);
void path_list_free(path_list *list);

#endif
