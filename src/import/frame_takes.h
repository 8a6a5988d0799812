/* import/frame_takes.h: which frames of several files belong together, and what they are called.

   Place in the path: between frame_source.h and read_frames.c. */
#ifndef OSSAI_IMPORT_FRAME_TAKES_H
#define OSSAI_IMPORT_FRAME_TAKES_H

#include "import/frame_range.h"
#include "import/frame_source.h"
#include "scene/frame_stream.h"

/* Gives a stream its name, and its takes where there are several: each animation of a scene and
   each cache is one, and so are poses in a row. first: sources + 1, frames before each. Those that
   the range leaves out have no frames; takes without any are none.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_frame_takes_make(
	const ossai_frame_sources *all, const size_t *first, const ossai_frame_range *range, ossa_frame_stream *stream);

#endif
