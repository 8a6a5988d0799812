/* rig/limits.c: how far joints may turn.

   Place in the path: after motion, before export.  In: a rig.  Out: limits of bones that have none. */
#include "base/context.h"

#include <ossa/rig.h>

ossa_status ossa_rig_find_limits(ossa_context *context, ossa_rig *rig, double slack_degrees)
{
	(void)context, (void)slack_degrees;
	static const double across = 90, about = 180;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		if (bone->has_limits) continue;
		for (int axis = 0; axis < 3; axis++) {
			bone->limits[axis][1] = axis == 1 ? about : across;
			bone->limits[axis][0] = -bone->limits[axis][1];
		}
		bone->has_limits = true;
	}
	return OSSA_OK;
}
