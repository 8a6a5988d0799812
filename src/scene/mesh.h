/* scene/mesh.h: what the files of scene/ share about meshes. */
#ifndef OSSAI_SCENE_MESH_H
#define OSSAI_SCENE_MESH_H

#include "base/csr.h"
#include <ossa/mesh.h>

/* Checks that every polygon has at least three corners, that they fill the corner arrays, and that
   all vertices are in range. Errors: OSSA_ERROR_INPUT naming the first polygon or corner at
   fault. */
ossa_status ossai_mesh_check_polygons(ossa_context *context, const ossa_mesh *mesh);

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
