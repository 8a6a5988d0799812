/* import/gltf/gltf.h: the reader of glTF 2.0: .glb, and .gltf with buffers in files beside it or
   inside it as data URIs.

   Place in the path: a reader of scenes behind the registry.
   Input: an untrusted file.
   Output: ossai_asset: what the file says, not yet what it means. Compressed geometry
   (Draco, meshopt) is expanded first, where ossa is built with its library. Refused by name: glTF
   1.0, extensions that are required and not known here, buffers anywhere but in the file's own
   folder and those below it. */
#ifndef OSSAI_IMPORT_GLTF_H
#define OSSAI_IMPORT_GLTF_H

#include "import/asset/asset.h"

/* A binary container, or JSON text. */
bool ossai_gltf_detect(const uint8_t *bytes, size_t size);

/* An ossai_asset_reader. Every mesh of a node becomes an ossai_asset_mesh with all its primitives;
   those that are not triangles (warning "skipped-primitives") and meshes outside the scene that is
   shown (warning "outside-scene") are left out. */
ossa_status ossai_gltf_read_asset(ossa_context *context, const ossai_source *source, ossai_asset *asset);

#endif
