/* rig/copy_bones.c: see copy_bones.h. */
#include "rig/copy_bones.h"

#include "rig/clip_morphs.h"
#include "rig/clips.h"
#include "rig/dependencies.h"

#include <string.h>

static ossa_status copy_clip(void *user, const ossa_clip *clip, ossa_clip **copy) { return ossa_clip_copy(user, clip, copy); }

/* the weights of targets of the same names, in place of those by number */
static ossa_status match_morphs(ossa_context *context, const ossa_rig *from, ossa_rig *to)
{
	size_t all_lost = 0;
	for (size_t i = 0; i < ossa_rig_clip_count(to); i++) {
		size_t lost;
		ossa_clip *clip = ossai_clip_at(to, i);
		OSSAI_TRY(ossa_clip_add_morphs(context, clip, 0));
		OSSAI_TRY(ossai_clip_match_morphs(context, from->mesh, ossai_clip_at(from, i), to->mesh, clip, &lost));
		all_lost = lost > all_lost ? lost : all_lost;
	}
	if (all_lost > 0)
		ossai_warn(context, "shapes-dropped", (int64_t)all_lost,
			"morph targets of the rig move in its motion, and the other mesh has none of their names");
	return OSSA_OK;
}

ossa_status ossai_rig_copy_bones(ossa_context *context, const ossa_rig *from, ossa_rig *to)
{
	const size_t bones = from->skeleton.bone_count;
	memcpy(to->method, from->method, sizeof to->method);
	memcpy(to->skeleton.bones, from->skeleton.bones, bones * sizeof *to->skeleton.bones);
	to->body = from->body;
	to->level_count = from->level_count;
	if (from->last_level) {
		to->last_level = ossa_alloc(context, bones, sizeof *to->last_level);
		if (!to->last_level) return ossa_context_error(context)->status;
		memcpy(to->last_level, from->last_level, bones * sizeof *to->last_level);
	}
	if (from->loop_count > 0) {
		to->loops = ossa_alloc(context, from->loop_count, sizeof *to->loops);
		if (!to->loops) return ossa_context_error(context)->status;
		to->loop_count = from->loop_count;
		memcpy(to->loops, from->loops, from->loop_count * sizeof *to->loops);
	}
	OSSAI_TRY(ossai_dependencies_copy(context, from, NULL, &to->dependencies, &to->dependency_count));
	ossai_clips clips;
	OSSAI_TRY(ossai_clips_change(context, from, copy_clip, context, &clips));
	ossai_clips_put(to, &clips);
	return match_morphs(context, from, to);
}
