/* ossa/delta_mush.h: the delta mush deformer on frames: weights can be fitted to them, so that a
   rig without the deformer moves nearly as with it. */
#ifndef OSSA_DELTA_MUSH_H
#define OSSA_DELTA_MUSH_H

#include <ossa/frames.h>
#include <ossa/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* most rounds of smoothing */
enum { OSSA_DELTA_MUSH_ROUNDS_MAX = 1000 };

/* Smooths every frame of a mesh, and puts back the detail that smoothing takes from the rest shape,
   where the smoothed surface has turned to: folds and collapsed twists of linear blending are gone,
   while the rest shape and what moves rigidly stay. Each round moves every vertex halfway to the
   mean of its neighbours; the two sides of a seam are one vertex, and vertices in no face stay.
   rounds: 1 to OSSA_DELTA_MUSH_ROUNDS_MAX; 10 to 20 are usual. frames: of the mesh's vertices,
   changed in place.
   Errors: OSSA_ERROR_ARGUMENT (rounds), OSSA_ERROR_INPUT (a mesh or frames that break a rule, other
   vertices, no faces), OSSA_ERROR_LIMIT, OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED: earlier frames
   are changed then.
   Threads: the context's; the same bytes for any number.
   Source: J. Mancewicz, M. Derksen, H. Rijpkema, C. Wilson, Delta Mush: Smoothing Deformations
   While Preserving Detail, DigiPro 2014.
   Cost: frames x vertices x rounds. */
OSSA_API ossa_status ossa_frames_delta_mush(ossa_context *context, const ossa_mesh *rest, int rounds, ossa_frames *frames);

/* The same for frames one at a time: each is smoothed when it is read, every time; takes, times and
   names are those of `frames`.
   Errors: as there; what is wrong inside of a frame is reported when it is read.
   Ownership: ossa_frame_stream_free; `rest` and `frames` must live as long. */
OSSA_API ossa_status ossa_frame_stream_delta_mush(
	ossa_context *context, const ossa_mesh *rest, int rounds, ossa_frame_stream *frames, ossa_frame_stream **stream);

#ifdef __cplusplus
}
#endif
#endif
