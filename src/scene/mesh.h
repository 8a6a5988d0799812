/* scene/mesh.h: what the files of scene/ share about meshes. */
#ifndef OSSAI_SCENE_MESH_H
#define OSSAI_SCENE_MESH_H

#include "base/context.h"
#include <ossa/mesh.h>

/* Checks that every polygon has at least three corners, that they fill the corner arrays, and that
   all vertices are in range. Errors: OSSA_ERROR_INPUT naming the first polygon or corner at
   fault. */
ossa_status ossai_mesh_check_polygons(ossa_context *context, const ossa_mesh *mesh);

#endif
