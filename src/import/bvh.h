/* import/bvh.h: motion capture in Biovision's BVH: a skeleton and one clip, no mesh.

   Place in the path: a reader of scenes behind the registry.
   Input: untrusted text.
   Output: an asset whose nodes are all joints, without rotation at rest. */
#ifndef OSSAI_IMPORT_BVH_H
#define OSSAI_IMPORT_BVH_H

#include "import/asset/asset.h"

bool ossai_bvh_detect(const uint8_t *bytes, size_t size);

/* Errors: OSSA_ERROR_INPUT naming the line.  Warnings: "bvh-frames" (fewer or more frames than
   stated), "bvh-frame-time" (no usable frame time). */
ossa_status ossai_bvh_read_asset(ossa_context *context, const ossai_source *source, ossai_asset *asset);

#endif
