/* rig/bone_names.h: new names for the bones of a rig, by its own bones alone.

   Place in the path: assemble, methods -> here -> skeleton/naming.
   methods/name_bones.c, which may rig the rest shape for names, is what callers see. */
#ifndef OSSAI_RIG_BONE_NAMES_H
#define OSSAI_RIG_BONE_NAMES_H

#include "base/context.h"
#include <ossa/rig.h>

/* Names by the roles of the bones (skeleton/naming/names.h), of pieces that were rigged apart each
   by its own.
   Errors: OSSA_ERROR_INPUT (the rig is not whole), OSSA_ERROR_ARGUMENT, OSSA_ERROR_MEMORY; the
   names are then as they were. */
ossa_status ossai_rig_name_bones(ossa_context *context, ossa_rig *rig, ossa_bone_names style);

#endif
