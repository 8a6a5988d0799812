/* retarget/by_role.h: retargets the motion of one body to another, by what their bones are. */
#ifndef OSSAI_RETARGET_BY_ROLE_H
#define OSSAI_RETARGET_BY_ROLE_H

#include "retarget/actor.h"

#include <ossa/retarget.h>

/* Makes a clip for the target's rig of the source's, frame by frame. Both actors have legs. Fills
   matched, source_unused, scale and stride of `facts`. forced: B, as ossai_forced_pairs fills it.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. Ownership: `clip` with ossa_clip_free. */
ossa_status ossai_retarget_by_role(ossa_context *context, const ossai_actor *target, const ossai_actor *source,
	const ossa_retarget_options *options, const uint32_t *forced, ossa_clip **clip, ossa_retarget_facts *facts);

#endif
