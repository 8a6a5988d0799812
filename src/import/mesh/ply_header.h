/* import/mesh/ply_header.h: what the header of a PLY file says. */
#ifndef OSSAI_IMPORT_MESH_PLY_HEADER_H
#define OSSAI_IMPORT_MESH_PLY_HEADER_H

#include "base/text.h"

typedef enum ossai_ply_format { OSSAI_PLY_ASCII, OSSAI_PLY_LITTLE, OSSAI_PLY_BIG } ossai_ply_format;

typedef enum ossai_ply_type {
	OSSAI_PLY_INT8,
	OSSAI_PLY_UINT8,
	OSSAI_PLY_INT16,
	OSSAI_PLY_UINT16,
	OSSAI_PLY_INT32,
	OSSAI_PLY_UINT32,
	OSSAI_PLY_FLOAT,
	OSSAI_PLY_DOUBLE
} ossai_ply_type;

/* The use of a property in a mesh. */
typedef enum ossai_ply_role {
	OSSAI_PLY_X,
	OSSAI_PLY_Y,
	OSSAI_PLY_Z,
	OSSAI_PLY_NX,
	OSSAI_PLY_NY,
	OSSAI_PLY_NZ,
	OSSAI_PLY_U,
	OSSAI_PLY_V,
	OSSAI_PLY_RED,
	OSSAI_PLY_GREEN,
	OSSAI_PLY_BLUE,
	OSSAI_PLY_ALPHA,
	OSSAI_PLY_INDICES,   /* list of a face's vertices */
	OSSAI_PLY_TEXCOORDS, /* list of a face's u v pairs */
	OSSAI_PLY_OTHER
} ossai_ply_role;

typedef enum ossai_ply_kind {
	OSSAI_PLY_VERTICES,
	OSSAI_PLY_FACES,
	OSSAI_PLY_STRIPS,
	OSSAI_PLY_GRID,
	OSSAI_PLY_UNKNOWN
} ossai_ply_kind;

typedef struct ossai_ply_property {
	ossai_ply_type type;
	ossai_ply_type count_type; /* of lists */
	bool is_list;
	ossai_ply_role role;
} ossai_ply_property;

typedef struct ossai_ply_element {
	ossai_ply_kind kind;
	size_t count;
	size_t first, property_count; /* in the header's properties */
	uint32_t roles;               /* bit set of those present */
} ossai_ply_element;

typedef struct ossai_ply_header {
	ossai_ply_format format;
	ossai_ply_element *elements;
	size_t element_count, element_capacity;
	ossai_ply_property *properties;
	size_t property_count, property_capacity;
} ossai_ply_header;

/* bytes of a value in a binary file */
size_t ossai_ply_size(ossai_ply_type type);

/* Reads the header; the cursor is then at the first byte of the body. Errors: OSSA_ERROR_INPUT
   naming the line. Ownership: ossai_ply_header_free, also after a failure. */
ossa_status ossai_ply_header_read(ossai_text *text, ossai_ply_header *header);
void ossai_ply_header_free(ossa_context *context, ossai_ply_header *header);

#endif
