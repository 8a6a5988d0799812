/* import/frame_meshes.h: mesh files of one frame each as sources of frames, for frame_source.c. */
#ifndef OSSAI_IMPORT_FRAME_MESHES_H
#define OSSAI_IMPORT_FRAME_MESHES_H

#include "import/frame_source.h"
#include "scene/frame_stream.h"

/* The positions of the meshes that are sources[0] ..., at most OSSAI_FRAMES_AT_ONCE, in ossa's axes
   and units: positions[0] ... of V x 3. Each file is read on a thread of its own where it is
   written as the one that was read first. Errors: as ossa_read_frames. */
ossa_status ossai_frame_meshes_read(ossai_frame_sources *all, size_t count, const size_t *sources, float *const *positions);

#endif
