/* rig/bone_names.c: see bone_names.h. */
#include "rig/bone_names.h"

#include "rig/name_pieces.h"
#include "rig/pose.h"
#include "skeleton/naming/names.h"

ossa_status ossai_rig_name_bones(ossa_context *context, ossa_rig *rig, ossa_bone_names style)
{
	OSSAI_TRY(ossai_rig_check_faces(context, rig));
	if (rig->weights.vertex_count > 0) OSSAI_TRY(ossai_rig_check_fit(context, rig, &rig->weights, NULL));
	if (style != OSSA_NAMES_BODY && style != OSSA_NAMES_NUMBERS) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "there are no names of kind %d", (int)style);
	}
	if (style == OSSA_NAMES_NUMBERS) ossai_names_number(&rig->skeleton);
	else if (ossai_rig_names_pieces(rig)) return ossai_rig_name_pieces(context, rig);
	else ossai_names_by_roles(&rig->skeleton);
	return OSSA_OK;
}
