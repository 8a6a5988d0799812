/* methods/name_bones.c: new names for the bones of any rig, also of one that was read from a file.

   Input: a rig.
   Output: its bones' names: by their roles in a body; else by those of the rig that the rest shape
   alone has; else by numbers. */
#include "conventions/find_roles.h"
#include "methods/rest_rig.h"
#include "rig/bone_names.h"
#include "rig/name_pieces.h"
#include "rig/pose.h"
#include "rig/shapes.h"

#include <string.h>

/* bones of a body, at most: the cost of naming grows with their square */
enum { BODY_BONES_MAX = 1000 };

/* whether the rest shape can say more than the names that the rig has */
static bool is_asked(const ossa_rig *rig)
{
	const size_t bones = rig->skeleton.bone_count;
	const bool has_shape = rig->mesh->triangle_count > 0 && rig->weights.vertex_count > 0;
	if (!has_shape || bones < 2 || bones > BODY_BONES_MAX) return false;
	return !ossai_rest_rig_has_plan(rig) && !ossai_rig_names_pieces(rig);
}

static ossa_status name_by_rest(ossa_context *context, ossa_rig *rig)
{
	ossa_rig *rest;
	uint32_t root;
	const ossai_rest_wish wish = {.body = OSSA_BODY_AUTO, .leaves_props_out = true};
	ossa_status status = ossai_rest_rig_make(context, rig->mesh, &wish, &rest);
	if (status == OSSA_OK && rest) status = ossai_rest_rig_name(context, rest, rig, &root);
	ossa_rig_free(context, rest);
	return status;
}

/* whether the names of a file, another program's, say what its bones are */
static ossa_status find_known(ossa_context *context, const ossa_rig *rig, bool *is_known)
{
	ossa_role *role = ossai_new(context, rig->skeleton.bone_count, sizeof *role);
	ossai_roles_source source;
	if (!role) return ossa_context_error(context)->status;
	const ossa_status status = ossai_find_roles(context, &rig->skeleton, role, &source);
	ossa_free(context, role);
	const bool is_foreign = source.origin == OSSAI_ROLES_NAMES && source.convention != ossai_convention_of_name("body");
	*is_known = status == OSSA_OK && is_foreign && source.kind != OSSA_BODY_NONE;
	return status;
}

/* Body parts are those that the shape shows; where it shows none those that another program's names
   say. */
static ossa_status name_parts(ossa_context *context, ossa_rig *rig, const ossa_bone *before, bool is_known)
{
	OSSAI_TRY(ossai_rig_name_bones(context, rig, OSSA_NAMES_BODY));
	if (is_asked(rig)) OSSAI_TRY(name_by_rest(context, rig));
	if (!is_known || ossai_rest_rig_has_plan(rig)) return OSSA_OK;
	memcpy(rig->skeleton.bones, before, rig->skeleton.bone_count * sizeof *before);
	return ossai_rig_write_names(context, rig, ossai_convention_of_name("body"));
}

/* Another program's names need roles: what names say is taken before what the shape suggests. */
static ossa_status name_bones(ossa_context *context, ossa_rig *rig, const ossa_bone *before, ossa_bone_names style)
{
	bool is_known = false;
	if (style == OSSA_NAMES_NUMBERS) return ossai_rig_name_bones(context, rig, style);
	if (!ossai_rest_rig_has_plan(rig) && !ossai_rig_names_pieces(rig)) OSSAI_TRY(find_known(context, rig, &is_known));
	if (style == OSSA_NAMES_BODY) return name_parts(context, rig, before, is_known);
	if (!is_known && is_asked(rig)) OSSAI_TRY(name_by_rest(context, rig));
	return ossai_rig_name_bones(context, rig, style);
}

ossa_status ossa_rig_name_bones(ossa_context *context, ossa_rig *rig, ossa_bone_names style)
{
	OSSAI_NEED(context, rig);
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	const size_t bones = rig->skeleton.bone_count;
	ossa_bone *before = ossa_alloc(context, bones, sizeof *before);
	if (!before) return ossa_context_error(context)->status;
	memcpy(before, rig->skeleton.bones, bones * sizeof *before);
	ossa_status status = name_bones(context, rig, before, style);
	if (status == OSSA_OK) ossai_shapes_rename(rig, before);
	else memcpy(rig->skeleton.bones, before, bones * sizeof *before);
	ossa_free(context, before);
	return status;
}
