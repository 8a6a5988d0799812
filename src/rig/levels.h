/* rig/levels.h: makes a rig of a subset of its bones.

   Place in the path: rig -> here -> methods/still, export. */
#ifndef OSSAI_RIG_LEVELS_H
#define OSSAI_RIG_LEVELS_H

#include <ossa/rig.h>

/* Removes levels that have the bones of the level before. Warning "fewer-levels". */
void ossai_rig_drop_same_levels(ossa_context *context, ossa_rig *rig);

/* The rig without the bones that `gone` (B bytes; the root's is ignored) marks, as
   ossa_rig_of_level leaves bones out; its levels stay. Errors: OSSA_ERROR_MEMORY.  Ownership:
   ossa_rig_free. */
ossa_status ossai_rig_without(ossa_context *context, const ossa_rig *rig, const uint8_t *gone, ossa_rig **fewer);

#endif
