/* export/learn_limits.c: joint limits of the motion, where a rig that is written has none.

   Place in the path: the end of conventions.c.
   Input: a rig in the conventions of the output.
   Output: the same with limits. */
#include "export/conventions.h"
#include "rig/limits.h"

#include <string.h>

/* copies the bones so that they can be changed; once */
static ossa_status own_bones(ossai_prepared *prepared, const ossa_rig *rig)
{
	ossa_skeleton *own = &prepared->own_rig.skeleton;
	if (prepared->rig == &prepared->own_rig && own->bones != rig->skeleton.bones) return OSSA_OK;
	if (prepared->rig != &prepared->own_rig) prepared->own_rig = *rig;
	prepared->rig = &prepared->own_rig;
	own->bones = ossai_arena_new(&prepared->arena, own->bone_count, sizeof *own->bones);
	if (!own->bones) return ossa_context_error(prepared->arena.context)->status;
	memcpy(own->bones, rig->skeleton.bones, own->bone_count * sizeof *own->bones);
	return OSSA_OK;
}

ossa_status ossai_learn_limits(ossai_prepared *prepared, const ossa_rig *rig, double slack)
{
	for (size_t b = 1; b < rig->skeleton.bone_count; b++) {
		ossa_bone bone = prepared->rig->skeleton.bones[b];
		if (bone.has_limits || !ossai_limits_of_motion(prepared->rig, b, slack, &bone)) continue;
		OSSAI_TRY(own_bones(prepared, rig));
		prepared->own_rig.skeleton.bones[b] = bone;
	}
	return OSSA_OK;
}
