/* rig/clips.c: see clips.h. */
#include "rig/clips.h"

#include "rig/clip_morphs.h"
#include "rig/pose.h"

size_t ossa_rig_clip_count(const ossa_rig *rig) { return rig && rig->clip ? 1 + rig->other_clip_count : 0; }

ossa_clip *ossai_clip_at(const ossa_rig *rig, size_t index) { return index == 0 ? rig->clip : rig->other_clips[index - 1]; }

const ossa_clip *ossa_rig_clip_at(const ossa_rig *rig, size_t index)
{
	return index < ossa_rig_clip_count(rig) ? ossai_clip_at(rig, index) : NULL;
}

ossai_clips ossai_clips_of(const ossa_rig *rig) { return (ossai_clips){rig->clip, rig->other_clip_count, rig->other_clips}; }

void ossai_clips_put(ossa_rig *rig, const ossai_clips *clips)
{
	rig->clip = clips->clip;
	rig->other_clip_count = clips->other_count;
	rig->other_clips = clips->others;
}

void ossai_clips_drop(ossa_context *context, ossai_clips *clips)
{
	ossa_clip_free(context, clips->clip);
	for (size_t i = 0; clips->others && i < clips->other_count; i++) ossa_clip_free(context, clips->others[i]);
	ossa_free(context, clips->others);
	*clips = (ossai_clips){0};
}

void ossai_clips_free(ossa_context *context, ossa_rig *rig)
{
	ossai_clips clips = ossai_clips_of(rig);
	ossai_clips_drop(context, &clips);
	ossai_clips_put(rig, &clips);
}

/* the frames are the same, and so are the targets */
static ossa_status change_one(
	ossa_context *context, const ossa_clip *clip, ossai_clip_change change, void *user, ossa_clip **made)
{
	OSSAI_TRY(change(user, clip, made));
	return *made && (*made)->frame_count == clip->frame_count ? ossai_clip_take_morphs(context, clip, 0, *made) : OSSA_OK;
}

static ossa_status change_all(
	ossa_context *context, const ossa_rig *rig, ossai_clip_change change, void *user, ossai_clips *made)
{
	if (rig->clip) OSSAI_TRY(change_one(context, rig->clip, change, user, &made->clip));
	if (rig->other_clip_count == 0) return OSSA_OK;
	made->others = ossa_alloc(context, rig->other_clip_count, sizeof *made->others);
	if (!made->others) return ossa_context_error(context)->status;
	made->other_count = rig->other_clip_count;
	for (size_t i = 0; i < rig->other_clip_count; i++) {
		OSSAI_TRY(change_one(context, rig->other_clips[i], change, user, &made->others[i]));
	}
	return OSSA_OK;
}

ossa_status ossai_clips_change(
	ossa_context *context, const ossa_rig *rig, ossai_clip_change change, void *user, ossai_clips *made)
{
	*made = (ossai_clips){0};
	const ossa_status status = change_all(context, rig, change, user, made);
	if (status != OSSA_OK) ossai_clips_drop(context, made);
	return status;
}

ossa_status ossa_rig_set_clips(ossa_context *context, ossa_rig *rig, size_t count, ossa_clip *const *clips)
{
	OSSAI_NEED(context, rig);
	if (count > 0) OSSAI_NEED(context, clips);
	ossai_clips own = {0};
	if (count > 1) {
		own.other_count = count - 1;
		own.others = ossa_alloc(context, own.other_count, sizeof *own.others);
		if (!own.others) return ossa_context_error(context)->status;
	}
	for (size_t i = 1; i < count; i++) own.others[i - 1] = clips[i];
	own.clip = count > 0 ? clips[0] : NULL;
	ossai_clips_free(context, rig);
	ossai_clips_put(rig, &own);
	return OSSA_OK;
}

ossa_status ossai_clip_give_translations(ossa_context *context, const ossa_rig *rig, ossa_clip *clip)
{
	if (clip->translations) return OSSA_OK;
	clip->translations = ossai_new(context, clip->frame_count * clip->bone_count, 3 * sizeof *clip->translations);
	if (!clip->translations) return ossa_context_error(context)->status;
	ossai_rest_translations(rig->skeleton.bones, clip, clip->translations);
	return OSSA_OK;
}
