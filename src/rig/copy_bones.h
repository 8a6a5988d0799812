/* rig/copy_bones.h: the bones of a rig, for another mesh.

   Place in the path: a rig -> here -> rig_transfer, methods/bind. */
#ifndef OSSAI_RIG_COPY_BONES_H
#define OSSAI_RIG_COPY_BONES_H

#include "base/context.h"

#include <ossa/rig.h>

/* Fills `to`, new and with as many bones: method, bones, body, levels, loops, dependencies and
   motions. Errors: OSSA_ERROR_MEMORY; what was copied is the rig's. */
ossa_status ossai_rig_copy_bones(ossa_context *context, const ossa_rig *from, ossa_rig *to);

#endif
