/* import/maya/maya_cache.h: Maya geometry caches: positions of meshes over time, in one file or
   many, with or without their XML. */
#ifndef OSSAI_IMPORT_MAYA_CACHE_H
#define OSSAI_IMPORT_MAYA_CACHE_H

#include "import/cache/cache.h"

/* A file of the cache (.mc, .mcx) or its XML. */
bool ossai_maya_detect(const uint8_t *bytes, size_t size);

/* Opens the cache that a file belongs to, with the other files beside it. Nothing stays allocated
   after a failure. Errors: OSSA_ERROR_INPUT: broken, cut off, channels or counts that do not fit
   together; OSSA_ERROR_READ where a file of it is missing. Warnings: "cache-times-dropped",
   "cache-frames-missing". */
ossa_status ossai_maya_open(ossa_context *context, const ossai_source *source, ossai_cache *view);

#endif
