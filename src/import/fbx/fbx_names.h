/* import/fbx/fbx_names.h: models of one name.

   Place in the path: before assimp, which knows the joints of skins and what animations move by
   their names alone, so that of two skeletons with the same names one would have both.
   Input: bytes that fbx_guard.c has passed.
   Output: bytes in which every model has a name of its own, and the names back. */
#ifndef OSSAI_IMPORT_FBX_NAMES_H
#define OSSAI_IMPORT_FBX_NAMES_H

#include "base/file.h"
#include "base/text.h"

/* a model that got another name, of as many bytes */
typedef struct ossai_fbx_renamed {
	const char *own;   /* the new one, inside of the bytes: no zero ends it */
	const char *whole; /* the file's own, which a zero ends */
	size_t size;       /* of the new one */
} ossai_fbx_renamed;

typedef struct ossai_fbx_names {
	ossai_source source; /* the file as it was where no two names are the same */
	size_t count;
	ossai_fbx_renamed *renamed; /* in the order of the new names */
} ossai_fbx_names;

/* The first model of a name keeps it. A name that is too short for as many models stays with the
   last of them. Errors: OSSA_ERROR_MEMORY. Ownership: the arena's. */
ossa_status ossai_fbx_names_apart(ossai_arena *arena, const ossai_source *source, ossai_fbx_names *names);

/* The name in the file of a model that is called this. Returns `name` where it is the file's. */
const char *ossai_fbx_whole_name(const ossai_fbx_names *names, const char *name);

#endif
