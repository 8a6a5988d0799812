/* retarget/by_name.h: retargets the motion of one skeleton to another, by the names of their bones. */
#ifndef OSSAI_RETARGET_BY_NAME_H
#define OSSAI_RETARGET_BY_NAME_H

#include <ossa/rig.h>

/* What ossa_rig_retarget makes by names. `path` is the source's in messages; forced: B, as
   ossai_forced_pairs fills it; matched: bones of the rig with a counterpart.
   Errors: OSSA_ERROR_INPUT where no name matches; OSSA_ERROR_MEMORY.
   Ownership: `clip` with ossa_clip_free. */
ossa_status ossai_retarget_by_name(ossa_context *context, const ossa_rig *rig, const ossa_rig *source, const char *path,
	const uint32_t *forced, ossa_clip **clip, size_t *matched);

/* Whether every bone of the rig is there in the source, of the same name, with the same parent and,
   moved and scaled alone, at the same place.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_is_same_skeleton(ossa_context *context, const ossa_rig *rig, const ossa_rig *source, bool *is_same);

#endif
