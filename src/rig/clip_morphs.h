/* rig/clip_morphs.h: the weights of morph targets over a motion.

   Place in the path: beside ossa_clip: whatever changes a motion, or the targets that it moves,
   keeps both in step with these. */
#ifndef OSSAI_RIG_CLIP_MORPHS_H
#define OSSAI_RIG_CLIP_MORPHS_H

#include "scene/frame_stream.h"
#include <ossa/rig.h>

/* Gives a clip without weights those of another one, from its frame `first` on: none where that has
   none, or ends before. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_clip_take_morphs(ossa_context *context, const ossa_clip *from, size_t first, ossa_clip *clip);

/* Gives a clip that was fitted to the frames of a stream the weights that targets have in the file,
   where the frames leave them at rest. mesh: the rig's. A NULL clip: nothing. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_clip_take_frame_morphs(
	ossa_context *context, const ossa_frame_stream *stream, const ossa_mesh *mesh, ossa_clip *clip);

/* Gives a clip of a rig with the mesh `to`, whose frames are those of `from`, the weights of that
   clip of a rig with the mesh `mesh`: targets are matched by their names. lost: how many that move
   have no counterpart. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_clip_match_morphs(
	ossa_context *context, const ossa_mesh *mesh, const ossa_clip *from, const ossa_mesh *to, ossa_clip *clip, size_t *lost);

/* Whether the clip moves a target of the mesh that no bone moves: its weight is another than at
   rest in some frame. And how many it moves. */
bool ossai_clip_moves_morph(const ossa_mesh *mesh, const ossa_clip *clip, size_t morph);
size_t ossai_clip_moved_morphs(const ossa_mesh *mesh, const ossa_clip *clip);

/* Whether the clip moves targets alone: all bones are at rest in all frames. */
bool ossai_clip_is_of_morphs(const ossa_rig *rig, const ossa_clip *clip);

/* The clip as it is measured against frames: without its weights where these have the targets at
   rest. bare: filled where that is another clip. */
const ossa_clip *ossai_clip_for_frames(const ossa_clip *clip, bool morphs_at_rest, ossa_clip *bare);

/* Leaves out the corrective shapes of a rig's mesh, and their columns in its motions. */
void ossai_rig_drop_shapes(ossa_context *context, ossa_rig *rig);

#endif
