/* import/read_motions.c: every motion of another file for the bones of a rig.

   Place in the path: file -> rig with several clips -> here -> clips.
   Input: a rig, the path of another.
   Output: a clip for each that is asked for, retargeted one by one. */
#include "import/readers.h"
#include "rig/pose.h"

#include <ossa/read.h>
#include <ossa/retarget.h>

/* one clip of the source after the other */
static ossa_status retarget_all(
	ossa_context *context, const ossa_rig *rig, const ossa_rig *source, const char *path, size_t count, ossa_clip **clips)
{
	ossa_rig one = *source;
	one.other_clip_count = 0;
	one.other_clips = NULL;
	for (size_t i = 0; i < count; i++) {
		if (i > 0) one.clip = source->other_clips[i - 1];
		OSSAI_TRY(ossa_rig_retarget(context, rig, &one, path, NULL, &clips[i], NULL));
	}
	return OSSA_OK;
}

static ossa_status read_motions(
	ossa_context *context, const ossa_rig *rig, const ossa_rig *source, const char *path, size_t *count, ossa_clip ***clips)
{
	/* a source without motion gets its error */
	const size_t wanted = 1 + source->other_clip_count;
	ossa_clip **made = ossa_alloc(context, wanted, sizeof *made);
	if (!made) return ossa_context_error(context)->status;
	const ossa_status status = retarget_all(context, rig, source, path, wanted, made);
	if (status == OSSA_OK) {
		*count = wanted;
		*clips = made;
		return OSSA_OK;
	}
	for (size_t i = 0; i < wanted; i++) ossa_clip_free(context, made[i]);
	ossa_free(context, made);
	return status;
}

ossa_status ossa_read_motions(ossa_context *context, const ossa_rig *rig, const char *path, const ossa_read_options *options,
	size_t *count, ossa_clip ***clips)
{
	if (count) *count = 0;
	if (clips) *clips = NULL;
	OSSAI_NEED(context, rig, path, count, clips);
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	ossa_rig *source;
	OSSAI_TRY(ossa_read_rig(context, path, options, &source));
	const ossa_status status = read_motions(context, rig, source, path, count, clips);
	ossa_rig_free(context, source);
	return status;
}
