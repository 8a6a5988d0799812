/* rig/flatten.h: the rig of a face: every bone turns and moves freely against one, the head.

   Place in the path: a rig with free bones -> here -> the rig.
   Faces have hardly any joint that skin turns about: where bones keep their lengths, a chain of
   bones has to bend for one brow. */
#ifndef OSSAI_RIG_FLATTEN_H
#define OSSAI_RIG_FLATTEN_H

#include "base/context.h"
#include <ossa/rig.h>

/* Whether every bone but the root moves freely, whatever its parent, as those of a face do. */
bool ossai_skeleton_is_free(const ossa_skeleton *skeleton);

/* Takes the motion and weights of the free bones in place of the hierarchy's, and puts all bones
   under one: the bone whose motion alone is nearest to that of the whole mesh, by area. Each joint
   is the center of its bone's skin; nothing moves differently than the free bones did. Without free
   bones the hierarchy's are taken.
   Errors: OSSA_ERROR_MEMORY; the rig then has the bones that it had.
   Cost: bones x frames + vertices. */
ossa_status ossai_rig_flatten(ossa_context *context, ossa_rig *rig);

#endif
