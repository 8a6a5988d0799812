/* methods/rig_tell.h: what is wrong with a method's options, or with a rig that was made all the same, as warnings.

   Place in the path: before the first stage, and after the rig is assembled.
   Input: options that were set; a rig.
   Output: warnings. */
#ifndef OSSAI_METHODS_RIG_TELL_H
#define OSSAI_METHODS_RIG_TELL_H

#include "surface/posed_surface.h"

#include <ossa/rig.h>

/* An option, whether it was given though it has no part, and why it has none. */
typedef struct ossai_unused {
	const char *name;
	bool is_given;
	const char *why;
} ossai_unused;

/* Warns of those that are given ("unused-options"). */
void ossai_tell_unused(ossa_context *context, size_t count, const ossai_unused *options);

/* A bone whose weights are all smaller moves nothing that shows. */
#define OSSAI_IDLE_WEIGHT 1e-4

/* moves: B bytes of the arena, 1 for bones that move a vertex. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_find_moving_bones(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossa_rig *rig, uint8_t **moves);

/* Warns of bones that move no vertex ("idle-bones"). has_common_root: bone 0 holds several skeletons, and need not.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_tell_idle_bones(
	ossai_arena *arena, const ossai_posed_surface *surface, bool has_common_root, const ossa_rig *rig);

/* Warns of joints that the mesh does not enclose ("joints-outside"): where pieces are linked through the air, where the surface is open.
   is_flat: B, or NULL: bones of sheets, which enclose nothing. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_tell_outside_joints(ossai_arena *arena, bool has_common_root, const uint8_t *is_flat, const ossa_rig *rig);

#endif
