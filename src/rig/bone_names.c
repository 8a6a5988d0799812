/* rig/bone_names.c: see bone_names.h. */
#include "rig/bone_names.h"

#include "conventions/write_names.h"
#include "rig/name_pieces.h"
#include "rig/pose.h"
#include "skeleton/naming/names.h"

static ossa_status check(ossa_context *context, const ossa_rig *rig)
{
	OSSAI_TRY(ossai_rig_check_faces(context, rig));
	return rig->weights.vertex_count > 0 ? ossai_rig_check_fit(context, rig, &rig->weights, NULL) : OSSA_OK;
}

ossa_status ossai_rig_write_names(ossa_context *context, ossa_rig *rig, const ossai_convention *convention)
{
	OSSAI_TRY(check(context, rig));
	return ossai_write_names(context, &rig->skeleton, convention);
}

ossa_status ossai_rig_name_bones(ossa_context *context, ossa_rig *rig, ossa_bone_names style)
{
	OSSAI_TRY(check(context, rig));
	const ossai_convention *convention = ossai_convention_of_style(style);
	if (convention) return ossai_write_names(context, &rig->skeleton, convention);
	if (style != OSSA_NAMES_BODY && style != OSSA_NAMES_NUMBERS) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "there are no names of kind %d", (int)style);
	}
	if (style == OSSA_NAMES_NUMBERS) ossai_names_number(&rig->skeleton);
	else if (ossai_rig_names_pieces(rig)) return ossai_rig_name_pieces(context, rig);
	else ossai_names_by_roles(&rig->skeleton);
	return OSSA_OK;
}
