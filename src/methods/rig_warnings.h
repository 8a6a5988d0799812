/* methods/rig_warnings.h: warnings about options without effect, and about the bones of a rig.

   Place in the path: before the first stage, and after the rig is assembled.
   Input: options that were set; a rig.
   Output: warnings. */
#ifndef OSSAI_METHODS_RIG_TELL_H
#define OSSAI_METHODS_RIG_TELL_H

#include "surface/posed_surface.h"

#include <ossa/rig.h>

/* An option, whether it was set and has no effect, and why. */
typedef struct ossai_unused {
	const char *name;
	bool is_given;
	const char *why;
} ossai_unused;

/* Warns of options that were set without effect ("unused-options"). */
void ossai_warn_of_unused_options(ossa_context *context, size_t count, const ossai_unused *options);

/* A bone moves no vertex where none of its weights is larger: such a weight moves a vertex by less
   than a ten-thousandth of the bone's own motion. */
#define OSSAI_IDLE_WEIGHT 1e-4

/* moves: an array of the arena, 1 for bones that move a vertex. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_find_moving_bones(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossa_rig *rig, uint8_t **moves);

/* Warns of bones that move no vertex ("idle-bones"). has_common_root: bone 0 is the parent of
   several skeletons and moves none. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_warn_of_idle_bones(
	ossai_arena *arena, const ossai_posed_surface *surface, bool has_common_root, const ossa_rig *rig);

/* Warns of joints outside of the mesh ("joints-outside"): between pieces that do not touch, or
   where the surface is open. is_flat: B: bones of sheets, which have no inside; or NULL. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_warn_of_outside_joints(ossai_arena *arena, bool has_common_root, const uint8_t *is_flat, const ossa_rig *rig);

#endif
