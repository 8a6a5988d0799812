/* weights/bone_segments.c: see bone_segments.h. */
#include "weights/bone_segments.h"

ossa_status ossai_bone_segments_check(ossa_context *context, const ossai_bone_segments *segments)
{
	const size_t bones = segments->count == 0 ? 0 : segments->bone_count;
	if (bones > 0 && bones <= UINT16_MAX) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "weights for %zu bones: there must be 1 to %d", bones, UINT16_MAX);
}
