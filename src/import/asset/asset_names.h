/* import/asset/asset_names.h: makes names of bones safe and unique. */
#ifndef OSSAI_IMPORT_ASSET_NAMES_H
#define OSSAI_IMPORT_ASSET_NAMES_H

#include "base/context.h"

typedef struct ossai_names {
	size_t count;
	char (*names)[64]; /* given so far */
	uint32_t *numbers; /* by name: the last number tried after it */
	uint32_t *slots;   /* open hash table over the names; a power of two */
	size_t slot_count;
	int64_t changed;     /* names that were changed */
	const char *example; /* the first of them */
} ossai_names;

/* Capacity for `count` names in the arena. */
ossa_status ossai_names_begin(ossai_arena *arena, size_t count, ossai_names *names);

/* `wanted` (NULL: "bone") with every character but A-Z a-z 0-9 _ - made '_', cut to 63, and a
   number appended if it is in use: "arm", "arm_2". */
void ossai_names_add(ossai_names *names, const char *wanted, char name[64]);

#endif
