/* import/maya/maya_files.h: names of the files of a Maya cache. A cache of one file has the name of
   its XML; one of many adds Frame12, and Tick100 between frames. */
#ifndef OSSAI_IMPORT_MAYA_FILES_H
#define OSSAI_IMPORT_MAYA_FILES_H

#include "import/registry.h"

/* The end of "Frame12" or "Frame12Tick100" at `at`, or NULL. */
const char *ossai_maya_frame_end(const char *at);

/* Where a name's frame number begins, or NULL: "walkFrame12Tick100.mcx". */
const char *ossai_maya_frame_of(const char *name);

/* The path that the cache's files share, without Frame, number and ending; NULL: no memory. The
   arena's. */
const char *ossai_maya_base(ossai_arena *arena, const ossai_source *source);

/* All files of a cache with one for each frame, in natural order; none is no error. The arena's.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_READ of the folder. */
ossa_status ossai_maya_find_files(ossai_arena *arena, const char *base, const char *ending, size_t *count, const char ***paths);

#endif
