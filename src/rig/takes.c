/* rig/takes.c: the motion of a rig as one clip for each take that its frames were in.

   Place in the path: after a rig has its motion.
   Input: a clip over all frames, the stream that it was made from.
   Output: clips of their own, from 0 seconds on. */
#include "rig/clip_morphs.h"
#include "rig/clips.h"
#include "scene/names.h"

#include <ossa/clip.h>

#include <string.h>

ossa_status ossa_clip_part(ossa_context *context, const ossa_clip *clip, size_t first, size_t count, ossa_clip **result)
{
	if (result) *result = NULL;
	OSSAI_NEED(context, clip, result);
	if (first > clip->frame_count || count > clip->frame_count - first) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "frames %zu to %zu are asked for, of a motion of %zu", first + 1,
			first + count, clip->frame_count);
	}
	const size_t bones = clip->bone_count, from = first * bones, turns = count * bones;
	OSSAI_TRY(ossa_clip_create(context, count, bones, clip->translations != NULL, result));
	ossa_clip *part = *result;
	const ossa_status status = ossai_clip_take_morphs(context, clip, first, part);
	if (status != OSSA_OK) {
		ossa_clip_free(context, part);
		*result = NULL;
		return status;
	}
	if (count == 0) return OSSA_OK;
	memcpy(part->name, clip->name, sizeof part->name);
	for (size_t f = 0; f < count; f++) part->times[f] = clip->times[first + f] - clip->times[first];
	memcpy(part->rotations, clip->rotations + 4 * from, 4 * turns * sizeof *part->rotations);
	memcpy(part->root_positions, clip->root_positions + 3 * first, 3 * count * sizeof *part->root_positions);
	if (part->translations) memcpy(part->translations, clip->translations + 3 * from, 3 * turns * sizeof *part->translations);
	return OSSA_OK;
}

/* programs find clips by their names */
static ossa_status name_takes(ossa_context *context, const ossa_frame_stream *stream, size_t count, ossa_clip **clips)
{
	char(*names)[64] = ossai_new(context, count, sizeof *names);
	if (!names) return ossa_context_error(context)->status;
	for (size_t i = 0; i < count; i++) {
		const ossa_take take = ossa_frame_stream_take(stream, i);
		memcpy(names[i], take.name, sizeof names[i]);
	}
	const ossa_status status = ossai_names_apart(context, count, names);
	for (size_t i = 0; status == OSSA_OK && i < count; i++) memcpy(clips[i]->name, names[i], sizeof names[i]);
	ossa_free(context, names);
	return status;
}

static ossa_status cut(
	ossa_context *context, const ossa_clip *clip, const ossa_frame_stream *stream, size_t count, ossa_clip **clips)
{
	for (size_t i = 0; i < count; i++) {
		const ossa_take take = ossa_frame_stream_take(stream, i);
		OSSAI_TRY(ossa_clip_part(context, clip, take.first, take.frame_count, &clips[i]));
	}
	return name_takes(context, stream, count, clips);
}

ossa_status ossa_rig_split_takes(ossa_context *context, ossa_rig *rig, const ossa_frame_stream *stream)
{
	OSSAI_NEED(context, rig, stream);
	const size_t count = ossa_frame_stream_take_count(stream), frames = ossa_frame_stream_frame_count(stream);
	if (count < 2) return OSSA_OK;
	if (!rig->clip || rig->clip->frame_count != frames) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "the rig's motion has %zu frames, and those of the takes are %zu",
			rig->clip ? rig->clip->frame_count : 0, frames);
	}
	ossa_clip **clips = ossa_alloc(context, count, sizeof *clips);
	if (!clips) return ossa_context_error(context)->status;
	ossa_status status = cut(context, rig->clip, stream, count, clips);
	if (status == OSSA_OK) status = ossa_rig_set_clips(context, rig, count, clips);
	for (size_t i = 0; status != OSSA_OK && i < count; i++) ossa_clip_free(context, clips[i]);
	ossa_free(context, clips);
	return status;
}
