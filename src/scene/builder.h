/* scene/builder.h: a mesh that grows while a file is read.

   Place in the path: between the readers of formats and ossa_mesh.
   Input: vertices, corners, polygons in file order.
   Output: a validated, triangulated mesh with arrays of the right size, or nothing. */
#ifndef OSSAI_SCENE_BUILDER_H
#define OSSAI_SCENE_BUILDER_H

#include "base/file.h"
#include "base/text.h"
#include <ossa/mesh.h>

/* Which parts of a file are needed. Poses need no attributes, and no faces where those are not
   compared. */
typedef enum ossai_parts { OSSAI_PARTS_POSITIONS, OSSAI_PARTS_FACES, OSSAI_PARTS_ALL } ossai_parts;

/* Which materials or objects there are, as an open hash table over a list of what they are known by
   in the file, whole: their names can be longer than those of a mesh. */
typedef struct ossai_key_table {
	ossai_word *keys; /* not copied */
	size_t key_count, key_capacity;
	uint32_t *slots;
	size_t slot_count; /* a power of two, or 0 */
} ossai_key_table;

/* The polygons from one on are of an object. */
typedef struct ossai_object_run {
	size_t polygon;
	uint32_t object;
} ossai_object_run;

typedef struct ossai_builder {
	ossa_context *context;
	const char *path;
	ossai_parts parts;
	ossa_mesh *mesh;
	/* of the arrays */
	size_t vertex_capacity, corner_capacity, polygon_capacity, texcoord_capacity, normal_capacity, material_capacity;
	ossai_key_table material_keys, object_keys;
	uint32_t material;        /* of the polygons to come, or OSSA_NONE */
	int64_t not_finite_count; /* attribute values that were no finite numbers and are 0 now */

	/* builder_names.c */
	size_t object_capacity, run_count, run_capacity;
	ossai_object_run *runs; /* polygons before the first are of no named object */
	bool are_groups;        /* objects that share vertices are one surface */

	/* builder_sets.c: by set, that of arrays of values, of corners and of colours */
	size_t uv_capacity[OSSA_SETS_MAX], uv_corner_capacity[OSSA_SETS_MAX], color_set_capacity[OSSA_SETS_MAX];
	/* corners and vertices that are filled */
	size_t uv_corners[OSSA_SETS_MAX], colored[OSSA_SETS_MAX];
} ossai_builder;

ossa_status ossai_builder_begin(ossa_context *context, const ossai_source *source, ossai_parts parts, ossai_builder *builder);

/* Releases everything; for failures. Harmless after ossai_builder_end. */
void ossai_builder_abort(ossai_builder *builder);

/* The end of a reader: passes its status on. Where it is OSSA_OK it finishes the mesh, which must
   have vertices and (unless only positions are wanted) faces whose indices are in range, and counts
   degenerate faces in a warning; else it releases everything. */
ossa_status ossai_builder_end(ossai_builder *builder, ossa_status status, ossa_mesh **mesh);

/* Reserves capacity for that many more at once, where a file gives its counts. */
ossa_status ossai_builder_expect(ossai_builder *builder, size_t vertices, size_t polygons, size_t corners);

ossa_status ossai_builder_vertex(ossai_builder *builder, const float position[3]);

/* The colour of the last vertex, as the file has it: 0 to 1 or 0 to 255, sRGB; the end makes it
   linear. */
ossa_status ossai_builder_color(ossai_builder *builder, const float rgba[4]);
ossa_status ossai_builder_texcoord(ossai_builder *builder, float u, float v);
ossa_status ossai_builder_normal(ossai_builder *builder, const float normal[3]);

/* A texture coordinate of a set from 1 on, where the first set is 0; its index in the set is the
   count before. The last corner has that of an index, all others without one have none
   (builder_sets.c). Readers fill a set only where they fill those before it. */
ossa_status ossai_builder_uv(ossai_builder *builder, size_t set, float u, float v);
ossa_status ossai_builder_corner_uv(ossai_builder *builder, size_t set, uint32_t index);

/* The colour of the last vertex in a set from 1 on, as ossai_builder_color; others are white. */
ossa_status ossai_builder_color_set(ossai_builder *builder, size_t set, const float rgba[4]);

/* One corner of the polygon being made; texcoord and normal may be OSSA_NONE. */
ossa_status ossai_builder_corner(ossai_builder *builder, uint32_t vertex, uint32_t texcoord, uint32_t normal);
/* Ends the polygon that the corners since the last call make (at least 3: the reader has
   checked). */
ossa_status ossai_builder_polygon(ossai_builder *builder);

/* Corners since the last polygon. */
static inline size_t ossai_builder_open_corners(const ossai_builder *builder)
{
	return builder->mesh->corner_count - builder->mesh->polygon_start[builder->mesh->polygon_count];
}

/* The polygons to come have the material that the file knows by `key`, whose bytes stay where they
   are until the end; `name` is what it is called there. Names that are the same are made apart at
   the end. */
ossa_status ossai_builder_material(ossai_builder *builder, ossai_word key, ossai_word name);

/* The material of that key, or OSSA_NONE where no polygon has asked for it. */
uint32_t ossai_builder_find_material(const ossai_builder *builder, ossai_word key);

/* The polygons to come are of the object of that name, which goes on where it was used before
   (builder_names.c). Its bytes stay where they are until the end. The mesh has no objects where all
   polygons are of one. */
ossa_status ossai_builder_object(ossai_builder *builder, ossai_word name);

/* No polygon is of an object yet: those named so far were none. */
void ossai_builder_forget_objects(ossai_builder *builder);

/* ---- among the files builder*.c ---- */

/* A value, or 0, counted, where it is not finite. */
float ossai_builder_finite(ossai_builder *builder, float value);

/* Indices beyond `count` become none, counted in a warning. */
void ossai_builder_drop_bad(ossai_builder *builder, uint32_t *indices, size_t count, const char *code, const char *what);

/* The ends of objects, and of sets of UVs and colours. */
ossa_status ossai_builder_end_objects(ossai_builder *builder);
ossa_status ossai_builder_end_sets(ossai_builder *builder);

#endif
