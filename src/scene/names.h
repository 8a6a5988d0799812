/* scene/names.h: names of which no two are the same.

   Place in the path: for writers of formats that find objects by their names.
   Input and output: names. */
#ifndef OSSAI_SCENE_NAMES_H
#define OSSAI_SCENE_NAMES_H

#include "base/context.h"
#include <ossa/mesh.h>

/* Names that others before have, and empty ones, get numbers: body, body_2, body_3 ...; "mesh" for
   empty ones. The first of a name keeps it. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_names_apart(ossa_context *context, size_t count, char (*names)[64]);

/* The same for materials, of which empty ones stay: no file has to name its materials. */
ossa_status ossai_material_names_apart(ossa_context *context, size_t count, char (*names)[64]);

/* For a file that finds materials by their names: those of a mesh apart, each in one line,
   "material" for empty ones. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_material_names(ossai_arena *arena, const ossa_mesh *mesh, char (**names)[64]);

#endif
