/* retarget/by_name.h: retargets the motion of one skeleton to another, by the names of their bones. */
#ifndef OSSAI_RETARGET_BY_NAME_H
#define OSSAI_RETARGET_BY_NAME_H

#include <ossa/rig.h>

/* What ossa_read_motion makes of a rig that was read from `path` (named in messages).
   Errors: OSSA_ERROR_ARGUMENT where `rig` has no bones, OSSA_ERROR_INPUT where `source` has no
   motion or no name matches. Ownership: `clip` with ossa_clip_free. */
ossa_status ossai_retarget(
	ossa_context *context, const ossa_rig *rig, const ossa_rig *source, const char *path, ossa_clip **clip);

#endif
