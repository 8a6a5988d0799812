/* export/scene_left_out.h: what a glTF file has that other formats are written without.

   Place in the path: behind the writers. */
#ifndef OSSAI_EXPORT_SCENE_LEFT_OUT_H
#define OSSAI_EXPORT_SCENE_LEFT_OUT_H

#include <jansson.h>
#include <ossa/mesh.h>

/* Warns once ("scene-left-out", with counts and the name of one) of the cameras, lights, material
   variants, levels of detail, materials with extensions, attributes of its own, nodes without
   contents, animations of cameras, lights and such nodes, extensions that ossa does not know and
   extras of the file that the mesh is from.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_warn_of_scene(ossa_context *context, const ossa_mesh *mesh, const char *path);

/* Warns once ("texture-uvs") of materials with textures by sets of UVs that the mesh does
   not have. `path`: what is written. */
void ossai_warn_of_loose_textures(ossa_context *context, const ossa_mesh *mesh, const char *path);

/* As ossai_warn_of_scene, of a mesh that was written as a coarser level of detail into `written`,
   which may have its materials whole. */
ossa_status ossai_warn_of_level(ossa_context *context, const ossa_mesh *mesh, const json_t *written);

#endif
