/* methods/name_bones.c: new names for the bones of any rig, also of one that was read from a file.

   Input: a rig.
   Output: its bones' names: by their roles in a body; else by those of the rig that the rest shape
   alone has; else by numbers. */
#include "methods/rest_rig.h"
#include "rig/bone_names.h"
#include "rig/name_pieces.h"
#include "rig/pose.h"

#include <string.h>

/* bones of a body, at most: the cost of naming grows with their square */
enum { BODY_BONES_MAX = 1000 };

/* whether the rest shape can say more than the names that the rig has */
static bool is_asked(const ossa_rig *rig, ossa_bone_names style)
{
	const size_t bones = rig->skeleton.bone_count;
	const bool has_shape = rig->mesh->triangle_count > 0 && rig->weights.vertex_count > 0;
	if (style != OSSA_NAMES_BODY || !has_shape || bones < 2 || bones > BODY_BONES_MAX) return false;
	return !ossai_rest_rig_has_plan(rig) && !ossai_rig_names_pieces(rig);
}

static ossa_status name_by_rest(ossa_context *context, ossa_rig *rig)
{
	ossa_rig *rest;
	uint32_t root;
	ossa_status status = ossai_rest_rig_make(context, rig->mesh, OSSA_BODY_AUTO, &rest);
	if (status == OSSA_OK && rest) status = ossai_rest_rig_name(context, rest, rig, &root);
	ossa_rig_free(context, rest);
	return status;
}

ossa_status ossa_rig_name_bones(ossa_context *context, ossa_rig *rig, ossa_bone_names style)
{
	OSSAI_NEED(context, rig);
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	const size_t bones = rig->skeleton.bone_count;
	ossa_bone *before = ossa_alloc(context, bones, sizeof *before);
	if (!before) return ossa_context_error(context)->status;
	memcpy(before, rig->skeleton.bones, bones * sizeof *before);
	ossa_status status = ossai_rig_name_bones(context, rig, style);
	if (status == OSSA_OK && is_asked(rig, style)) status = name_by_rest(context, rig);
	if (status != OSSA_OK) memcpy(rig->skeleton.bones, before, bones * sizeof *before);
	ossa_free(context, before);
	return status;
}
