/* studio/server/clips.c: the motions of a session's rig: which of a file comes first, those that
   are added, and keeping all of them when another rig is made.

   Place in the path: behind the jobs "open", "motion" and "rig". The first motion is that of the
   input's frames; the others follow in their order. */
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void studio_clips_lead(ossa_rig *rig, const char *wanted)
{
	char *end = NULL;
	const size_t count = ossa_rig_clip_count(rig);
	size_t found = 0;
	while (found < count && strcmp(ossa_rig_clip_at(rig, found)->name, wanted) != 0) found++;
	const unsigned long number = strtoul(wanted, &end, 10);
	if (found == count && end != wanted && *end == 0 && number > 0) found = (size_t)number - 1;
	if (found == 0 || found >= count) return;
	ossa_clip *first = rig->other_clips[found - 1];
	for (size_t i = found - 1; i > 0; i--) rig->other_clips[i] = rig->other_clips[i - 1];
	rig->other_clips[0] = rig->clip;
	rig->clip = first;
}

static bool has_name(const ossa_rig *rig, const char *name)
{
	for (size_t i = 0; i < ossa_rig_clip_count(rig); i++) {
		if (strcmp(ossa_rig_clip_at(rig, i)->name, name) == 0) return true;
	}
	return false;
}

/* "walk", or "walk 2" where the rig has a "walk" */
static void name_apart(const ossa_rig *rig, ossa_clip *clip)
{
	char name[sizeof clip->name];
	snprintf(name, sizeof name, "%s", clip->name[0] ? clip->name : "motion");
	for (unsigned number = 2; has_name(rig, name) && number < 10000; number++) {
		snprintf(name, sizeof name, "%.50s %u", clip->name[0] ? clip->name : "motion", number);
	}
	memcpy(clip->name, name, sizeof name);
}

ossa_status studio_clips_add(ossa_context *context, ossa_rig *rig, ossa_clip *clip)
{
	name_apart(rig, clip);
	if (!rig->clip) {
		rig->clip = clip;
		return OSSA_OK;
	}
	const size_t count = rig->other_clip_count;
	ossa_clip **others = ossa_alloc(context, count + 1, sizeof *others);
	if (!others) return OSSA_ERROR_MEMORY;
	if (count > 0) memcpy(others, rig->other_clips, count * sizeof *others);
	others[count] = clip;
	ossa_free(context, rig->other_clips);
	rig->other_clips = others;
	rig->other_clip_count = count + 1;
	return OSSA_OK;
}

ossa_status studio_clips_add_all(ossa_context *context, ossa_rig *rig, size_t count, ossa_clip **clips)
{
	ossa_status status = OSSA_OK;
	for (size_t i = 0; i < count; i++) {
		if (status == OSSA_OK) status = studio_clips_add(context, rig, clips[i]);
		if (status != OSSA_OK) ossa_clip_free(context, clips[i]);
	}
	ossa_free(context, clips);
	return status;
}

/* ---- for a new rig of the same mesh ---- */

/* the motion of the old rig's skin, fitted to the new rig */
static ossa_status fit(ossa_context *context, const ossa_rig *old, const ossa_clip *clip, const ossa_rig *rig, ossa_clip **made)
{
	ossa_frames *frames = NULL;
	ossa_frame_stream *stream = NULL;
	ossa_motion_fit *found = NULL;
	ossa_status status = ossa_rig_frames(context, old, clip, &frames);
	if (status == OSSA_OK) status = ossa_frame_stream_of_frames(context, frames, &stream);
	if (status == OSSA_OK) status = ossa_rig_fit_motion(context, rig, stream, NULL, &found);
	if (status == OSSA_OK) {
		*made = found->clip;
		found->clip = NULL;
		memcpy((*made)->name, clip->name, sizeof clip->name);
	}
	ossa_motion_fit_free(context, found);
	ossa_frame_stream_free(context, stream);
	ossa_frames_free(context, frames);
	return status;
}

/* the carried motion that brought this clip, or NULL; `at` its place among those of that motion */
static const json_t *motion_of(const studio_work *work, size_t index, size_t *at)
{
	const json_t *motions = json_object_get(studio_state_of(work->facts), "motions");
	for (size_t i = 0; i < json_array_size(motions); i++) {
		const json_t *motion = json_array_get(motions, i);
		const size_t first = (size_t)json_integer_value(json_object_get(motion, "first"));
		const size_t count = (size_t)json_integer_value(json_object_get(motion, "count"));
		*at = index - first;
		if (index >= first && index < first + count) return motion;
	}
	return NULL;
}

/* a carried motion is carried again, others are fitted to the skin */
static ossa_status keep_clip(studio_work *work, const ossa_rig *old, size_t index, const ossa_rig *rig, ossa_clip **made)
{
	size_t at = 0;
	const json_t *motion = motion_of(work, index, &at);
	if (motion && studio_carry_again(work, motion, at, rig, made) == OSSA_OK) {
		memcpy((*made)->name, ossa_rig_clip_at(old, index)->name, sizeof(*made)->name);
		return OSSA_OK;
	}
	return fit(work->context, old, ossa_rig_clip_at(old, index), rig, made);
}

ossa_status studio_clips_keep(studio_work *work, const ossa_rig *old, bool has_input, ossa_rig *rig)
{
	const size_t count = ossa_rig_clip_count(old), first = has_input ? 1 : 0;
	const double from = work->from, step = count > first ? (work->to - from) / (double)(count - first) : 0;
	for (size_t i = first; i < count; i++) {
		ossa_clip *made = NULL;
		studio_work_part(work, from + step * (double)(i - first), from + step * (double)(i - first + 1));
		STUDIO_TRY(keep_clip(work, old, i, rig, &made));
		const ossa_status status = studio_clips_add(work->context, rig, made);
		if (status == OSSA_OK) continue;
		ossa_clip_free(work->context, made);
		return status;
	}
	return OSSA_OK;
}
