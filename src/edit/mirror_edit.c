#include "edit/tree_edits.h"
ossa_status ossai_edit_mirror(ossai_arena *arena, ossai_edit_state *state, uint32_t bone)
{
	return ossai_fail(arena->context, OSSA_ERROR_ARGUMENT, NULL, "%s cannot be mirrored by this version",
		state->rig->skeleton.bones[bone].name);
}
