/* rig/bone_names.h: new names for the bones of a rig, by its own bones alone.

   Place in the path: assemble, methods -> here -> skeleton/naming, conventions.
   methods/name_bones.c, which may rig the rest shape for names, is what callers see. */
#ifndef OSSAI_RIG_BONE_NAMES_H
#define OSSAI_RIG_BONE_NAMES_H

#include "base/context.h"
#include "conventions/convention.h"
#include <ossa/rig.h>

/* Names by the roles of the bones, another program's too (conventions/write_names.h), of pieces
   that were rigged apart each by its own.
   Errors: OSSA_ERROR_INPUT (the rig is not whole), OSSA_ERROR_ARGUMENT, OSSA_ERROR_MEMORY; the
   names are then as they were. */
ossa_status ossai_rig_name_bones(ossa_context *context, ossa_rig *rig, ossa_bone_names style);

/* The names of a convention, by the roles that are found where the bones have none
   (conventions/write_names.h). Errors: as above. */
ossa_status ossai_rig_write_names(ossa_context *context, ossa_rig *rig, const ossai_convention *convention);

#endif
