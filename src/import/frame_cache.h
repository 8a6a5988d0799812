/* import/frame_cache.h: point caches as sources of frames, for frame_source.c. */
#ifndef OSSAI_IMPORT_FRAME_CACHE_H
#define OSSAI_IMPORT_FRAME_CACHE_H

#include "import/frame_source.h"

/* Opens the source's cache: its count of frames, their times. Errors: as ossa_read_frames. */
ossa_status ossai_frame_cache_open(ossai_frame_sources *all, ossai_frame_source *source);

/* Whether the path belongs to a cache of many files that is open already: it is read once,
   whichever of them are named. */
bool ossai_frame_cache_is_open(const ossai_frame_sources *all, const ossai_frame_source *source);

/* The positions of a frame or sample. Errors: as ossa_read_frames. */
ossa_status ossai_frame_cache_read(ossai_frame_sources *all, ossai_frame_source *source, size_t frame, float *positions);

/* Positions without faces can only be checked by their geometry. The first frame of a source is
   checked: in later frames vertices may fly apart. Errors: OSSA_ERROR_INPUT where most edges are
   several times as long as at rest. */
ossa_status ossai_frame_check_order(ossai_frame_sources *all, ossai_frame_source *source, const float *positions);

#endif
