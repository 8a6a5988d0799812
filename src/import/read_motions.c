/* import/read_motions.c: the motions of another file for the bones of a rig.

   Place in the path: file -> rig with one clip or several -> here -> clips.
   Input: a rig, the path of another.
   Output: a clip for each that is asked for, retargeted one by one. */
#include "base/context.h"
#include "rig/pose.h"

#include <ossa/read.h>
#include <ossa/retarget.h>

ossa_status ossa_read_motion(
	ossa_context *context, const ossa_rig *rig, const char *path, const ossa_read_options *options, ossa_clip **clip)
{
	if (clip) *clip = NULL;
	OSSAI_NEED(context, rig, path, clip);
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	ossa_rig *source;
	OSSAI_TRY(ossa_read_rig(context, path, options, &source));
	const ossa_status status = ossa_rig_retarget(context, rig, source, path, NULL, clip, NULL);
	ossa_rig_free(context, source);
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
	const ossa_status status = ossa_rig_retarget_all(context, rig, source, path, NULL, count, clips, NULL);
	ossa_rig_free(context, source);
	return status;
}
