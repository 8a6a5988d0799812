/* scene/mesh.h: what the files of scene/ share about meshes. */
#ifndef OSSAI_SCENE_MESH_H
#define OSSAI_SCENE_MESH_H

#include "base/csr.h"
#include <ossa/mesh.h>

/* Checks that every polygon has at least three corners, that they fill the corner arrays, and that
   all vertices are in range. Errors: OSSA_ERROR_INPUT naming the first polygon or corner at
   fault. */
ossa_status ossai_mesh_check_polygons(ossa_context *context, const ossa_mesh *mesh);

/* Morph targets of a mesh (morphs.c): freed, also a list that is half filled; copied to one that
   has none; checked, as ossa_mesh_validate does. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_INPUT. */
void ossai_morphs_free(ossa_context *context, ossa_morph *morphs, size_t count);
ossa_status ossai_morphs_copy(ossa_context *context, const ossa_mesh *mesh, ossa_mesh *copy);
ossa_status ossai_morphs_check(ossa_context *context, const ossa_mesh *mesh);

/* Adds a target with space for `count` vertices, whose arrays are the caller's to fill. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_morphs_add(ossa_context *context, ossa_mesh *mesh, const char *name, size_t count, ossa_morph **added);

/* Whether any target has a weight at rest; `positions` without what these add there, V x 3, or NULL
   with the error set: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT. Ownership: the arena's. */
bool ossai_morphs_weigh(const ossa_mesh *mesh);
float *ossai_morphs_base(ossai_arena *arena, const ossa_mesh *mesh, const float *positions);

/* Whether a driver is as ossa/mesh.h has it, but for the bone. */
bool ossai_driver_fits(const ossa_morph *morph);

/* How many targets have a driver; takes these out of a mesh. */
size_t ossai_morphs_driven(const ossa_mesh *mesh);
/* Whether two meshes have the same targets by their names, in the same order; NULL has none. */
bool ossai_morphs_alike(const ossa_mesh *a, const ossa_mesh *b);
void ossai_morphs_drop_driven(ossa_context *context, ossa_mesh *mesh);

/* A copy of the list in the arena, with deltas of its own, to be changed; vertices are shared. NULL
   with the error set. */
ossa_morph *ossai_morphs_borrow(ossai_arena *arena, const ossa_mesh *mesh);

/* The vertices were welded: as ossai_document_weld. */
void ossai_morphs_weld(ossa_mesh *mesh, const uint32_t *kept, const uint32_t *to);

/* The material of a polygon; material_count where it has none. */
static inline uint32_t ossai_material_slot(const ossa_mesh *mesh, size_t polygon)
{
	const uint32_t material = mesh->polygon_material ? mesh->polygon_material[polygon] : OSSA_NONE;
	return material < mesh->material_count ? material : (uint32_t)mesh->material_count;
}

/* The polygons of each material, rising, and in a last row those without one.  Errors:
   OSSA_ERROR_MEMORY.  Ownership: the arena's. */
ossa_status ossai_polygons_of_materials(ossai_arena *arena, const ossa_mesh *mesh, ossai_csr *polygons);

#endif
