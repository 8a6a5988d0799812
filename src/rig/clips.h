/* rig/clips.h: all motions of a rig, for everything that changes its bones.

   Place in the path: a rig -> here -> whatever makes other bones of its bones.
   Input: a rig with a clip and other clips, and how one clip is changed.
   Output: all of them changed. */
#ifndef OSSAI_RIG_CLIPS_H
#define OSSAI_RIG_CLIPS_H

#include "base/context.h"
#include <ossa/rig.h>

/* The motions of a rig, apart from it: the first, and the others. */
typedef struct ossai_clips {
	ossa_clip *clip;
	size_t other_count;
	ossa_clip **others;
} ossai_clips;

/* Makes a changed clip of one of the rig's. Ownership of `*changed`: ossa_clip_free. */
typedef ossa_status (*ossai_clip_change)(void *user, const ossa_clip *clip, ossa_clip **changed);

/* Changes all motions of a rig but free_clip; the rig stays as it is. Changed clips of as many
   frames get the weights of morph targets that the old ones have. Errors: those of `change`;
   nothing is allocated then. Ownership: ossai_clips_put or ossai_clips_drop. */
ossa_status ossai_clips_change(
	ossa_context *context, const ossa_rig *rig, ossai_clip_change change, void *user, ossai_clips *made);

/* The motions of a rig as they are, which are still the rig's. */
ossai_clips ossai_clips_of(const ossa_rig *rig);

/* Makes them the rig's own; those that it had are not freed. */
void ossai_clips_put(ossa_rig *rig, const ossai_clips *clips);

/* Frees them. */
void ossai_clips_drop(ossa_context *context, ossai_clips *clips);

/* Frees all motions of a rig but free_clip, and sets them to none. */
void ossai_clips_free(ossa_context *context, ossa_rig *rig);

/* Gives a clip whose bones keep their lengths translations, as the rest has them; one that has
   translations stays as it is. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_clip_give_translations(ossa_context *context, const ossa_rig *rig, ossa_clip *clip);

/* The motion at an index as ossa_rig_clip_at has it. */
ossa_clip *ossai_clip_at(const ossa_rig *rig, size_t index);

#endif
