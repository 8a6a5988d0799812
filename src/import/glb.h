/* import/glb.h: meshes and rigs out of glTF 2.0 files: .glb, and .gltf whose buffers are inside it as data URIs.

   Place in the path: readers behind the registry.  In: a file nobody vouches for.  Out: a mesh or rig, or an error naming what
   is wrong.  Refused by name: compressed geometry (Draco, meshopt) and buffers in other files. */
#ifndef OSSAI_IMPORT_GLB_H
#define OSSAI_IMPORT_GLB_H

#include "base/context.h"
#include <ossa/rig.h>

/* The mesh of the first skin in its bind pose; of a file without skins all meshes where their nodes place them. Vertices stay as
   the file has them, except that copies which ossa itself made for UV and normal seams become one vertex again. */
ossa_status ossai_glb_read_mesh(ossa_context *context, const char *path, ossa_mesh **mesh);

/* All meshes of the first skin, its joints (nodes between and above them folded in; several roots get one above them, with a
   warning), and the first animation at the union of its key times. Scales of joints cannot be kept: warning "scale-dropped". */
ossa_status ossai_glb_read_rig(ossa_context *context, const char *path, ossa_rig **rig);

/* The same for bytes that are in memory already; `path` is for messages. */
ossa_status ossai_glb_mesh_of_bytes(
	ossa_context *context, const char *path, const uint8_t *bytes, size_t size, ossa_mesh **mesh);
ossa_status ossai_glb_rig_of_bytes(ossa_context *context, const char *path, const uint8_t *bytes, size_t size, ossa_rig **rig);

#endif
