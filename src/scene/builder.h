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

typedef struct ossai_builder {
	ossa_context *context;
	const char *path;
	ossai_parts parts;
	ossa_mesh *mesh;
	/* of the arrays */
	size_t vertex_capacity, corner_capacity, polygon_capacity, texcoord_capacity, normal_capacity, material_capacity;
	uint32_t *material_slots;   /* open hash table over the materials' names */
	size_t material_slot_count; /* a power of two, or 0 */
	uint32_t material;          /* of the polygons to come, or OSSA_NONE */
	int64_t not_finite_count;   /* attribute values that were no finite numbers and are 0 now */
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

/* The polygons to come have the material of that name. */
ossa_status ossai_builder_material(ossai_builder *builder, ossai_word name);

/* The material of that name, or OSSA_NONE where no polygon has asked for it. */
uint32_t ossai_builder_find_material(const ossai_builder *builder, ossai_word name);

#endif
