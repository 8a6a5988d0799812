/* rig/clip.c: allocates and frees a motion.

   Place in the path: part of the rig.
   Input: sizes.
   Output: an ossa_clip of zeros to fill. */
#include "base/context.h"
#include "rig/clip_morphs.h"

#include <ossa/rig.h>
#include <string.h>

static ossa_status fill_empty(
	ossa_context *context, size_t frame_count, size_t bone_count, bool with_translations, ossa_clip *clip)
{
	if (bone_count > 0 && frame_count > PTRDIFF_MAX / (4 * sizeof(double)) / bone_count) {
		return ossai_fail(context, OSSA_ERROR_LIMIT, NULL, "%zu frames of %zu bones are more than this machine can address",
			frame_count, bone_count);
	}
	clip->frame_count = frame_count;
	clip->bone_count = bone_count;
	clip->times = ossa_alloc(context, frame_count, sizeof *clip->times);
	if (!clip->times) return ossa_context_error(context)->status;
	clip->rotations = ossa_alloc(context, frame_count * bone_count, 4 * sizeof *clip->rotations);
	if (!clip->rotations) return ossa_context_error(context)->status;
	clip->root_positions = ossa_alloc(context, frame_count, 3 * sizeof *clip->root_positions);
	if (!clip->root_positions) return ossa_context_error(context)->status;
	if (!with_translations) return OSSA_OK;
	clip->translations = ossa_alloc(context, frame_count * bone_count, 3 * sizeof *clip->translations);
	return clip->translations ? OSSA_OK : ossa_context_error(context)->status;
}

ossa_status ossa_clip_create(
	ossa_context *context, size_t frame_count, size_t bone_count, bool with_translations, ossa_clip **result)
{
	if (result) *result = NULL;
	OSSAI_NEED(context, result);
	ossa_clip *clip = ossa_alloc(context, 1, sizeof *clip);
	if (!clip) return ossa_context_error(context)->status;
	const ossa_status status = fill_empty(context, frame_count, bone_count, with_translations, clip);
	if (status == OSSA_OK) *result = clip;
	else ossa_clip_free(context, clip);
	return status;
}

void ossa_clip_free(ossa_context *context, ossa_clip *clip)
{
	if (!clip) return;
	ossa_free(context, clip->times);
	ossa_free(context, clip->rotations);
	ossa_free(context, clip->root_positions);
	ossa_free(context, clip->translations);
	ossa_free(context, clip->morph_weights);
	ossa_free(context, clip);
}

ossa_status ossa_clip_copy(ossa_context *context, const ossa_clip *clip, ossa_clip **copy)
{
	if (copy) *copy = NULL;
	OSSAI_NEED(context, clip, copy);
	const size_t frames = clip->frame_count, turns = frames * clip->bone_count;
	OSSAI_TRY(ossa_clip_create(context, frames, clip->bone_count, clip->translations != NULL, copy));
	memcpy((*copy)->name, clip->name, sizeof clip->name);
	memcpy((*copy)->times, clip->times, frames * sizeof *clip->times);
	memcpy((*copy)->rotations, clip->rotations, 4 * turns * sizeof *clip->rotations);
	memcpy((*copy)->root_positions, clip->root_positions, 3 * frames * sizeof *clip->root_positions);
	if (clip->translations) memcpy((*copy)->translations, clip->translations, 3 * turns * sizeof *clip->translations);
	const ossa_status status = ossai_clip_take_morphs(context, clip, 0, *copy);
	if (status == OSSA_OK) return OSSA_OK;
	ossa_clip_free(context, *copy);
	*copy = NULL;
	return status;
}
