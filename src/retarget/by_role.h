/* retarget/by_role.h: retargets the motion of one body to another, by what their bones are. */
#ifndef OSSAI_RETARGET_BY_ROLE_H
#define OSSAI_RETARGET_BY_ROLE_H

#include "retarget/legs.h"

#include <ossa/retarget.h>

/* Makes a clip for the target's rig of the source's, frame by frame. legs: of both bodies, as they
   were found; receives the stride. Fills matched, source_unused, scale and stride of `facts`. forced: B, as ossai_forced_pairs fills it.
   Warning "motion-unmatched" of arms, legs and head without a counterpart.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. Ownership: `clip` with ossa_clip_free. */
ossa_status ossai_retarget_by_role(ossa_context *context, ossai_legs *legs, const ossa_retarget_options *options,
	const uint32_t *forced, const char *source_name, ossa_clip **clip, ossa_retarget_facts *facts);

#endif
