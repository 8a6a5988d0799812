/* import/alembic/alembic_ogawa.h: the container of Alembic files: groups of groups and data.

   Files are untrusted: every position and size is checked before use, and bytes read are counted,
   because anything in the file may be referred to any number of times. */
#ifndef OSSAI_IMPORT_ALEMBIC_OGAWA_H
#define OSSAI_IMPORT_ALEMBIC_OGAWA_H

#include "scene/builder.h"

/* An open file. Groups and data are views of its bytes. */
typedef struct ossai_ogawa {
	ossa_context *context;
	const ossai_source *source;
	/* bytes that may still be read: a bounded multiple of the file */
	size_t budget;
} ossai_ogawa;

typedef struct ossai_ogawa_data {
	const uint8_t *bytes;
	size_t size;
} ossai_ogawa_data;

/* Children are groups or data. Two groups are the same if their children are at the same
   position. */
typedef struct ossai_ogawa_group {
	size_t count;
	const uint8_t *children; /* positions, 8 bytes each; NULL for an empty group */
} ossai_ogawa_group;

/* Reads the header and finds the root. Errors: OSSA_ERROR_INPUT: not the format, not finished,
   cut off. */
ossa_status ossai_ogawa_open(ossa_context *context, const ossai_source *source, ossai_ogawa *file, ossai_ogawa_group *root);

/* OSSA_ERROR_INPUT at a place of the file; `at` may be NULL. */
ossa_status ossai_ogawa_fail(const ossai_ogawa *file, const uint8_t *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Takes bytes from the budget. Errors: OSSA_ERROR_LIMIT. */
ossa_status ossai_ogawa_charge(ossai_ogawa *file, size_t bytes);

bool ossai_ogawa_is_data(const ossai_ogawa_group *group, size_t index);

/* The child of a group. Errors: OSSA_ERROR_INPUT where there is none, it is of the other kind, or
   not wholly inside the file. */
ossa_status ossai_ogawa_child(const ossai_ogawa *file, const ossai_ogawa_group *group, size_t index, ossai_ogawa_group *child);
ossa_status ossai_ogawa_data_of(const ossai_ogawa *file, const ossai_ogawa_group *group, size_t index, ossai_ogawa_data *data);

#endif
