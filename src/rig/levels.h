/* rig/levels.h: makes a rig of a subset of its bones.

   Place in the path: rig -> here -> methods/still, export. */
#ifndef OSSAI_RIG_LEVELS_H
#define OSSAI_RIG_LEVELS_H

#include "base/context.h"
#include <ossa/rig.h>

enum { OSSAI_LEVELS_MAX = 16 };

/* Removes levels that have the bones of the level before. Warning "fewer-levels". */
void ossai_rig_drop_same_levels(ossa_context *context, ossa_rig *rig);

/* The coarsest of the most levels that each bone is in (B), as ossa_rig_find_levels finds them.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_rig_last_levels(ossai_arena *arena, const ossa_skeleton *skeleton, uint8_t *last_level);

/* The rig without the bones that `gone` (B bytes; the root's is ignored) marks, as
   ossa_rig_of_level leaves bones out; its levels stay. Errors: OSSA_ERROR_MEMORY.  Ownership:
   ossa_rig_free. */
ossa_status ossai_rig_without(ossa_context *context, const ossa_rig *rig, const uint8_t *gone, ossa_rig **fewer);

#endif
