/* studio/server/rig_file.h: what writing and reading a rig's file share: the list of its arrays.

   Place in the path: between rig_file.c, which writes, and rig_load.c, which reads. */
#ifndef STUDIO_RIG_FILE_H
#define STUDIO_RIG_FILE_H

#include "server.h"

enum { RIG_FILE_MAGIC = 16 };
extern const char rig_file_magic[RIG_FILE_MAGIC];

/* one array of a rig: the address of its pointer, and its size where it exists */
typedef struct rig_array {
	char name[40];
	void **data;
	size_t size;
} rig_array;

typedef struct rig_array_list {
	size_t count;
	rig_array *items; /* malloc's; NULL: no memory */
} rig_array_list;

/* Every array of a rig whose counts are known. Ownership: `items` with free. */
rig_array_list rig_file_arrays(ossa_rig *rig);

#endif
