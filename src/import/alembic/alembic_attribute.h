/* import/alembic/alembic_attribute.h: texture coordinates and normals of an Alembic mesh.

   Place in the path: inside alembic_mesh.c.
   Input: uv and N of .geom, each an array or, with numbers for the elements, .vals and .indices;
   their metadata's geoScope says what an element is.
   Output: which value each corner has. */
#ifndef OSSAI_IMPORT_ALEMBIC_ATTRIBUTE_H
#define OSSAI_IMPORT_ALEMBIC_ATTRIBUTE_H

#include "import/alembic/alembic_parts.h"

/* A mesh while it is read. */
typedef struct ossai_alembic_mesh {
	ossai_alembic_reader *reader;
	const ossai_alembic_object *object;
	ossai_arena scratch;
	ossai_ogawa_group geometry;
	ossai_alembic_property positions, indices, counts;
	ossai_alembic_sample corner_vertices, face_sizes; /* of the first sample */
	size_t vertex_count;
	uint32_t *set_of_face; /* index into sets, or NULL */
	ossai_builder builder;
} ossai_alembic_mesh;

/* The kind of an attribute's elements. */
typedef enum ossai_scope {
	OSSAI_SCOPE_NONE,
	OSSAI_SCOPE_CONSTANT,
	OSSAI_SCOPE_FACE,
	OSSAI_SCOPE_VERTEX,
	OSSAI_SCOPE_CORNER
} ossai_scope;

/* Values and what has which: an index for each face, vertex or corner, or the elements themselves
   in that order. */
typedef struct ossai_attribute {
	ossai_scope scope;
	ossai_alembic_pod pod, index_pod;
	ossai_alembic_sample values, indices;
	bool is_indexed;
	size_t value_count, element_count;
} ossai_attribute;

/* The first sample of a property that may be missing or of another type, which leaves `sample`
   empty. */
ossa_status ossai_attribute_sample(
	ossai_alembic_mesh *w, const ossai_alembic_property *property, bool whole, size_t extent, ossai_alembic_sample *sample);

/* Finds `name`, with `extent` numbers a value; scope NONE where it is missing or makes no sense,
   the latter with the warning "alembic-attribute". Errors: OSSA_ERROR_INPUT, OSSA_ERROR_MEMORY. */
ossa_status ossai_attribute_find(ossai_alembic_mesh *w, const char *name, size_t extent, ossai_attribute *found);

/* Which value a corner has; one that is not there is dropped by the builder, with its warning. */
uint32_t ossai_attribute_at(const ossai_attribute *a, size_t face, size_t vertex, size_t corner);

#endif
