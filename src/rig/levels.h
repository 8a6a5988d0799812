/* rig/levels.h: makes a rig of a subset of its bones.

   Place in the path: rig -> here -> methods/still, export. */
#ifndef OSSAI_RIG_LEVELS_H
#define OSSAI_RIG_LEVELS_H

#include <ossa/rig.h>

/* The rig without the bones that `gone` (B bytes; the root's is ignored) marks, as
   ossa_rig_of_level leaves bones out; its levels stay. Errors: OSSA_ERROR_MEMORY.  Ownership:
   ossa_rig_free. */
ossa_status ossai_rig_without(ossa_context *context, const ossa_rig *rig, const uint8_t *gone, ossa_rig **fewer);

#endif
