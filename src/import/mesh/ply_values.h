/* import/mesh/ply_values.h: the values of a PLY file's body, as text or as bytes of either order.

   Place in the path: below ply.c and ply_strips.c.
   Input: a cursor behind the header.
   Output: values as doubles, or errors that name the line, of a binary file the byte. */
#ifndef OSSAI_IMPORT_MESH_PLY_VALUES_H
#define OSSAI_IMPORT_MESH_PLY_VALUES_H

#include "base/file.h"
#include "import/mesh/ply_header.h"

typedef struct ossai_ply_cursor {
	ossai_text text; /* of binary files too */
	const char *begin, *end;
	ossai_ply_format format; /* as the header says */
} ossai_ply_cursor;

ossai_ply_cursor ossai_ply_cursor_begin(ossa_context *context, const ossai_source *source);

/* From the header, which is text, to the values. */
void ossai_ply_begin_values(ossai_ply_cursor *cursor, ossai_ply_format format);

static inline bool ossai_ply_is_ascii(const ossai_ply_cursor *cursor) { return cursor->format == OSSAI_PLY_ASCII; }

/* At the line, or at the byte of a binary file. */
ossai_place ossai_ply_place(const ossai_ply_cursor *cursor);

/* Fails with OSSA_ERROR_INPUT: the file ends too early. */
ossa_status ossai_ply_cut_off(const ossai_ply_cursor *cursor);

size_t ossai_ply_bytes_left(const ossai_ply_cursor *cursor);

/* The value at the cursor. Errors: OSSA_ERROR_INPUT where there is none of that type. */
ossa_status ossai_ply_read_value(ossai_ply_cursor *cursor, ossai_ply_type type, double *value);

/* The length of a list. Errors: OSSA_ERROR_INPUT where it is negative or more than the file can
   still hold. */
ossa_status ossai_ply_read_length(ossai_ply_cursor *cursor, const ossai_ply_property *property, size_t *length);

/* Skips a value or a whole list. Errors: as above. */
ossa_status ossai_ply_skip(ossai_ply_cursor *cursor, const ossai_ply_property *property);

#endif
